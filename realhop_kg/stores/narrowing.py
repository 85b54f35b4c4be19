"""Turns a query of the library into one that reads only what its parameters ask for.

A filter `($item IS NULL OR i.item = $item)` is one file for every use, but no engine looks it up
in an index. Where the parameter has a value, its second half says the same; and an item is found
by the id of its graph, which every engine indexes, however long its key is.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from realhop_kg.errors import InputError
from realhop_kg.stores.rows import graph_id
from realhop_kg.stores.store import Statement, Store

__all__ = ["all_scopes", "check_known", "narrowed"]

_FILTER = re.compile(r"\(\$(\w+) IS NULL OR (\w+)\.(\w+) = \$\1\)")
_GIDS = "item_gids"


def narrowed(store: Store, cypher: str, values: Mapping[str, Any]) -> Statement:
    """Return a query of the library with the filters that its parameters ask for, and no others.

    The rows are those of the query as it is written.

    Args:
        store: the store to ask, for the scopes that it holds where none is named.
        cypher: the query.
        values: all of its parameters.
    """
    params = dict(values)
    item, scope = values.get("item"), values.get("scope")
    if item is not None and _GIDS not in values:
        within = all_scopes(store) if scope is None else [scope]
        params[_GIDS] = [graph_id(one, item) for one in within]

    def chosen(found: re.Match[str]) -> str:
        name, node, held = found.groups()
        if values.get(name) is None:
            return found[0]
        equal = f"{node}.{held} = ${name}"
        return f"{node}.gid IN ${_GIDS} AND {equal}" if name == held == "item" else equal

    return Statement(_FILTER.sub(chosen, cypher), params)


def all_scopes(store: Store) -> list[str]:
    """Return the names of all datasets that a store holds, items or refusal questions."""
    found: list[str] = []
    for label in ("Item", "Refusal"):
        # One step of the index per name, not a look at every node.
        query = (
            f"MATCH (n:{label}) WHERE n.scope > $last RETURN n.scope AS scope "
            "ORDER BY scope LIMIT 1"
        )
        last = ""
        while rows := store.run(query, {"last": last}).rows:
            last = rows[0][0]
            found.append(last)
    return list(dict.fromkeys(found))


def check_known(store: Store, values: Mapping[str, Any]) -> None:
    """Make sure that a store holds what a query asks about: no rows then mean that there are none.

    Raises:
        InputError: if there is no such dataset or item in it, with what there is.
    """
    item, scope = values.get("item"), values.get("scope")
    if scope is not None and not any(
        store.run(f"MATCH (n:{label}) WHERE n.scope = $scope RETURN 1 AS one LIMIT 1", values).rows
        for label in ("Item", "Refusal", "Page")
    ):
        held = ", ".join(all_scopes(store)) or "none"
        raise InputError(f"the store holds no dataset {scope!r}; it holds {held}")
    if item is None:
        return
    within = all_scopes(store) if scope is None else [scope]
    gids = {"gids": [graph_id(one, item) for one in within]}
    if not any(
        store.run(f"MATCH (n:{label}) WHERE n.gid IN $gids RETURN 1 AS one LIMIT 1", gids).rows
        for label in ("Item", "Refusal")
    ):
        where = f" under scope {scope!r}" if scope is not None else ""
        meant = " or ".join(map(repr, _near(store, within, item)))
        hint = f"; did you mean {meant}?" if meant else "; keys are as items.jsonl has them"
        raise InputError(f"the store holds no item {item!r}{where}{hint}")


def _near(store: Store, scopes: list[str], item: str) -> list[str]:
    """Return keys that end in `/item`: other commands take ids without their dataset."""
    found: set[str] = set()
    for label in ("Item", "Refusal"):
        query = (
            f"MATCH (n:{label}) WHERE n.scope IN $scopes AND n.item ENDS WITH $ending "
            "RETURN DISTINCT n.item AS item ORDER BY item LIMIT 3"
        )
        ending = {"scopes": scopes, "ending": f"/{item}"}
        found.update(row[0] for row in store.run(query, ending).rows)
    return sorted(found)[:3]
