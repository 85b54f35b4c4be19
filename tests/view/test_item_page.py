"""The item page in a real browser: what it shows, what it does, what it lets through."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from realhop_kg.freeze.reader import FrozenDataset
from realhop_kg.graph.schema import EdgeKind, EntityNode, PassageNode
from realhop_kg.model.frozen import FrozenItem
from realhop_kg.view.chains import path_name
from realhop_kg.view.page import ItemView, item_page, read_item
from tests.view.hostile import ATTACK, hostile_graph, hostile_item
from tests.view.watched import CY, Watched, opened

if TYPE_CHECKING:
    from playwright.sync_api import Browser

SHAPES = ("2hop__fict_001", "3hop2__fict_013", "4hop2__fict_019", "diamond__fict_023")


def view_of(dataset: FrozenDataset, name: str) -> ItemView:
    item = dataset.item(name)
    return read_item(item, dataset.graph(item.id), dataset.predicates_of(item.id))


@pytest.fixture(scope="module")
def pages(bundled: FrozenDataset, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("pages")
    for name in SHAPES:
        (folder / f"{name}.html").write_text(item_page(view_of(bundled, name)), encoding="utf-8")
    return folder


@pytest.mark.parametrize("name", SHAPES)
def test_a_page_opens_from_disk_and_asks_for_nothing(
    name: str, pages: Path, browser: Browser, pictures: Path, bundled: FrozenDataset
) -> None:
    path = pages / f"{name}.html"
    assert path.stat().st_size < 1_500_000
    with opened(browser, path) as watched:
        watched.page.screenshot(path=pictures / f"{name}.png", full_page=True)
        assert watched.said == []
        assert watched.requests == [path.as_uri()]
        item = bundled.item(name)
        assert watched.page.locator("h1").inner_text() == item.question
        marks = sum(len(hop.evidence) for hop in item.hops)
        marks += sum(len(path.spans) for path in item.competitors)
        assert watched.page.locator("mark").count() == marks
        drawn = {element.split("|")[0] for element in watched.ids(".box")}
        names = {path_name(path.id) for path in item.competitors}
        assert drawn == {f"box:{path}" for path in {"g", "source", *names}}


def drawn(watched: Watched, selector: str, count: int) -> bool:
    """Return whether so many elements are drawn, once the browser has come to drawing them."""
    for _ in range(50):
        if len(watched.ids(selector)) == count:
            return True
        watched.page.wait_for_timeout(100)
    return False


def test_paths_kinds_and_premises_can_be_hidden(pages: Path, browser: Browser) -> None:
    with opened(browser, pages / "2hop__fict_001.html") as watched:
        page = watched.page
        page.locator("input[type=checkbox][data-path=s1a]").uncheck()
        assert not any(element.startswith("box:s1a|") for element in watched.ids(".box"))
        assert any(element.startswith("box:s1b|") for element in watched.ids(".box"))
        assert page.evaluate("document.querySelector('[data-kind=strict]').indeterminate")
        page.locator("input[data-kind=flexible]").uncheck()
        assert drawn(watched, ".box.flexible", 0)
        assert watched.ids(".box.strict") != set()
        page.locator("input[data-kind=flexible]").check()
        assert drawn(watched, ".box.flexible", 3)
        page.locator("input[data-kind=source]").uncheck()
        assert drawn(watched, ".source", 0)
        assert watched.ids(".box.gold") != set()
        keys = watched.ids(".key")
        assert keys
        page.locator("#premises").uncheck()
        assert page.evaluate(f"{CY}.elements('.key').every(e => e.style('opacity') == 0)")
        hidden = page.locator("mark.hidden")
        assert {mark.get_attribute("data-fact") for mark in hidden.all()} == {
            "f:s1a.h1",
            "f:s1a.h2",
        }


@pytest.mark.parametrize("name", ["2hop__fict_001", "4hop2__fict_019"])
def test_drop_says_what_the_certificates_say(
    name: str, pages: Path, browser: Browser, bundled: FrozenDataset
) -> None:
    proved = view_of(bundled, name).proved
    with opened(browser, pages / f"{name}.html") as watched:
        page = watched.page
        for hop, passages in proved.dropped.items():
            page.locator(f"input[name=drop][value='{hop}']").check()
            told = page.locator("#fate").inner_text()
            assert "the gold answer is no longer derivable" in told
            assert f"removes passage {''.join(f'[{p[1:]}]' for p in passages)}" in told
            complete = {path_name(path) for path in proved.complete_paths[hop]}
            tags = page.locator("li.path:has(.fateof:text-is('complete'))")
            assert {tag.get_attribute("data-path") for tag in tags.all()} == complete
            dropped = page.locator(".passage.dropped").all()
            assert {f"p{each.get_attribute('data-passage')}" for each in dropped} == set(passages)
            gone = page.evaluate(f"{CY}.elements('.gone').map(e => e.data('fact'))")
            assert f"f:g.h{hop}" in gone
        page.locator("input[name=drop][value='']").check()
        assert page.evaluate(f"{CY}.elements('.gone').length") == 0
        assert page.locator(".passage.dropped").count() == 0


def test_pointing_at_a_fact_shows_its_span_and_the_other_way_round(
    pages: Path, browser: Browser, bundled: FrozenDataset
) -> None:
    graph = bundled.graph("2hop__fict_001")
    subject, value = (graph.get(f"e:{at}", EntityNode).surface for at in ("q1", "s1a.h1"))
    (host,) = graph.targets("f:s1a.h1", EdgeKind.ROUTED_TO)
    with opened(browser, pages / "2hop__fict_001.html") as watched:
        page = watched.page
        page.mouse.move(*watched.place("box:s1a|e:s1a.h1"))
        told = page.locator("#details").inner_text()
        assert f"Strict s1a hop 1, × near-miss in passage [{host.removeprefix('p')}]" in told
        assert f"the sequel to {subject} was written by {value}" in told
        assert "S4: the break predicate has the right types" in told
        focused = page.locator("mark.focus")
        assert focused.count() == 1
        assert focused.get_attribute("data-fact") == "f:s1a.h1"
        page.mouse.move(2, 2)
        assert page.locator("mark.focus").count() == 0
        page.locator("mark[data-fact='f:g.h2']").first.hover()
        assert page.evaluate(f"{CY}.elements('.box.focus').map(e => e.id())") == ["box:g|e:h2"]
        assert "Gold hop 2" in page.locator("#details").inner_text()


def test_pointing_at_a_span_leaves_it_under_the_pointer(pages: Path, browser: Browser) -> None:
    apart = """() => document.querySelector(".scroll").getBoundingClientRect().top
      - document.getElementById("details").getBoundingClientRect().top"""
    with opened(browser, pages / "4hop2__fict_019.html") as watched:
        page = watched.page
        before = page.evaluate(apart)
        marks = page.locator("mark").all()
        for mark in marks:
            mark.focus()
            assert page.evaluate(apart) == before
        assert len(marks) > 10
        page.evaluate("document.activeElement.blur(), scrollTo(0, 0)")
        gold = page.locator("mark.gold").first
        gold.hover()
        for _ in range(5):
            assert page.locator("mark.focus").count() > 0
            page.wait_for_timeout(20)
        fact = gold.get_attribute("data-fact")
        assert page.locator("mark.focus").first.get_attribute("data-fact") == fact


def test_pointing_at_the_picture_scrolls_the_passages_alone(pages: Path, browser: Browser) -> None:
    inside = """() => {
      const { top, bottom } = document.querySelector("mark.focus").getBoundingClientRect();
      const pane = document.querySelector(".scroll").getBoundingClientRect();
      return [scrollY, top >= pane.top, bottom <= pane.bottom, pane.bottom <= innerHeight];
    }"""
    with opened(browser, pages / "4hop2__fict_019.html") as watched:
        page = watched.page
        told = watched.ids(".box.gold, .box.strict, .box.flexible")
        places = {node: watched.place(node) for node in sorted(told) if "|e:q" not in node}
        seen = {node: at for node, at in places.items() if at[1] < 890}
        assert len(seen) > 3
        for at in seen.values():
            page.mouse.move(*at)
            assert page.evaluate(inside) == [0, True, True, True]
        page.mouse.move(2, 2)
        assert {node: watched.place(node) for node in places} == places


def test_it_is_used_by_keyboard_alone(pages: Path, browser: Browser) -> None:
    with opened(browser, pages / "2hop__fict_001.html") as watched:
        page = watched.page
        page.locator("input[name=drop][value='']").focus()
        page.keyboard.press("ArrowRight")
        assert page.locator("#fate").inner_text().startswith("Drop 1 removes")
        first = page.locator("mark").first
        first.focus()
        fact = first.get_attribute("data-fact")
        page.keyboard.press("Enter")
        assert page.locator("#details.kept").count() == 1
        page.keyboard.press("Tab")
        page.keyboard.press("Tab")
        assert page.locator("mark.focus").first.get_attribute("data-fact") == fact
        page.keyboard.press("Escape")
        assert page.locator("mark.focus").count() == 0
        page.locator("#graph").focus()
        before = page.evaluate(f"[{CY}.zoom(), {CY}.pan().x]")
        page.keyboard.press("+")
        page.keyboard.press("ArrowLeft")
        after = page.evaluate(f"[{CY}.zoom(), {CY}.pan().x]")
        assert after[0] == pytest.approx(1.25 * before[0])
        assert after[1] != before[1]


def test_it_has_a_dark_side(pages: Path, browser: Browser, pictures: Path) -> None:
    path = pages / "4hop2__fict_019.html"
    with opened(browser, path, color_scheme="dark") as watched:
        page = watched.page
        ground = "getComputedStyle(document.documentElement).backgroundColor"
        assert page.evaluate(ground) == "rgb(20, 24, 29)"
        assert page.evaluate(f"{CY}.$('.box.gold').style('background-color')") == "rgb(22,48,79)"
        page.screenshot(path=pictures / "4hop2-dark.png", full_page=True)
        page.locator("#theme").click()
        assert page.locator("#theme").inner_text() == "Colours: light"
        assert page.evaluate(ground) == "rgb(255, 255, 255)"
        assert page.evaluate(f"{CY}.$('.box.gold').style('background-color')") == "rgb(225,237,253)"


def test_hostile_text_stays_text(
    bundled: FrozenDataset, browser: Browser, tmp_path: Path, pictures: Path
) -> None:
    item = bundled.item("2hop__fict_001")
    graph = hostile_graph(bundled.graph(item.id))
    view = read_item(hostile_item(item), graph, bundled.predicates_of(item.id))
    path = tmp_path / "hostile.html"
    path.write_bytes(item_page(view).encode())
    with opened(browser, path) as watched:
        page = watched.page
        for mark in page.locator("button.fact").all():
            mark.focus()
        page.locator("input[name=drop][value='1']").check()
        page.screenshot(path=pictures / "hostile.png", full_page=True)
        assert watched.said == []
        assert watched.requests == [path.as_uri()]
        assert page.evaluate("window.hit") is None
        assert page.locator("img, iframe, main script").count() == 0
        said = page.locator("h1").text_content() or ""
        assert said == (item.question + ATTACK).replace("\0", "\ufffd").replace("\ud800", "\ufffd")
        assert "window.hit=1" in (page.locator("mark").first.text_content() or "")


TURNED = """() => {
  const left = (node, at) => {
    const range = document.createRange();
    range.setStart(node, at);
    range.setEnd(node, at + 1);
    return range.getBoundingClientRect();
  };
  const labels = document.querySelectorAll(".chip, .tag, .kind, .index, .muted, th, legend, label");
  return Array.from(labels).flatMap((label) =>
    Array.from(label.childNodes).filter((node) => node.nodeType === 3).flatMap((node) => {
      const text = node.data;
      const first = text.search(/\\S/);
      const one = first < 0 ? null : left(node, first);
      const next = first < 0 || !/\\S/.test(text[first + 1] || "") ? null : left(node, first + 1);
      return one && next && one.width && next.top === one.top && next.left < one.left ? [text] : [];
    }));
}"""
"""What of the page's own labels runs from right to left."""


def test_a_text_that_turns_the_reading_direction_turns_no_label(
    bundled: FrozenDataset, browser: Browser, tmp_path: Path
) -> None:
    item = bundled.item("2hop__fict_001")
    data = item.model_dump(mode="json")
    turned = "\u202e"
    for passage in data["passages"]:
        # Every word is turned, and every span stays where it is.
        passage["text"] = passage["text"].replace(" ", turned)
        passage["title"] = turned + passage["title"]
    for swap in data["substitutions"]:
        swap["virtual"] = turned + swap["virtual"]
    data["question"] = turned + data["question"]
    data["answer"] = turned + data["answer"]
    hostile = FrozenItem.model_validate(data)
    view = read_item(hostile, bundled.graph(item.id), bundled.predicates_of(item.id))
    path = tmp_path / "turned.html"
    path.write_bytes(item_page(view).encode())
    with opened(browser, path) as watched:
        watched.page.locator("input[name=drop][value='1']").check()
        watched.page.locator("mark").first.focus()
        assert watched.page.evaluate(TURNED) == []
        assert watched.said == []


def test_a_megabyte_of_text_is_shown_whole(
    bundled: FrozenDataset, browser: Browser, tmp_path: Path
) -> None:
    item = bundled.item("2hop__fict_001")
    long = "word " * 100_000 + "w" * 500_000
    passages = [
        passage.model_copy(update={"text": passage.text + long} if passage.index == 4 else {})
        for passage in item.passages
    ]
    large = item.model_copy(update={"passages": tuple(passages), "answer": "w" * 100_000})
    graph = bundled.graph(item.id)
    for node in graph.nodes(PassageNode):
        if node.index == 4:
            graph.add(node.model_copy(update={"text": node.text + long}))
    path = tmp_path / "large.html"
    path.write_text(
        item_page(read_item(large, graph, bundled.predicates_of(item.id))), encoding="utf-8"
    )
    with opened(browser, path) as watched:
        assert watched.said == []
        text = watched.page.locator("[data-passage='4'] p").text_content() or ""
        assert text.endswith(long)
        width = watched.page.evaluate("document.documentElement.scrollWidth")
        assert width <= 1400
