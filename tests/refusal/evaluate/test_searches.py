"""Searches of a run: kept, repeated from memory, and what a lost retriever leaves."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from realhop_kg.errors import ProviderError
from realhop_kg.model.trajectory import AskedQuestion, Document, Ending, Mode
from realhop_kg.refusal.evaluate.folder import SEARCHES, RefusalRun
from realhop_kg.refusal.evaluate.run import Outcome, run_agent
from realhop_kg.refusal.evaluate.scripted import scripted
from realhop_kg.refusal.evaluate.searches import Searches
from realhop_kg.refusal.evaluate.settings import Arm, RunSettings, SearchSettings
from realhop_kg.search.remote import Remote
from realhop_kg.search.retriever import Retriever
from tests.search.small import served


def found(body: dict[str, Any]) -> tuple[int, object]:
    rows = [[{"id": query, "contents": f'"T"\nabout {query}'}] for query in body["queries"]]
    return 200, {"result": rows}


def search(path: Path, retriever: Retriever, queries: Sequence[str]) -> list[tuple[Document, ...]]:
    async def work() -> list[tuple[Document, ...]]:
        with Searches(path, retriever, "", 3) as searches:
            return await searches.search(queries)

    return asyncio.run(work())


def test_what_was_found_is_not_searched_for_again(tmp_path: Path) -> None:
    path = tmp_path / "searches.jsonl"
    with served(found) as (url, asked):
        remote = Remote(url)
        first = search(path, remote, ["a", "b", "a"])
        again = search(path, remote, ["b", "a", "c"])
    assert [each["queries"] for each in asked] == [["a", "b"], ["c"]]
    assert first == [again[1], again[0], again[1]]
    assert first[0][0].text == "about a"


def test_another_retriever_or_a_broken_line_is_searched_for_anew(tmp_path: Path) -> None:
    path = tmp_path / "searches.jsonl"
    with served(found) as (url, asked):
        search(path, Remote(url), ["a"])
        lines = path.read_text(encoding="utf-8")
        path.write_text(lines[:40] + "\n" + '{"half', encoding="utf-8")
        search(path, Remote(url), ["a"])
        with served(found) as (other, elsewhere):
            search(path, Remote(other), ["a"])
    assert (len(asked), len(elsewhere)) == (2, 1)


def go(out: Path, questions: list[AskedQuestion], url: str) -> Outcome:
    remote = Remote(url, timeout=5, attempts=1)
    arm = Arm(model="scripted/halts-right", mode=Mode.SEARCH, search=SearchSettings())
    run = RefusalRun.start(out, RunSettings(dataset="s", dataset_digest="d"), arm, questions)

    async def work() -> Outcome:
        with Searches(out / SEARCHES, remote, "", 3) as searches:
            agent = scripted(arm.model, search=True)
            return await run_agent(run, questions, agent, searches.search, 8, 1)

    return asyncio.run(work())


def test_a_retriever_that_is_lost_stops_the_run_and_loses_nothing(
    questions: list[AskedQuestion], tmp_path: Path
) -> None:
    turns = iter(range(100))

    def fails(body: dict[str, Any]) -> tuple[int, object]:
        return (0, None) if next(turns) == 4 else found(body)

    with served(fails) as (url, asked):
        with pytest.raises(ProviderError, match=r"the retriever at .* cannot be asked"):
            go(tmp_path / "run", questions, url)
        outcome = go(tmp_path / "run", questions, url)
    assert 4 <= outcome.kept < len(questions)
    assert outcome.kept + outcome.asked == len(questions)
    assert outcome.endings == {Ending.ANSWERED: len(questions)}
    queries = [query for each in asked for query in each["queries"]]
    assert len(queries) == len({question.premise for question in questions}) + 1
