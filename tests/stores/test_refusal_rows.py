"""Pages, links and refusal questions in both engines, and what the queries say of them."""

from __future__ import annotations

from realhop_kg.stores.load import remove_scope
from realhop_kg.stores.queries import run_query
from realhop_kg.stores.refusal import Link, Step, load_pages, load_refusals
from realhop_kg.stores.refusal_schema import PageNode, RefusalNode
from realhop_kg.stores.store import Store


def test_pages_and_refusal_questions_are_found(store: Store, scope: str) -> None:
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
    refusals = [
        (
            RefusalNode(
                id=f"q{number}",
                question="Who?",
                seed="Who?",
                cause=cause,
                topology="middle",
                depth=3,
                rationale="",
            ),
            [Step("a", "prefix"), Step("b", "defect"), Step("e", "suffix")],
        )
        for number, cause in enumerate(("AU", "FP", "AU"))
    ]
    for _ in range(2):
        assert load_refusals(store, scope, refusals) == 3
    chain = run_query(store, "refusal_chain", {"scope": scope, "item": "q1"}).rows
    assert chain == [
        (scope, "q1", "FP", "middle", 1, "prefix", "Page a"),
        (scope, "q1", "FP", "middle", 2, "defect", "Page b"),
        (scope, "q1", "FP", "middle", 3, "suffix", "Page e"),
    ]
    assert run_query(store, "refusal_cells", {"scope": scope}).rows == [
        (scope, "AU", "middle", 3, 2),
        (scope, "FP", "middle", 3, 1),
    ]
    remove_scope(store, scope)
    assert run_query(store, "refusal_cells", {"scope": scope}).rows == []
    assert run_query(store, "walk_candidates", walk).rows == []
