"""Time lines of runs on the page of a question: marks, keys, narrow windows, hostile text."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from realhop_kg.model.trajectory import Mode, State
from realhop_kg.view.refusal_page import refusal_page
from realhop_kg.view.runs import ShownRun
from tests.view.agents import made_run
from tests.view.hostile import ATTACK
from tests.view.refusals import made_question
from tests.view.watched import CY, opened

if TYPE_CHECKING:
    from playwright.sync_api import Browser


def written(folder: Path, *runs: ShownRun, more: str = "") -> Path:
    path = folder / "question.html"
    path.write_bytes(refusal_page(made_question(1, 1, more), runs).encode())
    return path


def test_passages_that_show_the_reason_are_accounted_for_one_turn_later(
    browser: Browser, tmp_path: Path
) -> None:
    path = written(tmp_path, made_run(4, shown=1, stated=3))
    with opened(browser, path) as watched:
        turns = watched.page.locator(".turns > .turn")
        marks = [turn.locator("> p .flag").all_inner_texts() for turn in turns.all()]
        assert marks == [
            ["Ttrap: sufficient evidence, shown by passages"],
            ["A: accounting turn"],
            ["reason stated", "after the accounting turn"],
            ["after the accounting turn"],
        ]
        told = watched.page.locator(".run").inner_text()
        assert "after the accounting turn 2 came 1 call and 30 tokens" in told
        assert watched.said == []


def test_the_keyboard_opens_runs_and_points_at_pages_of_the_chain(
    browser: Browser, tmp_path: Path
) -> None:
    runs = [made_run(3, State.URH), made_run(2, State.SHD), made_run(9, State.SEH)]
    with opened(browser, written(tmp_path, *runs)) as watched:
        page = watched.page
        summary = page.locator(".run > summary").first
        page.locator(".step").last.focus()
        page.keyboard.press("Tab")
        assert summary.evaluate("each => each === document.activeElement")
        page.keyboard.press("Enter")
        assert page.locator(".turns").first.is_visible()
        for _ in range(2):  # past the reasoning
            page.keyboard.press("Tab")
        assert page.evaluate("document.activeElement.textContent") == "step 1"
        assert page.evaluate(f"{CY}.elements('.focus').map(e => e.id())") != []
        assert page.locator(".step.focus").get_attribute("data-fact") == "step:1"
        page.keyboard.press("Tab")
        page.keyboard.press("Enter")
        assert page.locator(".found blockquote").first.is_visible()
        page.keyboard.press("Escape")
        assert page.locator(".focus").count() == 0
        assert watched.said == []


def test_a_narrow_window_cuts_no_run(browser: Browser, tmp_path: Path) -> None:
    runs = [made_run(9, State.SEH, model="made/" + "long" * 30), made_run(4, stated=1)]
    with opened(browser, written(tmp_path, *runs)) as watched:
        page = watched.page
        page.set_viewport_size({"width": 500, "height": 900})
        assert page.evaluate("document.documentElement.scrollWidth") <= 500
        for part in page.locator(".run, .strip .turn").all():
            box = part.bounding_box()
            assert box is not None
            assert box["x"] + box["width"] <= 500


def test_hostile_runs_stay_text(browser: Browser, tmp_path: Path) -> None:
    runs = [
        made_run(4, State.PPH, stated=4, more=ATTACK),
        made_run(2, State.SEH, more=ATTACK, title="Page 0"),
        made_run(1, None, more=ATTACK, mode=Mode.PLAIN),
        ShownRun(made_run(1, more=ATTACK).arm, None, None),
    ]
    path = written(tmp_path, *runs, more=ATTACK)
    with opened(browser, path) as watched:
        page = watched.page
        for summary in page.locator(".run > summary, .turns summary").all():
            summary.click()
        for button in page.locator(".found button").all():
            button.click()
        assert page.locator(".run").count() == len(runs)
        told = page.locator(".runs").inner_text()
        for text in ("made/model", "query 1", "The reason of turn 4.", "It is said.", "browse"):
            assert f"{text}{ATTACK[:30]}" in told
        assert page.evaluate("window.hit") is None
        assert watched.said == []
        assert watched.requests == [path.as_uri()]
