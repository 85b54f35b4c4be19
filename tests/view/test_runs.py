"""Runs of models on pages and sites of questions without an answer, from the commands on."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from typer.testing import CliRunner

from realhop_kg.cli.app import app
from realhop_kg.errors import InputError
from realhop_kg.freeze.reader import FrozenDataset
from realhop_kg.refusal.evaluate.folder import RefusalRun
from realhop_kg.refusal.reader import RefusalDataset
from realhop_kg.resources import resource_folder
from realhop_kg.search.index import build_search_index
from realhop_kg.view.refusal_page import refusal_page
from realhop_kg.view.runs import ShownRuns
from realhop_kg.view.shelf import open_shelf
from tests.view.commands import apart
from tests.view.hostile import ATTACK
from tests.view.refusals import made_question
from tests.view.watched import opened

if TYPE_CHECKING:
    from playwright.sync_api import Browser

ASKED = [("halts-right", False), ("halts-right", True), ("searches", True),
         ("knows-and-searches", True)]  # fmt: skip


def command(*words: object) -> str:
    result = CliRunner().invoke(app, [str(word) for word in words])
    assert result.exit_code == 0, result.output
    return result.stdout


@pytest.fixture(scope="module")
def unjudged(chains: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Scripted agents that were asked every question."""
    folder = tmp_path_factory.mktemp("agents")
    pages = resource_folder("data") / "kilt_world.jsonl"
    build_search_index(pages, folder / "index", "kilt", created_by="test")
    for name, search in ASKED:
        more = ["--search", "--index", folder / "index"] if search else []
        words = ["refusal", "run", chains, "--model", f"scripted/{name}", "--out", folder / "run"]
        apart(*words, *more)
    return folder / "run"


@pytest.fixture(scope="module")
def judged(unjudged: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same, judged by the rules."""
    folder = tmp_path_factory.mktemp("judged") / "run"
    shutil.copytree(unjudged, folder)
    apart("refusal", "judge", folder)
    return folder


@pytest.fixture
def run(judged: Path, tmp_path: Path) -> Path:
    """The same, to be changed."""
    return Path(shutil.copytree(judged, tmp_path / "run"))


def test_a_site_has_a_column_of_states_for_each_model_and_mode(
    chains: Path, run: Path, browser: Browser, tmp_path: Path, pictures: Path
) -> None:
    site = tmp_path / "site"
    command("view", chains, "--run", run, "--out", site)
    with opened(browser, site / "index.html") as watched:
        page = watched.page
        page.wait_for_selector("body[data-ready=yes]")
        page.screenshot(path=pictures / "explorer-runs.png")
        assert "Runs of 3 models, judged by rules." in page.locator("header").inner_text()
        heads = [head.split("\n")[0] for head in page.locator("thead th").all_inner_texts()]
        assert heads[8:12] == [
            "scripted/halts-right, no search",
            "scripted/halts-right, search",
            "scripted/searches, search",
            "scripted/knows-and-searches, search",
        ]
        first = page.locator("#item-rows tbody tr").nth(1).locator("td").all_inner_texts()
        assert first[8:12] == ["TACH", "TACH", "SEH", "TACH"]
        chosen = page.get_by_label("State of scripted/searches, search")
        assert chosen.locator("option").all_inner_texts() == ["all", "SEH"]
        chosen.select_option("SEH")
        page.locator("#cause").select_option("UC")
        assert page.locator("#found").inner_text() == "3 of 9 items"
        page.reload()
        page.wait_for_selector("body[data-ready=yes]")
        assert page.locator("#found").inner_text() == "3 of 9 items"
        assert chosen.input_value() == "SEH"
        page.locator("[data-part=charts]").click()
        chart = page.locator("figure", has_text="States by model and mode").first
        assert "scripted/searches, search" in chart.inner_text()
        assert "SEH 9" in chart.inner_text()
        page.locator("[data-part=items]").click()
        page.locator("#item-rows .open").first.click()
        page.wait_for_url("**/items/*.html")
        assert page.locator(".run").count() == len(ASKED)
        assert watched.said == []
        assert watched.inside(site)


def test_rows_are_filtered_by_several_models_at_once(
    chains: Path, run: Path, browser: Browser, tmp_path: Path
) -> None:
    path = run / "judged.jsonl"
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    for at, (state, mode) in enumerate((("SHD", "no_search"), ("URH", "search"))):
        of = [each for each in lines if (each["model"], each["mode"])
              == ("scripted/halts-right", mode)]  # fmt: skip
        for each in of[at : at + 3]:
            each["state"]["state"] = state
    path.write_text("".join(json.dumps(each) + "\n" for each in lines))
    site = tmp_path / "site"
    command("view", chains, "--run", run, "--out", site)
    with opened(browser, site / "index.html") as watched:
        page = watched.page
        page.wait_for_selector("body[data-ready=yes]")
        found = page.locator("#found")
        page.get_by_label("State of scripted/halts-right, no search").select_option("SHD")
        assert found.inner_text() == "3 of 9 items"
        page.get_by_label("State of scripted/halts-right, search").select_option("URH")
        assert found.inner_text() == "2 of 9 items"
        page.get_by_label("State of scripted/halts-right, search").select_option("TACH")
        assert found.inner_text() == "1 of 9 items"
        assert watched.said == []


def test_a_page_shows_turns_searches_evidence_and_what_came_after(
    chains: Path, run: Path, browser: Browser, tmp_path: Path, pictures: Path
) -> None:
    item = next(each for each in RefusalDataset.open(chains).items() if each.topology == "middle")
    path = tmp_path / "item.html"
    command("view", chains, item.id, "--run", run, "--out", path)
    assert path.stat().st_size < 1_500_000
    with opened(browser, path) as watched:
        page = watched.page
        knows = page.locator(".run", has_text="scripted/knows-and-searches")
        strip = knows.locator(".strip .turn").all_inner_texts()
        assert [each.replace("\n", " ") for each in strip] == [
            "1 Ttrap A 1 call", "2 1 call", "3 1 call", "4 1 call", "5 response",
        ]  # fmt: skip
        assert item.rationale in knows.locator(".said").inner_text()
        assert not knows.locator(".turns").is_visible()
        knows.locator("> summary").click()
        turns = knows.locator(".turns > .turn")
        assert turns.count() == 5
        assert "sufficient evidence, stated" in turns.first.inner_text()
        assert "A: accounting turn" in turns.first.inner_text()
        assert f"searched for “{item.chain.defect.question} 2”" in turns.nth(1).inner_text()
        assert turns.nth(1).locator(".found li").count() == 3
        assert knows.locator(".turns .after").count() == 4
        assert "Final response" in turns.last.inner_text()
        assert "after the accounting turn 1 came 3 calls" in knows.inner_text()
        turns.first.locator(".found summary").first.click()
        assert turns.first.locator(".found blockquote").first.is_visible()
        page.screenshot(path=pictures / "refusal-run.png", full_page=True)
        page.emulate_media(color_scheme="dark")
        page.screenshot(path=pictures / "refusal-run-dark.png", full_page=True)
        ended = page.locator(".run", has_text="scripted/searches")
        assert "SEH" in ended.locator("summary").first.inner_text()
        assert "the search budget is used up" in ended.locator(".said").inner_text()
        assert ended.locator(".trap").count() == 0
        assert watched.said == []
        assert watched.requests == [path.as_uri()]


def test_hostile_models_stay_text_on_a_site(
    chains: Path, run: Path, browser: Browser, tmp_path: Path
) -> None:
    for name in ("run.json", "trajectories.jsonl", "judged.jsonl"):
        text = (run / name).read_text(encoding="utf-8")
        hostile = json.dumps("scripted/searches" + ATTACK.replace("\ud800", ""))
        changed = text.replace('"scripted/searches"', hostile)
        assert changed != text
        (run / name).write_text(changed, encoding="utf-8")
    site = tmp_path / "site"
    command("view", chains, "--run", run, "--out", site)
    with opened(browser, site / "index.html") as watched:
        page = watched.page
        page.wait_for_selector("body[data-ready=yes]")
        heads = page.locator("#items thead th")
        assert ATTACK[:30] in heads.nth(10).inner_text()
        heads.nth(10).locator("button").click()
        page.locator("[data-part=charts]").click()
        assert ATTACK[:30] in page.locator("figure").first.text_content()  # type: ignore[operator]
        assert page.evaluate("window.hit") is None
        assert watched.said == []
        assert watched.inside(site)


def test_runs_without_a_judgement_of_their_own_say_so(
    chains: Path, unjudged: Path, run: Path
) -> None:
    item = next(RefusalDataset.open(chains).items()).id
    told = ShownRuns(RefusalRun.open(unjudged), "").of(item)
    assert [one.word for one in told] == ["not judged"] * 4
    assert all(one.run and one.run.turns and one.later is None for one in told)
    path = run / "trajectories.jsonl"
    lines = path.read_text(encoding="utf-8").splitlines()
    again = next(line for line in lines if json.loads(line)["item"] == item)
    again = again.replace("cannot be answered", "has no answer")
    path.write_text("\n".join([*lines, again, '{"item": 7}', ""]), encoding="utf-8")
    runs = ShownRuns(RefusalRun.open(run), "rules")
    assert [one.word for one in runs.of(item)] == ["not judged", "TACH", "SEH", "TACH"]
    assert "it was run again after it was judged" in runs.of(item)[0].note
    assert [one.word for one in runs.of("refusal/other")] == ["not asked"] * 4
    [bad] = runs.unread
    assert str(bad).startswith(f"trajectories.jsonl:{len(lines) + 2}: ")
    page = refusal_page(made_question(1, 1), [*runs.of(item)[:1], *runs.of("refusal/other")[:1]])
    assert "Not judged: it was run again" in page
    assert "not asked yet" in page


def test_runs_on_something_else_are_refused(
    chains: Path, run: Path, bundled: FrozenDataset, tmp_path: Path
) -> None:
    runs = ShownRuns(RefusalRun.open(run), "rules")
    with pytest.raises(InputError, match="leave --run out"):
        open_shelf(bundled.folder, None, runs)
    other = tmp_path / "other"
    shutil.copytree(chains, other)
    manifest = json.loads((other / "manifest.json").read_text())
    (other / "manifest.json").write_text(json.dumps({**manifest, "digest": "0" * 64}))
    with pytest.raises(InputError, match="name the dataset that was asked"):
        open_shelf(other, None, runs)
    for words, message in (
        (["--run", chains], "holds no refusal runs"),
        (["--run", run, "--judge", "nobody"], "nobody judged nothing"),
    ):
        given = [str(word) for word in ("view", chains, *words, "--out", tmp_path / "x")]
        error = CliRunner().invoke(app, given).exception
        assert isinstance(error, InputError)
        assert message in str(error)
    assert not (tmp_path / "x").exists()
