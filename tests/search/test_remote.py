"""A retrieval server over HTTP: its forms, and its faults."""

from __future__ import annotations

from typing import Any

import pytest

from realhop_kg.errors import InputError, ProviderError
from realhop_kg.search.check import check_search, coverage
from realhop_kg.search.remote import Remote
from tests.search.small import served

CONTENTS = {"id": "7", "contents": '"Korrum"\nKorrum is a town.'}


def test_queries_go_out_and_documents_come_back_in_either_form() -> None:
    def answer(body: dict[str, Any]) -> tuple[int, object]:
        scored = [{"document": CONTENTS, "score": 0.5}]
        return 200, {
            "result": [scored if at else [CONTENTS] for at, _ in enumerate(body["queries"])]
        }

    with served(answer) as (url, asked):
        bare, scored = Remote(url).search(["a", "b"], 3)
    assert asked == [{"path": "/retrieve", "queries": ["a", "b"], "topk": 3, "return_scores": True}]
    assert (bare[0].title, bare[0].text, bare[0].score) == ("Korrum", "Korrum is a town.", 0)
    assert (scored[0].id, scored[0].score) == ("7", 0.5)


def test_a_server_that_fails_first_is_asked_again() -> None:
    turns = iter([(503, "busy"), (0, None), (200, {"result": [[CONTENTS]]})])
    with served(lambda body: next(turns)) as (url, asked):
        [[found]] = Remote(f"{url}/retrieve").search(["a"], 3)
    assert found.id == "7"
    assert len(asked) == 3


@pytest.mark.parametrize(
    ("status", "value", "message"),
    [
        (200, b"<html>", "no JSON"),
        (200, {"result": []}, "a list for each of 1 queries"),
        (200, {"detail": "x"}, "no `result`"),
        (200, {"result": ["x"]}, "a result is no list"),
        (200, {"result": [[{"id": 1}]]}, "a document has no text"),
        (200, {"result": [[{"document": {"text": "t"}, "score": "high"}]]}, "no number"),
        (404, "gone", "refuses: HTTP 404"),
    ],
)
def test_an_answer_of_another_form_is_a_provider_error(
    status: int, value: object, message: str
) -> None:
    with (
        served(lambda body: (status, value)) as (url, asked),
        pytest.raises(ProviderError, match=message),
    ):
        Remote(url).search(["a"], 3)
    assert len(asked) == 1


def test_a_server_that_is_not_there_is_told_after_the_last_try() -> None:
    with served(lambda body: (200, {})) as (url, _):
        pass
    with pytest.raises(ProviderError, match="cannot be asked"):
        Remote(url, timeout=1, attempts=2).search(["a"], 1)


@pytest.mark.parametrize(
    "url", ["localhost:80", "ftp://x/retrieve", "file:///etc/passwd", "http://"]
)
def test_only_http_addresses_are_taken(url: str) -> None:
    with pytest.raises(InputError, match="no address"):
        Remote(url)


def test_a_password_in_the_address_is_refused_without_being_shown() -> None:
    with pytest.raises(InputError) as caught:
        Remote("http://me:hunter2@host/retrieve")
    assert "hunter2" not in str(caught.value)


def test_the_same_result_for_every_query_is_caught() -> None:
    def answer(body: dict[str, Any]) -> tuple[int, object]:
        return 200, {"result": [[CONTENTS] for _ in body["queries"]]}

    with served(answer) as (url, _):
        findings = {
            each.name: each.ok for each in check_search(Remote(url), [("a", ""), ("b", "")])
        }
        pages = coverage(Remote(url), ["Korrum", "Winsel"])
    assert findings == {"results": True, "different": False, "scores": True, "repeatable": True}
    assert (pages.pages, pages.found, pages.missing) == (2, 1, ("Winsel",))


def test_scores_that_rise_or_are_no_numbers_are_caught() -> None:
    def answer(body: dict[str, Any]) -> tuple[int, object]:
        row = [
            {"document": {"id": f"{query}{at}", "text": "t", "title": "x"}, "score": at}
            for query in body["queries"]
            for at in range(2)
        ]
        return 200, {"result": [row[:2] for _ in body["queries"]]}

    with served(answer) as (url, _):
        findings = {each.name: each for each in check_search(Remote(url), [("a", ""), ("b", "")])}
    assert not findings["scores"].ok
    assert not findings["repeatable"].ok


def test_a_self_test_needs_two_queries() -> None:
    with pytest.raises(InputError, match="two different queries"):
        check_search(Remote("http://127.0.0.1:9"), [("a", "")])
