"""The query library: Cypher files with a header, loaded by name and run with checked parameters."""

from __future__ import annotations

import difflib
import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from realhop_kg.errors import InputError
from realhop_kg.resources import resource_folder
from realhop_kg.stores.narrowing import narrowed
from realhop_kg.stores.store import Store, Table

__all__ = [
    "Column",
    "Param",
    "Query",
    "answer",
    "bound",
    "load_query",
    "parse_query",
    "query_names",
    "run_query",
]

_PARAM = re.compile(r"param (\w+): (\w+)(\?| = (\S+))? - (\S.*)")
_RETURNS = re.compile(r"returns (\w+) - (\S.*)")

_TYPES: dict[str, type] = {"string": str, "integer": int, "boolean": bool, "strings": list}
_TOLD = {
    "string": "text",
    "integer": "a whole number",
    "boolean": "true or false",
    "strings": "texts, comma-separated",
}
_BOOLEANS = {"true": True, "false": False}


class Param(NamedTuple):
    """One parameter of a query."""

    name: str
    kind: str
    """string, integer, boolean or strings."""
    required: bool
    default: Any
    says: str


class Column(NamedTuple):
    """One column that a query returns."""

    name: str
    says: str


class Query(NamedTuple):
    """One query file."""

    name: str
    answers: str
    """What it answers, in sentences."""
    params: tuple[Param, ...]
    columns: tuple[Column, ...]
    cypher: str


def query_names() -> tuple[str, ...]:
    """Return the names of all queries, sorted."""
    return tuple(sorted(path.stem for path in _folder().glob("*.cypher")))


def _folder() -> Path:
    return resource_folder("cypher") / "queries"


@cache
def load_query(name: str) -> Query:
    """Return a query by name.

    Raises:
        InputError: if there is none of that name; near names are given.
    """
    # Compared with the listing, so that a name never is a path.
    names = query_names()
    if name not in names:
        near = difflib.get_close_matches(name, names, 3, cutoff=0.4)
        hint = f" (did you mean {', '.join(near)}?)" if near else ""
        raise InputError(f"no query {name!r}{hint}; `realhop graph queries` lists them")
    return parse_query(name, (_folder() / f"{name}.cypher").read_text(encoding="utf-8"))


def parse_query(name: str, text: str) -> Query:
    """Return the query that a file holds: a header of comment lines, a blank line, Cypher.

    Raises:
        InputError: if the header is not of that form.
    """
    header, blank, cypher = text.partition("\n\n")
    answers, params, columns = [], [], []
    for line in header.splitlines():
        said = line.removeprefix("//").strip()
        if match := _PARAM.fullmatch(said):
            params.append(_param(name, match))
        elif match := _RETURNS.fullmatch(said):
            columns.append(Column(match[1], match[2]))
        elif not line.startswith("//") or said.startswith(("param ", "returns ")):
            raise InputError(f"query {name}: header line {line!r} is not of the documented form")
        elif said:
            answers.append(said)
    if not (blank and answers and columns and cypher.strip()):
        raise InputError(f"query {name}: the file needs a header that says what it returns")
    return Query(name, " ".join(answers), tuple(params), tuple(columns), cypher.strip())


def _param(query: str, match: re.Match[str]) -> Param:
    name, kind, optional, default, says = match.groups()
    if kind not in _TYPES:
        raise InputError(f"query {query}: parameter {name} is of unknown type {kind}")
    empty: Any = [] if default == "[]" else None
    value = empty if default in (None, "[]") else _value(name, kind, default)
    return Param(name, kind, not optional, value, says)


def _value(name: str, kind: str, given: object) -> Any:  # noqa: ANN401 - of the parameter's type
    """Return a parameter's value; text is read as the type says."""
    if isinstance(given, str) and kind != "string":
        if kind == "strings":
            return [part for part in given.split(",") if part]
        try:
            return int(given) if kind == "integer" else _BOOLEANS[given.lower()]
        except (ValueError, KeyError):
            raise InputError(f"parameter {name} is {given!r}; it takes {_TOLD[kind]}") from None
    fits = type(given) is _TYPES[kind] or (kind == "strings" and isinstance(given, tuple))
    if not fits or (kind == "strings" and not all(isinstance(part, str) for part in given)):  # type: ignore[attr-defined]
        raise InputError(f"parameter {name} is {given!r}; it takes {kind}")
    return list(given) if kind == "strings" else given  # type: ignore[call-overload]


def bound(query: Query, given: Mapping[str, object]) -> dict[str, Any]:
    """Return all parameters of a query, given or by default.

    Raises:
        InputError: if one is unknown, missing, or of another type.
    """
    known = {param.name: param for param in query.params}
    unknown = sorted(given.keys() - known.keys())
    if unknown:
        listed = ", ".join(known) or "none"
        raise InputError(f"query {query.name} has no parameter {unknown[0]!r}; it takes {listed}")
    values: dict[str, Any] = {}
    for param in query.params:
        value = given.get(param.name)
        if value is not None:
            values[param.name] = _value(param.name, param.kind, value)
        elif param.required:
            raise InputError(f"query {query.name} needs {param.name}: {param.says}")
        else:
            values[param.name] = param.default
    return values


def run_query(store: Store, name: str, params: Mapping[str, object] | None = None) -> Table:
    """Run a query of the library.

    Args:
        store: an open store.
        name: name of the query file, without its ending.
        params: values by parameter name; text is read as the parameter's type.

    Raises:
        InputError: if there is no such query, or a parameter does not fit.
        StoreError: if the store cannot answer.
    """
    query = load_query(name)
    return answer(store, query, bound(query, params or {}))


def answer(store: Store, query: Query, values: Mapping[str, Any]) -> Table:
    """Run a query with all of its parameters, as `bound` returns them.

    Raises:
        StoreError: if the store cannot answer.
    """
    return store.run(*narrowed(store, query.cypher, values))
