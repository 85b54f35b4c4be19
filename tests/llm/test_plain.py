"""Plain prompts and responses, beside the files of the batch API."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest

from realhop_kg.llm.batch import BatchAsker, WaitingError
from realhop_kg.llm.records import ModelRequest, Reply, ReplyStatus
from realhop_kg.llm.replies import ReplyStore
from tests.llm.asked import request


def ask(folder: Path, *requests: ModelRequest, **forms: bool) -> tuple[list[Reply], BatchAsker]:
    """Return the replies that are there; the others are written as prompts."""
    found = []
    with (
        ReplyStore(folder / "r.sqlite", write=True) as store,
        BatchAsker(store, folder / "batch", plain=True, **forms) as asker,
    ):
        for each in requests:
            try:
                found.append(asyncio.run(asker.ask(each)))
            except WaitingError:
                continue
    return found, asker


def prompts(folder: Path) -> list[dict[str, object]]:
    text = (folder / "batch" / "prompts.jsonl").read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines()]


def respond(folder: Path, *lines: object) -> None:
    with (folder / "batch" / "responses.jsonl").open("a", encoding="utf-8") as file:
        for line in lines:
            file.write(f"{line if isinstance(line, str) else json.dumps(line)}\n")


def test_both_forms_hold_the_same_requests_once(tmp_path: Path):
    found, asker = ask(tmp_path, request("a"), request("b"), request("a"))
    assert found == []
    assert asker.waiting == {"plan": 2}
    lines = (tmp_path / "batch" / "plan.jsonl").read_text().splitlines()
    assert [each["id"] for each in prompts(tmp_path)] == [
        json.loads(line)["custom_id"] for line in lines
    ]
    assert prompts(tmp_path)[0].keys() == {"id", "model", "messages"}


def test_the_plain_form_alone_writes_no_batch_file(tmp_path: Path):
    ask(tmp_path, request("a"), openai=False)
    assert [path.name for path in (tmp_path / "batch").iterdir()] == ["prompts.jsonl"]


def test_responses_enter_the_store_and_the_later_line_wins(tmp_path: Path):
    ask(tmp_path, request("a"), request("b"))
    key = request("a").key
    respond(tmp_path, {"id": key, "response": "first"}, {"id": key, "response": "last"})
    [reply], asker = ask(tmp_path, request("a"), request("b"))
    assert (reply.text, reply.source, reply.status) == ("last", "plain", ReplyStatus.GOOD)
    assert asker.plain is not None
    assert (asker.plain.taken, asker.plain.unknown) == (1, 0)
    assert [each["id"] for each in prompts(tmp_path)] == [request("b").key]
    again, asker = ask(tmp_path, request("a"))
    assert again == [reply]
    assert asker.plain is not None
    assert asker.plain.taken == 0


def test_an_empty_response_is_not_asked_for_again(tmp_path: Path):
    ask(tmp_path, request("a"))
    respond(tmp_path, {"id": request("a").key, "response": " "})
    [reply], asker = ask(tmp_path, request("a"))
    assert reply.status is ReplyStatus.EMPTY
    assert prompts(tmp_path) == []
    assert not asker.waiting


def test_responses_that_cannot_be_used_are_named_and_the_rest_is_read(tmp_path: Path):
    ask(tmp_path, request("a"))
    good = {"id": request("a").key, "response": "x"}
    respond(tmp_path, good, "no json", {"id": "b", "response": None}, ["c"])
    respond(tmp_path, {"id": "of another store", "response": "x"})
    [reply], asker = ask(tmp_path, request("a"))
    assert reply.text == "x"
    assert asker.plain is not None
    assert [problem.partition(": ")[0] for problem in asker.plain.problems] == [
        "responses.jsonl:2",
        "responses.jsonl:3",
        "responses.jsonl:4",
    ]
    assert asker.plain.unknown == 1


def test_thousands_of_bad_lines_are_counted(tmp_path: Path):
    ask(tmp_path, request("a"))
    respond(tmp_path, *["no json"] * 50)
    _, asker = ask(tmp_path, request("a"))
    assert asker.plain is not None
    assert asker.plain.problems[-1] == "responses.jsonl: 30 more lines like these"


@pytest.mark.parametrize("name", ["results.jsonl", "responses.jsonl", "notes.jsonl"])
def test_files_of_the_user_are_left_alone(tmp_path: Path, name: str):
    ask(tmp_path, request("a"))
    kept = tmp_path / "batch" / name
    kept.write_text('{"custom_id": "x", "response": {"body": {}}}\n')
    ask(tmp_path, request("b"))
    assert kept.exists()
    ask(tmp_path, request("a", stage="route"))
    assert not (tmp_path / "batch" / "plan.jsonl").exists()
