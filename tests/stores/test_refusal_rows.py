"""Pages, links and refusal questions in both engines, and what the queries say of them."""

from __future__ import annotations

import pytest

from realhop_kg.errors import InputError
from realhop_kg.model.refusal import Cause, Hyperlink, SeedTerms
from realhop_kg.model.refusal_item import Defect, RefusalChain, RefusalItem, SeedVoice, Topology
from realhop_kg.stores.load import LoadReport, remove_scope, scopes
from realhop_kg.stores.queries import run_query
from realhop_kg.stores.refusal import Link, load_pages, load_refusals
from realhop_kg.stores.refusal_schema import PageNode
from realhop_kg.stores.store import Store
from tests.stores.test_load import HOSTILE


def test_pages_are_found_as_a_walk_may_go_on(store: Store, scope: str) -> None:
    degrees = {"a": 50, "b": 12, "c": 9, "d": 300, "e": 200}
    pages = [PageNode(id=p, page_title=f"Page {p}", degree=n) for p, n in degrees.items()]
    links = [Link("a", target, True, f"a to {target}") for target in "bcdea"]
    links += [Link("b", "e", False, "not in the lead"), Link("e", "b", True, "e to b")]
    for _ in range(2):
        load_pages(store, scope, pages, links)
    walk = {"scope": scope, "page": "Page a"}
    assert run_query(store, "walk_candidates", walk).rows == [
        ("Page b", 12, "a to b"),
        ("Page e", 200, "a to e"),
    ]
    assert run_query(store, "walk_candidates", walk | {"visited": ["Page e"]}).rows == [
        ("Page b", 12, "a to b")
    ]
    back = {"scope": scope, "page": "Page b", "direction": "backward", "min_degree": "1"}
    assert [row[0] for row in run_query(store, "walk_candidates", back).rows] == [
        "Page a",
        "Page e",
    ]
    remove_scope(store, scope)
    assert run_query(store, "walk_candidates", walk).rows == []


def _link(source: str, target: str) -> Hyperlink:
    return Hyperlink(
        source=source,
        target=target,
        lead=True,
        paragraph=1,
        start=0,
        end=1,
        anchor=target,
        sentence=f"{source} is known for {target}.",
    )


def _item(number: int, cause: str, topology: str, text: str = "") -> RefusalItem:
    """A question over pages a -> b, then c -> d, as far as its topology has them."""
    prefix = (_link(f"a{text}", f"b{text}"),) if topology != "root" else ()
    suffix = (_link(f"c{text}", f"d{text}"),) if topology != "terminal" else ()
    voice = SeedVoice(question="Who?", mention="b")
    terms = SeedTerms(licence="CC0-1.0", redistributable=True)
    chain = RefusalChain(
        topology=Topology(topology),
        prefix=prefix,
        suffix=suffix,
        defect=Defect(
            seed=f"seed{number}",
            source="plain",
            cause=Cause(cause),
            question=f"Who?{text}",
            rationale=f"Nobody knows.{text}",
            anchor=f"b{text}",
            bridge=f"c{text}" if suffix else "",
            voice=voice,
            terms=terms,
        ),
    )
    return RefusalItem(
        id=f"refusal/{number}{text}",
        question=f"Who?{text}",
        cause=Cause(cause),
        topology=Topology(topology),
        depth=chain.depth,
        hops=chain.hops,
        broken_step=len(prefix) + 1,
        rationale=f"Nobody knows.{text}",
        starts_from="a",
        chain=chain,
        steps=(),
        hidden_names=(),
        backend="rules",
        tries=1,
        redistributable=True,
    )


ITEMS = [_item(1, "AU", "middle"), _item(2, "FP", "root"), _item(3, "AU", "middle")]


def test_refusal_questions_are_found_with_their_chains(store: Store, scope: str) -> None:
    assert load_refusals(store, scope, ITEMS) == LoadReport(loaded=3)
    assert load_refusals(store, scope, ITEMS) == LoadReport(unchanged=3)
    for params in ({"item": "refusal/1"}, {"item": "refusal/1", "scope": scope}):
        rows = run_query(store, "refusal_chain", params).rows
        assert [row for row in rows if row[0] == scope] == [
            (scope, "refusal/1", "AU", "middle", 1, "prefix", "a"),
            (scope, "refusal/1", "AU", "middle", 2, "defect", "b"),
            (scope, "refusal/1", "AU", "middle", 3, "suffix", "c"),
            (scope, "refusal/1", "AU", "middle", 4, "suffix", "d"),
        ]
    root = run_query(store, "refusal_chain", {"scope": scope, "item": "refusal/2"}).dicts()
    assert [(row["part"], row["page_title"]) for row in root] == [
        ("defect", "b"),
        ("suffix", "c"),
        ("suffix", "d"),
    ]
    assert run_query(store, "refusal_cells", {"scope": scope}).rows == [
        (scope, "AU", "middle", 3, 2),
        (scope, "FP", "root", 2, 1),
    ]
    assert dict(scopes(store))[scope] == 3


def test_a_changed_question_is_replaced_and_one_that_is_gone_removed(
    store: Store, scope: str
) -> None:
    load_refusals(store, scope, ITEMS)
    changed = _item(1, "UC", "terminal")
    report = load_refusals(store, scope, [changed, ITEMS[1]])
    assert report == LoadReport(replaced=1, unchanged=1, removed=1)
    rows = run_query(store, "refusal_chain", {"scope": scope}).dicts()
    assert [(row["item"], row["part"]) for row in rows] == [
        ("refusal/1", "prefix"),
        ("refusal/1", "defect"),
        ("refusal/2", "defect"),
        ("refusal/2", "suffix"),
        ("refusal/2", "suffix"),
    ]
    remove_scope(store, scope)
    assert run_query(store, "refusal_cells", {"scope": scope}).rows == []


def test_a_question_that_comes_twice_is_refused(store: Store, scope: str) -> None:
    with pytest.raises(InputError, match="refusal/1' comes twice"):
        load_refusals(store, scope, [ITEMS[0], ITEMS[0]])


@pytest.mark.parametrize("text", HOSTILE[:-1], ids=range(len(HOSTILE) - 1))
def test_hostile_text_of_a_question_stays_text(store: Store, scope: str, text: str) -> None:
    load_refusals(store, scope, [_item(1, "AU", "middle", text)])
    params = {"scope": scope, "item": f"refusal/1{text}"}
    titles = [row["page_title"] for row in run_query(store, "refusal_chain", params).dicts()]
    assert titles == [f"{name}{text}" for name in "abcd"]
