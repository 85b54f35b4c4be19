"""Pages of questions without an answer: their chains in a real browser, whatever the text."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from realhop_kg.model.refusal import Cause
from realhop_kg.view.refusal_page import question_parts, refusal_page, steps_of
from realhop_kg.view.refusal_scene import chain_scene
from tests.view.hostile import ATTACK
from tests.view.refusals import made_question
from tests.view.watched import CY, opened

if TYPE_CHECKING:
    from playwright.sync_api import Browser

EVERY = [(0, 1), (1, 0), (1, 1), (0, 4), (4, 0), (2, 2)]
"""Links before and after the broken step."""


def written(folder: Path, content: str) -> Path:
    path = folder / "question.html"
    path.write_bytes(content.encode())
    return path


@pytest.mark.parametrize(("before", "after"), EVERY)
def test_the_parts_of_a_question_are_the_question(before: int, after: int) -> None:
    item = made_question(before, after)
    parts = question_parts(item)
    assert "".join(part.text for part in parts) == item.question
    assert {part.step for part in parts} == set(range(before + after + 2))
    assert [part.text for part in parts if part.step == 0] == [item.starts_from]
    assert sum(part.first for part in parts) == item.depth


def test_a_question_that_was_worded_otherwise_is_shown_whole() -> None:
    item = made_question(1, 1).model_copy(update={"question": "Which port?"})
    [part] = question_parts(item)
    assert (part.text, part.kind) == ("Which port?", "")


@pytest.mark.parametrize(("before", "after"), EVERY)
def test_steps_stand_in_reading_order_around_the_broken_one(before: int, after: int) -> None:
    steps = steps_of(made_question(before, after))
    assert [step.number for step in steps] == list(range(1, before + after + 2))
    kinds = ["prefix"] * before + ["defect"] + ["suffix"] * after
    assert [step.kind for step in steps] == kinds
    for step in steps:
        if step.kind != "defect":
            sentence = step.before, step.anchor, step.after
            assert sentence == ("It is near ", step.end, " on the coast.")


@pytest.mark.parametrize("most", [0, 1, 2])
@pytest.mark.parametrize("more", ["", " of a very long and winding name", " " + "x" * 500])
@pytest.mark.parametrize(("before", "after"), EVERY)
def test_nothing_on_the_picture_overlaps(before: int, after: int, more: str, most: int) -> None:
    scene = chain_scene(made_question(before, after, more), most=most)
    assert len(scene.lines) == len(scene.boxes) - 1
    placed = [(box.x, box.y, box.width, box.height) for box in scene.boxes]
    size = scene.font * 0.85
    for label in scene.labels:
        high = (scene.font if label.role == "column" else size) * 1.25 * len(label.lines)
        placed.append((label.x, label.y, label.width, high))
    for at, (x, y, width, height) in enumerate(placed):
        assert width / 2 <= x <= scene.width - width / 2
        assert height / 2 <= y <= scene.height - height / 2
        for other_x, other_y, other_width, other_height in placed[:at]:
            aside = abs(x - other_x) * 2 >= width + other_width - 0.01
            above = abs(y - other_y) * 2 >= height + other_height - 0.01
            assert aside or above


def test_a_page_links_question_picture_and_steps(
    browser: Browser, tmp_path: Path, pictures: Path
) -> None:
    item = made_question(2, 2)
    path = written(tmp_path, refusal_page(item))
    assert path.stat().st_size < 1_500_000
    with opened(browser, path) as watched:
        page = watched.page
        page.screenshot(path=pictures / "refusal.png", full_page=True)
        assert page.locator("h1 .own").all_inner_texts()[0].startswith("Which port number 4")
        assert watched.ids(".box.prefix") == {f"box:{at}|prefix" for at in range(3)}
        assert len(watched.ids(".box.suffix")) == 3
        assert page.locator(".step").count() == 5
        page.mouse.move(*watched.place("box:1|prefix"))
        assert page.locator(".step.focus").get_attribute("data-fact") == "step:1"
        assert "It is near Page 1 on the coast." in page.locator("#fate").inner_text()
        page.mouse.move(1, 1)
        assert page.locator(".focus").count() == 0
        page.locator("h1 .own.defect").first.hover()
        focused = page.evaluate(f"{CY}.elements('.focus').map(e => e.id())")
        assert "box:3|defect" in focused
        page.locator("input[data-kind=suffix]").uncheck()
        assert watched.ids(".box.suffix") == set()
        assert page.locator(".step.suffix:visible").count() == 0
        assert "FP: false premise" in page.locator(".step.defect").inner_text()
        assert "No mill was sold twice." in page.locator(".answer").inner_text()
        assert watched.said == []
        assert watched.requests == [path.as_uri()]


def test_the_keyboard_alone_is_enough(browser: Browser, tmp_path: Path) -> None:
    path = written(tmp_path, refusal_page(made_question(1, 1, cause=Cause.UC)))
    with opened(browser, path) as watched:
        page = watched.page
        reached = []
        for _ in range(12):
            page.keyboard.press("Tab")
            reached.append(page.evaluate("document.activeElement.dataset.fact || ''"))
        assert [each for each in reached if each] == ["step:1", "step:2", "step:3"]
        page.locator(".step").nth(1).focus()
        page.keyboard.press("Enter")
        page.locator("#graph").focus()
        assert page.locator(".step.focus").get_attribute("data-fact") == "step:2"
        page.keyboard.press("Escape")
        assert page.locator(".focus").count() == 0
        page.keyboard.press("+")
        page.keyboard.press("ArrowLeft")
        assert watched.said == []


def test_a_narrow_window_scrolls_the_picture_and_cuts_nothing(
    browser: Browser, tmp_path: Path
) -> None:
    path = written(tmp_path, refusal_page(made_question(2, 2)))
    with opened(browser, path) as watched:
        watched.page.set_viewport_size({"width": 500, "height": 900})
        wide = watched.page.evaluate(
            "[document.documentElement.scrollWidth, document.querySelector('.canvas').scrollWidth]"
        )
        assert wide[0] <= 500
        assert wide[1] > 500
        assert watched.page.evaluate(f"{CY}.zoom()") >= 0.74


def test_hostile_text_stays_text_on_the_page_of_a_chain(browser: Browser, tmp_path: Path) -> None:
    item = made_question(1, 2, ATTACK)
    path = written(tmp_path, refusal_page(item))
    with opened(browser, path) as watched:
        page = watched.page
        for step in page.locator(".step").all():
            step.click()
        page.mouse.move(*watched.place("box:1|prefix"))
        assert page.evaluate("window.hit") is None
        assert ATTACK[:30] in page.locator("h1").inner_text()
        assert ATTACK[:30] in page.locator(".step").first.inner_text()
        assert watched.said == []
        assert watched.requests == [path.as_uri()]
