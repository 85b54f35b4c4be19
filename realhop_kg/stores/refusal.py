"""Puts hyperlink pages and refusal questions into a store."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from itertools import islice
from typing import NamedTuple

from realhop_kg.errors import InputError
from realhop_kg.model.refusal_item import RefusalItem
from realhop_kg.stores.load import LoadReport, check_scope
from realhop_kg.stores.refusal_schema import PageNode, RefusalNode
from realhop_kg.stores.rows import Row, graph_id, node_id
from realhop_kg.stores.store import Statement, Store

__all__ = ["Link", "load_pages", "load_refusals"]

_BATCH = 2000
_QUESTIONS = 100
"""Questions that one transaction takes."""
_DIGITS = 32
_PAGES = ""
"""The item key of pages: they belong to no question."""


_MERGE_PAGES = "UNWIND $rows AS row MERGE (n:Page {id: row.id}) SET n += row.properties"
_MERGE_LINKS = (
    "UNWIND $rows AS row MATCH (a:Page {id: row.source}) MATCH (b:Page {id: row.target}) "
    "MERGE (a)-[l:LINKS_TO]->(b) SET l.lead = row.lead, l.sentence = row.sentence"
)
_DELETE = "MATCH (n:Refusal) WHERE n.gid IN $gids DETACH DELETE n"


class Link(NamedTuple):
    """One hyperlink between two pages, by their ids."""

    source: str
    target: str
    lead: bool
    """Whether it stands in the opening paragraphs."""
    sentence: str
    """The sentence that holds it."""


def load_pages(store: Store, scope: str, pages: Iterable[PageNode], links: Iterable[Link]) -> None:
    """Load pages and the links between them; those loaded before are brought up to date."""
    check_scope(scope)
    store.prepare()
    page_rows = (_row(scope, _PAGES, page) for page in pages)
    while rows := list(islice(page_rows, _BATCH)):
        store.write([Statement(_MERGE_PAGES, {"rows": rows})])
    link_rows = (
        {
            "source": node_id(scope, _PAGES, link.source),
            "target": node_id(scope, _PAGES, link.target),
            "lead": link.lead,
            "sentence": link.sentence,
        }
        for link in links
    )
    while rows := list(islice(link_rows, _BATCH)):
        store.write([Statement(_MERGE_LINKS, {"rows": rows})])


def load_refusals(store: Store, scope: str, items: Iterable[RefusalItem]) -> LoadReport:
    """Make a scope hold exactly these refusal questions, with their chains of pages and links.

    A question is stored whole or not at all; those that are there unchanged are skipped, so a load
    that was stopped goes on where it stopped. Pages and links, which questions share, stay.

    Raises:
        InputError: if a question comes twice.
        StoreError: if the store stops; what was loaded stays, and the same call resumes.
    """
    check_scope(scope)
    store.prepare()
    before: dict[str, str] = dict(
        store.run(
            "MATCH (q:Refusal) WHERE q.scope = $scope RETURN q.gid AS gid, q.digest AS digest",
            {"scope": scope},
        ).rows
    )
    report, seen = LoadReport(), set[str]()
    coming = (_question(scope, item) for item in items)
    while batch := list(islice(coming, _QUESTIONS)):
        for one in batch:
            if one.gid in seen:
                raise InputError(f"question {one.item!r} comes twice; keys must differ")
            seen.add(one.gid)
        changed = [one for one in batch if before.get(one.gid) != one.row["properties"]["digest"]]
        report.unchanged += len(batch) - len(changed)
        if changed:
            store.write(_question_statements(changed))
            old = sum(one.gid in before for one in changed)
            report.replaced += old
            report.loaded += len(changed) - old
    gone = sorted(before.keys() - seen)
    if gone:
        store.write([Statement(_DELETE, {"gids": gone})])
        report.removed = len(gone)
    return report


class _Question(NamedTuple):
    """The rows of one refusal question."""

    gid: str
    item: str
    row: Row
    pages: list[Row]
    links: list[Row]
    steps: list[Row]


def _question(scope: str, item: RefusalItem) -> _Question:
    chain = item.chain
    try:
        digest = hashlib.sha256(item.model_dump_json().encode()).hexdigest()[:_DIGITS]
    except (UnicodeEncodeError, ValueError) as error:
        raise InputError(
            f"{item.id}: the question holds half a character (a lone surrogate), which no store "
            "can keep; mend the source text"
        ) from error
    node = RefusalNode(
        id=item.id,
        question=item.question,
        seed=chain.defect.question,
        cause=str(item.cause),
        topology=str(item.topology),
        depth=item.depth,
        rationale=item.rationale,
    )
    row = _row(scope, item.id, node)
    row["properties"]["digest"] = digest
    ids = {title: node_id(scope, _PAGES, title) for title in chain.pages}
    steps = [
        *((link.source, "prefix") for link in chain.prefix),
        (chain.defect.anchor, "defect"),
        *((page, "suffix") for page in chain.pages[len(chain.prefix) + 1 :]),
    ]
    return _Question(
        row["properties"]["gid"],
        item.id,
        row,
        [_row(scope, _PAGES, PageNode(id=title, page_title=title)) for title in chain.pages],
        [
            {
                "source": ids[link.source],
                "target": ids[link.target],
                "lead": link.lead,
                "sentence": link.sentence,
            }
            for link in (*chain.prefix, *chain.suffix)
        ],
        [
            {"question": row["id"], "page": ids[page], "order": place, "part": part}
            for place, (page, part) in enumerate(steps, 1)
        ],
    )


def _question_statements(questions: Sequence[_Question]) -> list[Statement]:
    gids = {"gids": [one.gid for one in questions]}
    parts = {
        _MERGE_PAGES: [row for one in questions for row in one.pages],
        _MERGE_LINKS: [row for one in questions for row in one.links],
        "UNWIND $rows AS row CREATE (n:Refusal {id: row.id}) SET n += row.properties": [
            one.row for one in questions
        ],
        "UNWIND $rows AS row MATCH (q:Refusal {id: row.question}) MATCH (p:Page {id: row.page}) "
        "CREATE (q)-[:STEP {order: row.order, part: row.part}]->(p)": [
            row for one in questions for row in one.steps
        ],
    }
    return [
        Statement(_DELETE, gids),
        *(Statement(cypher, {"rows": rows}) for cypher, rows in parts.items()),
    ]


def _row(scope: str, item: str, node: PageNode | RefusalNode) -> Row:
    fields = node.model_dump(mode="json", exclude={"id"}, exclude_none=True)
    added = {"gid": graph_id(scope, item), "scope": scope, "item": item, "node": node.id}
    return {"id": node_id(scope, item, node.id), "properties": {**fields, **added}}
