from __future__ import annotations

import asyncio
import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from realhop_kg.errors import InputError
from realhop_kg.llm.batch import BatchAsker, WaitingError
from realhop_kg.llm.ledger import Filters, exported, prune
from realhop_kg.llm.records import ModelRequest, ReplyStatus
from realhop_kg.llm.replies import ReplyStore
from realhop_kg.llm.results import import_results
from tests.llm.asked import reply, request
from tests.llm.stub_server import Script, answer_batch, completion

PLANS = [request(f"plan {n}") for n in range(3)]
AUDIT = request("audit", stage="audit", parameters={"temperature": 0.5, "max_tokens": 9})


@pytest.fixture
def store(tmp_path: Path) -> Iterator[ReplyStore]:
    with ReplyStore(tmp_path / "r.sqlite", write=True) as opened:
        yield opened


def waiting(store: ReplyStore, folder: Path, requests: list[ModelRequest]) -> dict[str, int]:
    with BatchAsker(store, folder) as asker:
        for each in requests:
            try:
                asyncio.run(asker.ask(each))
            except WaitingError:
                continue
    return dict(asker.waiting)


def result(key: str, body: object, status: int = 200, error: object = None, number: int = 1) -> str:
    response = {"status_code": status, "request_id": "r", "body": body}
    row = {"id": f"b{number}", "custom_id": key, "response": response, "error": error}
    return json.dumps(row)


def answered(text: str, finish: str = "stop") -> dict[str, Any]:
    return completion({"model": "small", "messages": []}, text, finish)


def test_what_is_missing_goes_out_once_in_one_file_a_stage(
    store: ReplyStore, tmp_path: Path
) -> None:
    store.put(PLANS[0], reply(PLANS[0])).result()
    folder = tmp_path / "batch"
    assert waiting(store, folder, [*PLANS, *PLANS, AUDIT]) == {"plan": 2, "audit": 1}
    assert sorted(path.name for path in folder.iterdir()) == ["audit.jsonl", "plan.jsonl"]
    lines = [json.loads(line) for line in (folder / "plan.jsonl").read_text().splitlines()]
    assert [line["custom_id"] for line in lines] == [PLANS[1].key, PLANS[2].key]
    (line,) = (folder / "audit.jsonl").read_text().splitlines()
    assert json.loads(line) == {
        "custom_id": AUDIT.key,
        "method": "POST",
        "url": "/v1/chat/completions",
        "body": {
            "model": "small",
            "messages": [message.model_dump() for message in AUDIT.messages],
            "temperature": 0.5,
            "max_tokens": 9,
        },
    }


def test_results_come_back_in_any_order_and_nothing_waits_then(
    store: ReplyStore, tmp_path: Path
) -> None:
    folder = tmp_path / "batch"
    waiting(store, folder, PLANS)
    lines = [json.dumps(line) for line in answer_batch(folder / "plan.jsonl", Script(None))]
    random.Random(3).shuffle(lines)
    first, second = tmp_path / "a.jsonl", tmp_path / "b.jsonl"
    first.write_text("\n".join(lines[:2]))
    second.write_text("\n".join(lines[1:]))
    report = import_results(store, [second, first])
    assert (report.imported, report.duplicates, report.told) == (3, 1, ())
    assert waiting(store, folder, PLANS) == {}
    assert list(folder.iterdir()) == []
    kept = store.get(PLANS[0].key)
    assert kept is not None
    assert (kept.text, kept.source, kept.cost) == ("ok", "batch", None)


def test_whatever_is_wrong_with_a_line_is_told_and_the_rest_goes_in(
    store: ReplyStore, tmp_path: Path
) -> None:
    waiting(store, tmp_path / "batch", [*PLANS, AUDIT])
    path = tmp_path / "results.jsonl"
    path.write_text(
        "\n".join(
            [
                result(PLANS[0].key, answered("fine")),
                result(PLANS[1].key, answered("fi", "length")),
                result(PLANS[2].key, {"error": {"message": "too long"}}, status=400),
                result(AUDIT.key, {}, error={"code": "batch_expired", "message": "too late"}),
                result("f" * 64, answered("whose?")),
                '{"custom_id": "' + PLANS[0].key + '", "response": {"body": {"choices": 3}}}',
                '{"id": 4}',
                "not json",
            ]
        )
    )
    report = import_results(store, [path])
    assert report.model_dump(exclude={"told"}) == {
        "imported": 1,
        "duplicates": 0,
        "unusable": 3,
        "unknown": 1,
        "bad": 3,
    }
    told = "\n".join(report.told)
    for part in ("line 2: truncated", "too long", "batch_expired", "line 5: custom_id ffff"):
        assert part in told
    for line in (6, 7, 8):
        assert f"line {line}: " in told
    statuses = [store.replies(each.key)[0].status for each in (*PLANS, AUDIT)]
    assert statuses == ["good", "truncated", "failed", "failed"]


@pytest.mark.parametrize(
    ("body", "told"),
    [
        ({"choices": [{"message": None}]}, "empty: finish reason not given"),
        ({"choices": None}, "empty: finish reason not given"),
        (
            {"choices": [{"message": {"tool_calls": [{}]}, "finish_reason": "tool_calls"}]},
            "empty: finish reason tool_calls",
        ),
        ({"choices": [None]}, "response.body.choices.0: should be an object"),
        (
            {"choices": [{"message": {"content": [1]}}]},
            "response.body.choices.0.message.content: Input should be a valid string",
        ),
        (
            {"choices": [], "usage": {"prompt_tokens": "many"}},
            "response.body.usage.prompt_tokens: Input should be a valid integer",
        ),
        ("sorry", "failed: batch: no answer, status 200"),
    ],
)
def test_an_answer_of_another_form_is_told_in_words(
    store: ReplyStore, tmp_path: Path, body: object, told: str
) -> None:
    waiting(store, tmp_path / "batch", [AUDIT])
    path = tmp_path / "results.jsonl"
    path.write_text(result(AUDIT.key, body))
    (line,) = import_results(store, [path]).told
    assert "results.jsonl line 1: " in line
    assert line.endswith(told)


def test_an_unusable_result_goes_out_again_once_and_then_stands(
    store: ReplyStore, tmp_path: Path
) -> None:
    folder, path = tmp_path / "batch", tmp_path / "results.jsonl"
    path.write_text(result(AUDIT.key, answered("", "content_filter")))
    assert waiting(store, folder, [AUDIT]) == {"audit": 1}
    assert import_results(store, [path]).unusable == 1
    # The same file again is no second answer.
    report = import_results(store, [path, path])
    assert (report.unusable, report.duplicates) == (0, 2)
    assert waiting(store, folder, [AUDIT]) == {"audit": 1}
    path.write_text(result(AUDIT.key, answered("", "content_filter"), number=2))
    assert import_results(store, [path]).unusable == 1
    with BatchAsker(store, folder) as asker:
        assert asyncio.run(asker.ask(AUDIT)).status is ReplyStatus.FILTERED
    # Taken out it goes out again; what is under way is still known.
    assert waiting(store, folder, PLANS) == {"plan": 3}
    assert prune(store, Filters(unusable=True, item="own/1")) == 2
    assert all(store.has_request(each.key) for each in PLANS)
    assert waiting(store, folder, [AUDIT]) == {"audit": 1}


@pytest.mark.parametrize(
    ("status", "code", "kept", "refused"),
    [
        (400, "context_length_exceeded", ReplyStatus.FAILED, True),
        (400, "content_filter", ReplyStatus.FILTERED, False),
        (500, "server_error", ReplyStatus.FAILED, False),
    ],
)
def test_an_error_says_whether_asking_again_makes_sense(
    store: ReplyStore, tmp_path: Path, status: int, code: str, kept: ReplyStatus, refused: bool
) -> None:
    waiting(store, tmp_path / "batch", [AUDIT])
    path = tmp_path / "results.jsonl"
    path.write_text(result(AUDIT.key, {"error": {"code": code}}, status=status))
    assert import_results(store, [path]).unusable == 1
    (came,) = store.replies(AUDIT.key)
    assert (came.status, came.refused) == (kept, refused)


def test_an_export_goes_into_another_store_whole(store: ReplyStore, tmp_path: Path) -> None:
    store.put(PLANS[0], reply(PLANS[0], status=ReplyStatus.FAILED))
    store.put(PLANS[0], reply(PLANS[0])).result()
    path = tmp_path / "export.jsonl"
    lines = [each.model_dump_json() for each in exported(store, Filters())]
    broken = json.loads(lines[0])
    broken["request"]["model"] = "other"
    path.write_text("\n".join([*lines, json.dumps(broken), '{"request": {}}']))
    with ReplyStore(tmp_path / "other.sqlite", write=True) as other:
        report = import_results(other, [path])
        assert (report.imported, report.unusable, report.bad) == (1, 1, 2)
        assert other.replies(PLANS[0].key) == store.replies(PLANS[0].key)


def test_a_folder_that_cannot_be_written_is_refused(store: ReplyStore, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match="cannot be written"), BatchAsker(store, tmp_path / "file"):
        pass
