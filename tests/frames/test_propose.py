"""A model proposes chains over HTTP: checked, sent back with the rule, left out by name."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.frames.worlds import QUESTIONS, write_world
from tests.llm.stub import Stub, stub
from tests.processes import realhop as ran


@pytest.fixture(scope="module")
def articles(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("propose")
    table, pages, _ = write_world(folder)
    out = folder / "articles.jsonl"
    assert ran("frames", "assemble", table, "--pages", pages, "--out", out).returncode == 0
    return out


@pytest.fixture(scope="module")
def scribe() -> Iterator[Stub]:
    with stub("--writer", "tests.frames.scribe:Scribe") as server:
        yield server


def words_of(articles: Path, folder: Path, *more: str | Path) -> tuple[str | Path, ...]:
    model = ("--model", "openai/scribe", "--replies", folder / "r.sqlite", "--param", "json=off")
    return ("frames", "propose", articles, "--out", folder / "chains.jsonl", *model, *more)


def test_chains_are_proposed_checked_mended_and_become_items(
    articles: Path, scribe: Stub, tmp_path: Path
) -> None:
    words = words_of(articles, tmp_path, "--api-base", scribe.url)
    result = ran(*words, "--json")
    assert result.returncode == 1
    assert json.loads(result.stdout)["proposed"] == len(QUESTIONS) - 1
    assert result.stderr == "3: B2 a chain has two steps or more, not 0; left out\n"
    assert scribe.stats()["unscripted"] == []
    chains = [json.loads(line) for line in (tmp_path / "chains.jsonl").read_text().splitlines()]
    assert [chain["id"] for chain in chains] == ["0", "1", "2", "4", "5"]
    assert [
        [(hop["question"], hop["answer"], hop["quote"]) for hop in chain["hops"]]
        for chain in chains
    ] == [[hop[:3] for hop in hops] for at, (_, _, hops) in enumerate(QUESTIONS) if at != 3]
    items = tmp_path / "items.jsonl"
    joined = ran("frames", "chains", articles, tmp_path / "chains.jsonl", "--out", items, "--json")
    assert (joined.returncode, json.loads(joined.stdout)["kept"]) == (0, 5)
    calls = scribe.calls
    told = ran(*words, "--force")
    assert "1 asked again for form, 4 for content, 1 items refused" in told.stdout
    assert scribe.calls == calls


def test_proposals_go_out_as_a_batch_and_a_replay_needs_no_server(
    articles: Path, scribe: Stub, tmp_path: Path
) -> None:
    out = ran(*words_of(articles, tmp_path, "--batch", tmp_path / "batch", "--limit", "2"))
    assert out.returncode == 3
    assert "2 items wait for replies (2 for chain)" in out.stderr
    requests = (tmp_path / "batch" / "chain.jsonl").read_text().splitlines()
    assert len(requests) == 2
    assert not (tmp_path / "chains.jsonl").exists()
    live = words_of(articles, tmp_path, "--limit", "2")
    assert ran(*live, "--api-base", scribe.url).returncode == 0
    written = (tmp_path / "chains.jsonl").read_bytes()
    assert ran(*live, "--offline", "--force").returncode == 0
    assert (tmp_path / "chains.jsonl").read_bytes() == written
    assert ran(*live).returncode == 2
