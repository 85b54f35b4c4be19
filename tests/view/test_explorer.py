"""The site of a dataset, in a real browser and on disk."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from realhop_kg.errors import InputError, OutputExistsError
from realhop_kg.freeze.reader import FrozenDataset
from realhop_kg.view.explorer import SITE, write_site
from tests.view.hostile import ATTACK, attacked
from tests.view.many import repeated
from tests.view.watched import opened

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page


@pytest.fixture(scope="module")
def dataset(bundled: FrozenDataset, tmp_path_factory: pytest.TempPathFactory) -> FrozenDataset:
    return repeated(bundled, tmp_path_factory.mktemp("many") / "dataset", items=60, excluded=30)


@pytest.fixture(scope="module")
def site(dataset: FrozenDataset, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site") / "site"
    summary = write_site(dataset, folder)
    assert (summary.items, summary.excluded, summary.without_page) == (60, 30, ())
    return folder


def ready(page: Page) -> None:
    page.wait_for_selector("body[data-ready=yes]")


def first_column(page: Page) -> list[str]:
    return page.locator("#item-rows .open").all_inner_texts()


def test_the_table_searches_filters_and_sorts(
    site: Path, browser: Browser, dataset: FrozenDataset, pictures: Path
) -> None:
    with opened(browser, site / "index.html") as watched:
        page = watched.page
        ready(page)
        page.screenshot(path=pictures / "explorer.png")
        assert page.locator("#found").inner_text() == "60 of 60 items"
        items = list(dataset.items())
        assert first_column(page)[0] == items[0].source.id
        assert len(first_column(page)) < 30
        page.locator("#q").fill("gilded hourglass")
        told = [item.source.id for item in items if "Gilded Hourglass" in item.question]
        assert first_column(page) == told
        page.locator("#q").fill("")
        page.locator("#shape").select_option("diamond")
        shaped = sum(item.topology == "diamond" for item in items)
        assert page.locator("#found").inner_text() == f"{shaped} of 60 items"
        page.locator("#shape").select_option("")
        page.locator("#hops").select_option("3")
        hops = sum(len(item.hops) == 3 for item in items)
        assert page.locator("#found").inner_text() == f"{hops} of 60 items"
        page.locator("#hops").select_option("")
        page.locator("#diagnostics").select_option("some")
        assert page.locator("#found").inner_text() == "0 of 60 items"
        page.locator("#diagnostics").select_option("")
        page.locator("[data-sort='7']").click()
        assert first_column(page)[0] == items[0].source.id
        page.locator("[data-sort='7']").click()
        strict = page.locator("#item-rows td:nth-child(5)").all_inner_texts()
        assert strict[0] == "8"
        assert page.locator("th[aria-sort=descending]").inner_text().startswith("Strict")
        assert page.url.endswith("#sort=-7")
        assert watched.said == []
        assert watched.inside(site)


def test_no_column_vanishes_in_a_narrow_window(site: Path, browser: Browser) -> None:
    with opened(browser, site / "index.html") as watched:
        watched.page.set_viewport_size({"width": 800, "height": 900})
        ready(watched.page)
        wide = "Array.from(document.querySelectorAll('#item-rows th'), (th) => th.offsetWidth)"
        widths = watched.page.evaluate(wide)
        assert min(widths) >= 70
        assert widths[2] >= 250  # the question
        assert watched.page.evaluate("document.documentElement.scrollWidth") == 800


def test_rows_follow_the_window_and_the_keyboard(site: Path, browser: Browser) -> None:
    with opened(browser, site / "index.html") as watched:
        page = watched.page
        ready(page)
        page.locator("#item-rows").focus()
        for _ in range(25):
            page.keyboard.press("ArrowDown")
        assert page.evaluate("document.activeElement.closest('tr').ariaRowIndex") == "26"
        page.keyboard.press("End")
        assert page.evaluate("document.activeElement.closest('tr').ariaRowIndex") == "61"
        assert page.locator("#item-rows tbody tr:not(.spacer)").count() < 30
        page.keyboard.press("Enter")
        page.wait_for_url("**/items/00060-*.html")
        assert page.locator("#graph canvas").count() > 0
        page.get_by_role("link", name="All items").click()
        ready(page)
        assert watched.said == []
        assert watched.inside(site)


def test_exclusions_say_why_and_charts_their_numbers(
    site: Path, browser: Browser, pictures: Path
) -> None:
    with opened(browser, site / "index.html", color_scheme="dark") as watched:
        page = watched.page
        ready(page)
        page.locator("[data-part=excluded]").click()
        page.locator("#code").select_option("Q5")
        assert page.locator("#efound").inner_text() == "10 of 30 excluded records"
        page.locator("#excluded-rows .open").first.click()
        why = page.locator("#why").inner_text()
        assert (
            "code Q5\n\nstage plan\n\nwanted the catalogue has the relation and near-misses enough"
            in why
        )
        assert "questions.jsonl, line 1" in why
        page.locator("[data-part=charts]").click()
        page.screenshot(path=pictures / "charts-dark.png", full_page=True)
        told = page.locator("#charts").inner_text()
        for title in ("Yield by shape", "Exclusions by code", "Hosts per path"):
            assert title in told
        assert "10: broken is “the catalogue has the relation and near-misses enough”" in (
            page.locator("#charts").text_content() or ""
        )
        assert watched.said == []


def test_what_was_chosen_is_in_the_address(site: Path, browser: Browser) -> None:
    with opened(browser, site / "index.html") as watched:
        page = watched.page
        ready(page)
        page.locator("#shape").select_option("4hop1")
        page.locator("#q").fill("who")
        found = page.locator("#found").inner_text()
        address = page.url
        page.goto("about:blank")
        page.goto(address)
        ready(page)
        assert page.locator("#found").inner_text() == found
        assert page.locator("#shape").input_value() == "4hop1"


def test_hostile_text_stays_text_in_every_part(
    bundled: FrozenDataset, browser: Browser, tmp_path: Path
) -> None:
    def attack(item: dict[str, Any], graph: dict[str, Any]) -> None:
        for key in ("question", "answer", "id"):
            item[key] += ATTACK
        item["source"] = attacked(item["source"])
        graph["id"] = item["id"]

    dataset = repeated(bundled, tmp_path / "dataset", 3, 0, attack)
    lines = (dataset.folder / "items.jsonl").read_text().splitlines()
    record = {"id": f"musique/{ATTACK}", "dataset": "musique", "file": ATTACK, "line": 1}
    record |= {"stage": "plan", "code": ATTACK, "message": ATTACK, "question": ATTACK}
    (dataset.folder / "excluded.jsonl").write_text(json.dumps(record) + "\n")
    site = tmp_path / "site"
    assert write_site(dataset, site).without_page == ()
    with opened(browser, site / "index.html") as watched:
        page = watched.page
        ready(page)
        assert ATTACK[:20] in page.locator("#item-rows td:nth-child(3)").first.inner_text()
        page.locator("[data-part=excluded]").click()
        page.locator("#excluded-rows .open").first.click()
        page.locator("[data-part=charts]").click()
        page.locator("[data-part=items]").click()
        page.locator("#item-rows .open").first.click()
        page.wait_for_url("**/items/*.html")
        assert page.evaluate("window.hit") is None
        assert watched.said == []
        assert watched.inside(site)
    assert len(lines) == 3


def test_an_item_that_cannot_be_drawn_is_said_and_the_rest_goes_on(
    bundled: FrozenDataset, browser: Browser, tmp_path: Path
) -> None:
    def lose_gold(item: dict[str, Any], graph: dict[str, Any]) -> None:
        if item["id"].endswith("_1"):
            nodes = [node for node in graph["nodes"] if node["id"] != "path:g"]
            edges = [edge for edge in graph["edges"] if edge["source"] != "path:g"]
            graph.update(nodes=nodes, edges=[e for e in edges if e["target"] != "path:g"])

    site = tmp_path / "site"
    summary = write_site(repeated(bundled, tmp_path / "dataset", 3, 0, lose_gold), site)
    assert len(list((site / "items").iterdir())) == 2
    [failed] = summary.without_page
    assert failed.startswith("musique/2hop__fict_002_1 cannot be drawn: the graph has no gold path")
    with opened(browser, site / "index.html") as watched:
        ready(watched.page)
        assert watched.page.locator("#found").inner_text() == "3 of 3 items"
        assert "no page" in first_column(watched.page)[1]


def test_a_site_is_written_whole_over_sites_only_and_the_same_every_time(
    bundled: FrozenDataset, tmp_path: Path
) -> None:
    dataset = repeated(bundled, tmp_path / "dataset", items=3, excluded=3)
    site, again = tmp_path / "site", tmp_path / "again"
    for folder in (site, again):
        write_site(dataset, folder)
    for path in sorted(site.rglob("*")):
        if path.is_file():
            assert path.read_bytes() == (again / path.relative_to(site)).read_bytes()
    with pytest.raises(OutputExistsError, match="--force"):
        write_site(dataset, again)
    write_site(dataset, again, force=True)
    (again / SITE).unlink()
    with pytest.raises(InputError, match="no site that --force may replace"):
        write_site(dataset, again, force=True)
    with pytest.raises(InputError, match="is a dataset"):
        write_site(dataset, dataset.folder, force=True)
    assert (dataset.folder / "items.jsonl").is_file()


@pytest.mark.slow
@pytest.mark.soak
def test_a_thousand_items_are_written_and_only_the_rows_in_view_are_drawn(
    bundled: FrozenDataset, browser: Browser, tmp_path: Path
) -> None:
    dataset = repeated(bundled, tmp_path / "dataset", 1000, 500)
    write_site(dataset, tmp_path / "site")
    pages = list((tmp_path / "site" / "items").iterdir())
    assert len(pages) == 1000
    with opened(browser, tmp_path / "site" / "index.html") as watched:
        page = watched.page
        ready(page)
        assert page.locator("#item-rows tbody tr:not(.spacer)").count() < 40
        page.fill("#q", "bridge")
        assert page.locator("#item-rows tbody tr:not(.spacer)").count() < 40
        assert watched.said == []
