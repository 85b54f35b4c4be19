"""Sites of refusal datasets, from the command, in a real browser."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from typer.testing import CliRunner

from realhop_kg.cli.app import app
from realhop_kg.errors import InputError
from realhop_kg.freeze.reader import FrozenDataset
from realhop_kg.refusal.drops_dataset import freeze_drops
from realhop_kg.refusal.drops_reader import DropsDataset
from realhop_kg.refusal.reader import RefusalDataset
from realhop_kg.view.answers import Run
from realhop_kg.view.figure import COLUMN, PAGE
from realhop_kg.view.refusal_draw import chain_picture
from realhop_kg.view.shelf import Figure, open_shelf
from tests.view.hostile import ATTACK
from tests.view.refusals import made_question
from tests.view.watched import opened

if TYPE_CHECKING:
    from playwright.sync_api import Browser


@pytest.fixture(scope="module")
def drops(bundled: FrozenDataset, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("drops") / "dataset"
    freeze_drops(bundled.folder, folder)
    return folder


def run(*words: object) -> str:
    result = CliRunner().invoke(app, [str(word) for word in words])
    assert result.exit_code == 0, result.output
    return result.stdout


def test_a_site_of_chains_filters_and_leads_to_pages(
    chains: Path, browser: Browser, tmp_path: Path, pictures: Path
) -> None:
    site = tmp_path / "site"
    told = run("view", chains, "--out", site)
    items = list(RefusalDataset.open(chains).items())
    left = Counter(each.code for each in RefusalDataset.open(chains).left_out())
    assert left["L2"] > 0
    assert told == f"9 items and {left.total()} exclusions; open {site / 'index.html'}\n"
    with opened(browser, site / "index.html") as watched:
        page = watched.page
        page.wait_for_selector("body[data-ready=yes]")
        page.screenshot(path=pictures / "explorer-refusal.png")
        page.locator("#cause").select_option("UC")
        assert page.locator("#found").inner_text() == "3 of 9 items"
        page.locator("#topology").select_option("root")
        names = page.locator("#item-rows .open").all_inner_texts()
        wanted = [i.id for i in items if (i.cause, i.topology) == ("UC", "root")]
        assert names == [name.removeprefix("refusal/") for name in wanted]
        page.locator("[data-part=excluded]").click()
        page.locator("#code").select_option("L2")
        assert (
            page.locator("#efound").inner_text()
            == f"{left['L2']} of {left.total()} excluded records"
        )
        page.locator("#excluded-rows .open").first.click()
        assert "(forward bridge)" in page.locator("#why").inner_text()
        page.locator("[data-part=charts]").click()
        for title in ("Yield by cell", "Seeds by source", "Draws", "Left out by code"):
            assert title in page.locator("#charts").inner_text()
        page.locator("[data-part=items]").click()
        page.locator("#item-rows .open").first.click()
        page.wait_for_url("**/items/*.html")
        assert page.locator("#graph canvas").count() > 0
        assert page.locator(".step.defect").count() == 1
        assert watched.said == []
        assert watched.inside(site)


def test_a_page_of_a_drop_shows_what_is_missing(
    drops: Path, browser: Browser, tmp_path: Path, pictures: Path
) -> None:
    path = tmp_path / "drop.html"
    run("view", drops, "2hop__fict_001/drop-1", "--out", path)
    drop, _, _ = DropsDataset.open(drops).item("2hop__fict_001/drop-1")
    with opened(browser, path) as watched:
        page = watched.page
        page.screenshot(path=pictures / "refusal-drop.png", full_page=True)
        assert drop.rationale in page.locator(".answer").inner_text()
        gone = page.locator(".passage.dropped")
        assert gone.get_attribute("data-passage") == str(drop.removed)
        assert gone.locator("mark").count() > 0
        assert page.locator(".passage").count() == len(drop.passages) + 1
        assert "no longer derivable" in page.locator("#fate").inner_text()
        page.locator("input[name=drop][value='']").check()
        assert page.locator(".passage.dropped").count() == 0
        assert watched.said == []
        assert watched.requests == [path.as_uri()]


def test_a_site_of_drops_has_a_page_of_each(drops: Path, browser: Browser, tmp_path: Path) -> None:
    site = tmp_path / "site"
    count = len(list(DropsDataset.open(drops).items()))
    assert json.loads(run("view", drops, "--out", site, "--json"))["items"] == count
    assert len(list((site / "items").iterdir())) == count
    with opened(browser, site / "index.html") as watched:
        page = watched.page
        page.wait_for_selector("body[data-ready=yes]")
        page.locator("#topology").select_option("terminal")
        assert page.locator("#found").inner_text() == f"24 of {count} items"
        assert watched.said == []


def test_hostile_text_stays_text_on_a_site_of_chains(
    chains: Path, browser: Browser, tmp_path: Path
) -> None:
    folder = tmp_path / "dataset"
    folder.mkdir()
    (folder / "manifest.json").write_bytes((chains / "manifest.json").read_bytes())
    hostile = made_question(1, 1, ATTACK).model_dump(mode="json")
    (folder / "items.jsonl").write_text(json.dumps(hostile) + "\n")
    left = {"id": ATTACK, "source": ATTACK, "cause": "AU", "code": "L2"}
    left |= {"message": ATTACK, "question": ATTACK}
    (folder / "excluded.jsonl").write_text(json.dumps(left) + "\n")
    site = tmp_path / "site"
    open_shelf(folder).site(site, False, lambda done, total: None)
    with opened(browser, site / "index.html") as watched:
        page = watched.page
        page.wait_for_selector("body[data-ready=yes]")
        assert "items.jsonl: does not match" in page.get_by_role("alert").inner_text()
        page.locator("[data-part=excluded]").click()
        page.locator("#excluded-rows .open").first.click()
        assert ATTACK[:20] in page.locator("#why").inner_text()
        page.locator("[data-part=items]").click()
        page.locator("#item-rows .open").first.click()
        page.wait_for_url("**/items/*.html")
        assert page.evaluate("window.hit") is None
        assert watched.said == []
        assert watched.inside(site)


def test_what_cannot_be_shown_is_said(chains: Path, drops: Path, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no question 'nope'"):
        open_shelf(chains).page("nope")
    with pytest.raises(InputError, match="no question 'nope'"):
        open_shelf(drops).page("nope")
    with pytest.raises(InputError, match=r"'drop-1' may mean .*; name one of them in full"):
        open_shelf(drops).page("drop-1")
    with pytest.raises(InputError, match="is no folder"):
        open_shelf(tmp_path / "nothing")
    with pytest.raises(InputError, match="holds 'refusal' items, not Drops"):
        DropsDataset.open(chains)
    broken = tmp_path / "broken"
    broken.mkdir()
    for path in drops.iterdir():
        (broken / path.name).write_bytes(path.read_bytes())
    with (broken / "graphs.jsonl").open("r+") as stream:
        stream.write("{]")
    with pytest.raises(InputError, match=r"graphs\.jsonl, line 1, cannot be read"):
        open_shelf(broken).site(tmp_path / "site", False, lambda done, total: None)
    assert not (tmp_path / "site").exists()


def test_an_audit_is_of_other_items(chains: Path, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="leave --audit out"):
        open_shelf(chains, Run(tmp_path))


@pytest.mark.parametrize("form", ["svg", "dot", "mermaid"])
def test_a_chain_is_drawn_as_text_with_every_page_and_its_cause(chains: Path, form: str) -> None:
    item = next(i for i in RefusalDataset.open(chains).items() if i.topology == "middle")
    told = run("draw", chains, item.id, "--format", form)
    for title in item.chain.pages:
        assert title in told
    assert f"{item.cause}" in told
    assert told.startswith({"svg": "<svg", "dot": "digraph", "mermaid": "flowchart"}[form])


def test_chains_fit_a_page_and_drops_are_drawn_as_their_items(
    chains: Path, drops: Path, tmp_path: Path
) -> None:
    picture = chain_picture(made_question(2, 2))
    assert picture.scene.width <= PAGE
    column = chain_picture(made_question(2, 2), COLUMN)
    assert column.scene.width <= COLUMN
    assert {box.entity for box in column.scene.boxes} == {box.entity for box in column.whole.boxes}
    with pytest.raises(InputError, match="one step does not fit 30 points"):
        chain_picture(made_question(2, 2), 30)
    run("draw", chains, next(RefusalDataset.open(chains).items()).id, "--format", "pdf",
        "--out", tmp_path / "chain.pdf")  # fmt: skip
    assert (tmp_path / "chain.pdf").read_bytes().startswith(b"%PDF")
    with pytest.raises(InputError, match="has the picture of musique/2hop__fict_001"):
        open_shelf(drops).picture("2hop__fict_001/drop-1", Figure())
