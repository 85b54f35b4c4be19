"""Puts hyperlink pages and refusal questions into a store."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import islice
from typing import Any, NamedTuple

from realhop_kg.stores.load import check_scope
from realhop_kg.stores.refusal_schema import PageNode, RefusalNode
from realhop_kg.stores.rows import graph_id, node_id
from realhop_kg.stores.store import Statement, Store

__all__ = ["Link", "Step", "load_pages", "load_refusals"]

_BATCH = 2000
_PAGES = ""
"""The item key of pages: they belong to no question."""


class Link(NamedTuple):
    """One hyperlink between two pages, by their ids."""

    source: str
    target: str
    lead: bool
    """Whether it stands in the opening paragraphs."""
    sentence: str
    """The sentence that holds it."""


class Step(NamedTuple):
    """One place in the chain of a refusal question."""

    page: str
    """Id of the page."""
    part: str
    """prefix, defect or suffix."""


def load_pages(store: Store, scope: str, pages: Iterable[PageNode], links: Iterable[Link]) -> None:
    """Load pages and the links between them; those loaded before are brought up to date."""
    check_scope(scope)
    store.prepare()
    page_rows = (_row(scope, _PAGES, page) for page in pages)
    while rows := list(islice(page_rows, _BATCH)):
        cypher = "UNWIND $rows AS row MERGE (n:Page {id: row.id}) SET n += row.properties"
        store.write([Statement(cypher, {"rows": rows})])
    link_rows = (
        {
            "source": node_id(scope, _PAGES, link.source),
            "target": node_id(scope, _PAGES, link.target),
            "lead": link.lead,
            "sentence": link.sentence,
        }
        for link in links
    )
    cypher = (
        "UNWIND $rows AS row MATCH (a:Page {id: row.source}) MATCH (b:Page {id: row.target}) "
        "MERGE (a)-[l:LINKS_TO]->(b) SET l.lead = row.lead, l.sentence = row.sentence"
    )
    while rows := list(islice(link_rows, _BATCH)):
        store.write([Statement(cypher, {"rows": rows})])


def load_refusals(
    store: Store, scope: str, refusals: Iterable[tuple[RefusalNode, Sequence[Step]]]
) -> int:
    """Load refusal questions with their chains, each replaced whole; the pages come first.

    Returns:
        Number of questions.
    """
    check_scope(scope)
    store.prepare()
    count = 0
    for refusal, steps in refusals:
        row = _row(scope, refusal.id, refusal)
        chain = [
            {"page": node_id(scope, _PAGES, step.page), "order": place, "part": step.part}
            for place, step in enumerate(steps, 1)
        ]
        store.write(
            [
                Statement("MATCH (n:Refusal {id: $id}) DETACH DELETE n", {"id": row["id"]}),
                Statement(
                    "UNWIND $rows AS row CREATE (n:Refusal {id: row.id}) SET n += row.properties",
                    {"rows": [row]},
                ),
                Statement(
                    "UNWIND $rows AS row MATCH (q:Refusal {id: $id}) MATCH (p:Page {id: row.page}) "
                    "CREATE (q)-[:STEP {order: row.order, part: row.part}]->(p)",
                    {"rows": chain, "id": row["id"]},
                ),
            ]
        )
        count += 1
    return count


def _row(scope: str, item: str, node: PageNode | RefusalNode) -> dict[str, Any]:
    fields = node.model_dump(mode="json", exclude={"id"})
    added = {"gid": graph_id(scope, item), "scope": scope, "item": item, "node": node.id}
    return {"id": node_id(scope, item, node.id), "properties": {**fields, **added}}
