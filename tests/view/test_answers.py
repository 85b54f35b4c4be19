"""The answers of an audit on the pages: read from a run's files, shown, and never trusted."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from realhop_kg.audit.auditable import constructed_side, source_side
from realhop_kg.errors import InputError
from realhop_kg.freeze.reader import FrozenDataset
from realhop_kg.model.item import TextRange
from realhop_kg.model.text import Insertion
from realhop_kg.view.answers import Run, read_run
from realhop_kg.view.explorer import write_site
from realhop_kg.view.page import item_page, read_item
from realhop_kg.view.removed import in_realized
from tests.view.commands import apart
from tests.view.hostile import ATTACK
from tests.view.many import repeated
from tests.view.watched import opened

if TYPE_CHECKING:
    from playwright.sync_api import Browser

ITEM = "musique/2hop__fict_001"


def trial(condition: str, target: str, response: str, verdict: str, **more: Any) -> str:
    record = {"item": ITEM, "side": "constructed", "ablation": "both", "condition": condition}
    record |= {"target": target, "model": "m1", "trial": 1, "response": response}
    return json.dumps(record | {"verdict": verdict or None, "failure": ""} | more)


def context_place(dataset: FrozenDataset, passage: int, text: str) -> tuple[int, int]:
    """Return where a text of a passage stands in the rendered context."""
    blocks = [f"{each.title}\n{each.text}" for each in dataset.item(ITEM).passages]
    start = "\n\n".join(blocks).index(blocks[passage])
    start += blocks[passage].index(text)
    return start, start + len(text)


@pytest.fixture
def folder(bundled: FrozenDataset, tmp_path: Path) -> Path:
    lines = [
        trial("drop", "h1", "old", "correct"),
        trial("full", "", "Besmouth", "correct"),
        trial("full", "", "Harrin", "incorrect", trial=2),
        trial("full", "", "Marsaro", "incorrect", model="m2"),
        trial("drop", "h1", ATTACK, "incorrect"),
        "{",
        "[1]",
        json.dumps({"item": ITEM, "model": "m1"}),
        trial("control", "h1", "Besmouth", "correct"),
        trial("full", "", "", "", side="source", failure="stopped: no quota"),
    ]
    (tmp_path / "trials.jsonl").write_text("\n".join(lines) + "\n")
    start, end = context_place(bundled, 1, "The Saturday market sells cheese")
    condition = {"item": ITEM, "side": "constructed", "condition": "control", "target": "h1"}
    condition["removed"] = [{"start": start, "end": end, "passage": 1}]
    whole = context_place(bundled, 9, bundled.item(ITEM).passages[9].text)
    drop = {**condition, "condition": "drop"}
    drop["removed"] = [{"start": whole[0] - 16, "end": whole[1] + 2, "passage": 9}]
    lines = [json.dumps(condition), json.dumps(drop)]
    (tmp_path / "conditions.jsonl").write_text("\n".join(lines) + "\n")
    return tmp_path


@pytest.fixture
def run(folder: Path) -> Run:
    return read_run(folder)


def test_the_latest_answer_counts_and_unread_lines_are_named(run: Run) -> None:
    assert run.models == ["m1", "m2"]
    names = [asked.name for asked in run.of(ITEM)]
    assert names == ["Full", "Drop h1", "Control h1", "Full (source question)"]
    drop = run.of(ITEM)[1]
    assert [answer.verdict for answer in drop.answers["m1"]] == ["incorrect"]
    assert drop.answers["m2"] == ()
    assert [line.split(", ")[1].split(":")[0] for line in run.unread] == [
        "line 6",
        "line 7",
        "line 8",
    ]
    assert run.of("another") == ()


def test_outcomes_count_the_constructed_side_alone(run: Run, bundled: FrozenDataset) -> None:
    found = run.outcomes(ITEM, bundled.graph(ITEM))
    assert (found["m1"].full, found["m1"].drop, found["m1"].control) == ((1, 2), (0, 1), (1, 1))
    assert found["m1"].wrong_hits == 1
    assert found["m2"].full == (0, 1)
    assert found["m2"].wrong_hits == 1


def test_a_folder_without_answers_is_no_run(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"it has no trials\.jsonl"):
        read_run(tmp_path)
    (tmp_path / "trials.jsonl").write_bytes(b"")
    assert read_run(tmp_path).models == []


def test_a_page_shows_answers_removed_text_and_wrong_hits(
    run: Run, bundled: FrozenDataset, browser: Browser, tmp_path: Path, pictures: Path
) -> None:
    view = read_item(bundled.item(ITEM), bundled.graph(ITEM), bundled.predicates_of(ITEM), run)
    path = tmp_path / "item.html"
    path.write_bytes(item_page(view).encode())
    struck = "[...(CSS.highlights.get('removed') || [])].map(range => range.toString()).join('|')"
    with opened(browser, path) as watched:
        page = watched.page
        first = page.locator(".answers tbody tr").first
        assert first.locator("td").all_inner_texts() == [
            "✓ correct Besmouth\n✗ wrong Harrin = s1b",
            "✗ wrong Marsaro = s1a",
        ]
        assert "not asked" in page.locator(".answers tbody tr").nth(1).inner_text()
        assert "stopped: no quota" in page.locator(".answers tbody tr").nth(3).inner_text()
        page.get_by_role("button", name="Control h1").click()
        assert page.evaluate(struck) == "The Saturday market sells cheese"
        page.get_by_role("button", name="Drop h1").click()
        assert page.evaluate(struck).replace("|", "") == view.item.passages[9].text
        assert page.locator("#fate").inner_text().startswith("Drop 1 removes")
        page.screenshot(path=pictures / "answers.png", full_page=True)
        page.get_by_role("button", name="Drop h1").click()
        assert page.evaluate(struck) == ""
        assert page.locator("#fate").inner_text().startswith("Nothing is dropped")
        page.locator("[data-hit=s1a]").click()
        assert "Strict s1a hop 2" in page.locator("#details").inner_text()
        assert page.evaluate("window.hit") is None
        assert watched.said == []
        assert watched.requests == [path.as_uri()]


def test_a_condition_and_a_chosen_drop_take_each_others_place(
    folder: Path, bundled: FrozenDataset, browser: Browser, tmp_path: Path
) -> None:
    with (folder / "trials.jsonl").open("a") as trials:
        trials.write(trial("drop", "h1", "old", "correct", side="source") + "\n")
    condition: dict[str, Any] = {"item": ITEM, "side": "source", "condition": "drop"}
    condition["target"] = "h1"
    start = len(source_side(bundled.item(ITEM)).passages[0].title) + 1
    condition["removed"] = [{"start": start, "end": start + 10, "passage": 0}]
    with (folder / "conditions.jsonl").open("a") as conditions:
        conditions.write(json.dumps(condition) + "\n")
    graph, predicates = bundled.graph(ITEM), bundled.predicates_of(ITEM)
    path = tmp_path / "item.html"
    view = read_item(bundled.item(ITEM), graph, predicates, read_run(folder))
    path.write_bytes(item_page(view).encode())
    state = """() => [
      [...document.querySelectorAll("[aria-pressed=true]")].map((each) => each.textContent).join(),
      document.querySelector("[name=drop]:checked")?.value,
      CSS.highlights.get("removed")?.size || 0,
      document.querySelectorAll(".source-side").length,
    ]"""
    with opened(browser, path) as watched:
        page = watched.page
        fate, lead = page.locator("#fate"), page.locator(".passages > p")
        page.get_by_role("button", name="Drop h1 (source question)").click()
        assert page.evaluate(state) == ["Drop h1 (source question)", None, 1, 1]
        assert fate.inner_text() == (
            "Drop h1 (source question): the passages as they were before anything was inserted; "
            "what it removed is struck through in passage [0]."
        )
        assert lead.inner_text().startswith("These are the original passages")
        page.locator("[name=drop][value='2']").check()
        assert page.evaluate(state) == ["", "2", 0, 0]
        assert fate.inner_text().startswith("Drop 2 removes")
        assert lead.inner_text().startswith("Original text is gray; what was inserted")
        page.get_by_role("button", name="Control h1").click()
        assert page.evaluate(state) == ["Control h1", None, 1, 0]
        assert fate.inner_text() == "Control h1: what it removed is struck through in passage [1]."
        assert page.locator(".passage.dropped").count() == 0
        page.locator("[name=drop][value='']").check()
        assert page.evaluate(state) == ["", "", 0, 0]
        assert fate.inner_text().startswith("Nothing is dropped")
        page.get_by_role("button", name="Drop h1", exact=True).click()
        assert page.evaluate(state)[:2] == ["Drop h1", "1"]
        assert fate.inner_text().startswith("Drop 1 removes")
        page.get_by_role("button", name="Drop h1", exact=True).click()
        assert page.evaluate(state) == ["", "", 0, 0]
        assert watched.said == []


def test_the_table_shows_and_filters_outcomes(
    run: Run, bundled: FrozenDataset, browser: Browser, tmp_path: Path
) -> None:
    def keep_key(item: dict[str, Any], graph: dict[str, Any]) -> None:
        item["id"] = graph["id"] = item["id"].removesuffix("_0")

    dataset = repeated(bundled, tmp_path / "dataset", 5, 0, keep_key)
    write_site(dataset, tmp_path / "site", run=run)
    with opened(browser, tmp_path / "site" / "index.html") as watched:
        page = watched.page
        page.wait_for_selector("body[data-ready=yes]")
        outcomes = page.locator("#item-rows td:nth-child(10)")
        assert outcomes.first.inner_text() == "Full 1/2 · Drop 0/1 · Control 1/1 · wrong hits 1"
        assert outcomes.nth(1).inner_text() == "not judged"
        page.locator("#outcome").select_option("right")
        assert page.locator("#found").inner_text() == "1 of 5 items"
        page.locator("#outcome").select_option("survives")
        assert page.locator("#found").inner_text() == "0 of 5 items"
        page.locator("#model").select_option("1")
        page.locator("#outcome").select_option("hit")
        assert outcomes.first.inner_text() == "Full 0/1 · wrong hits 1"
        assert watched.said == []


def test_what_was_removed_from_the_source_is_found_between_the_insertions() -> None:
    added = [
        Insertion(id="i1", passage=3, offset=2, order=0, text=" A."),
        Insertion(id="i2", passage=3, offset=2, order=1, text=" B."),
        Insertion(id="i3", passage=3, offset=5, order=0, text=" C."),
    ]
    found = {
        (start, end): list(in_realized(TextRange(passage=3, start=start, end=end), added))
        for start, end in ((0, 2), (1, 4), (2, 5), (3, 9))
    }
    assert found == {
        (0, 2): [(3, 0, 2)],
        (1, 4): [(3, 1, 2), (3, 8, 10)],
        (2, 5): [(3, 8, 11)],
        (3, 9): [(3, 9, 11), (3, 14, 18)],
    }


def test_what_is_struck_through_is_what_the_audit_removed_on_both_sides(
    bundled: FrozenDataset, browser: Browser, tmp_path: Path, pictures: Path
) -> None:
    out = tmp_path / "run"
    words = ["audit", bundled.folder, "--model", "scripted/cue", "--model", "scripted/recaller"]
    words += ["--out", out, "--conditions", "full,drop,control,mask,drop_premise", "--limit", 2]
    apart(*words, "--trials", 2)
    item = bundled.item(ITEM)
    sides = {"constructed": constructed_side(item), "source": source_side(item)}
    view = read_item(item, bundled.graph(ITEM), bundled.predicates_of(ITEM), read_run(out))
    path = tmp_path / "item.html"
    path.write_bytes(item_page(view).encode())
    struck = "[...(CSS.highlights.get('removed') || [])].map(range => range.toString()).join('')"
    shown = "[...document.querySelectorAll('.passage p')].map(p => p.innerText).join(' ')"
    with opened(browser, path) as watched:
        page = watched.page
        assert "(2 times)" in page.locator(".answers tbody tr").first.inner_text()
        for at, asked in enumerate(view.asked):
            if not asked.removed:
                continue
            page.locator(f"[data-asked='{at}']").click()
            context = sides[asked.side].context
            texts = {passage.index: passage.text for passage in sides[asked.side].passages}
            parts = context.parts(asked.removed)
            wanted = "".join(texts[each.passage][each.start : each.end] for each in parts)
            assert page.evaluate(struck) == wanted
            if asked.side == "source":
                assert item.hops[0].answer not in page.evaluate(shown)
        page.screenshot(path=pictures / "answers-source.png", full_page=True)
        assert watched.said == []
