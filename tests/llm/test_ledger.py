from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from realhop_kg.errors import InputError
from realhop_kg.llm.ledger import Filters, exported, found, key_of, prune, totals
from realhop_kg.llm.records import ReplyStatus
from realhop_kg.llm.replies import ReplyStore
from tests.llm.asked import reply, request

PLAN = request("plan")
AUDIT = request("audit", stage="audit", template="construct/audit.v1", item="own/2")
LONG = request("audit", stage="audit", template="construct/audit.v2", item="own/2", trial=2)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[ReplyStore]:
    with ReplyStore(tmp_path / "r.sqlite", write=True) as opened:
        opened.put(PLAN, reply(PLAN)).result()
        opened.put(AUDIT, reply(AUDIT, status=ReplyStatus.TRUNCATED, cost=None)).result()
        opened.put(AUDIT, reply(AUDIT, latency=2.0)).result()
        opened.put(LONG, reply(LONG, status=ReplyStatus.FAILED, cost=None, text="")).result()
        yield opened


def keys(store: ReplyStore, filters: Filters) -> list[str]:
    return [each.key for each in found(store, filters)]


def test_replies_are_found_by_each_filter(store: ReplyStore) -> None:
    assert keys(store, Filters()) == [PLAN.key, AUDIT.key, AUDIT.key, LONG.key]
    assert keys(store, Filters(stage="plan")) == [PLAN.key]
    assert keys(store, Filters(item="own/2", status=ReplyStatus.GOOD)) == [AUDIT.key]
    assert keys(store, Filters(template="construct/audit.v2")) == [LONG.key]
    assert keys(store, Filters(template="construct/audit")) == [AUDIT.key, AUDIT.key, LONG.key]
    assert keys(store, Filters(template="construct/%")) == []
    assert keys(store, Filters(unusable=True)) == [AUDIT.key, LONG.key]
    assert keys(store, Filters(model="openai/other")) == []
    assert len(list(found(store, Filters(), limit=2))) == 2


def test_figures_add_up_by_stage_and_say_what_has_no_price(store: ReplyStore) -> None:
    by_template = {each.template: each for each in totals(store, Filters())}
    assert list(by_template) == ["construct/audit.v1", "construct/audit.v2", "construct/plan.v1"]
    audit = by_template["construct/audit.v1"]
    assert audit.replies == {"good": 1, "truncated": 1}
    assert (audit.prompt_tokens, audit.completion_tokens, audit.attempts) == (24, 6, 4)
    assert (audit.cost, audit.unpriced, audit.seconds) == (0.25, 1, 2.0)


def test_a_key_is_found_by_its_beginning_if_that_is_unique(store: ReplyStore) -> None:
    assert key_of(store, PLAN.key[:10]) == PLAN.key
    with pytest.raises(InputError, match="no key begins with 'zz'"):
        key_of(store, "zz")
    with pytest.raises(InputError, match="several keys begin with ''"):
        key_of(store, "")


def test_an_export_has_each_request_once_with_all_its_replies(store: ReplyStore) -> None:
    every = {each.key: each for each in exported(store, Filters())}
    assert list(every) == sorted([PLAN.key, AUDIT.key, LONG.key])
    assert every[AUDIT.key].request == AUDIT
    assert [each.status for each in every[AUDIT.key].replies] == ["truncated", "good"]


def test_pruning_removes_what_matches_and_what_nothing_needs_then(store: ReplyStore) -> None:
    with pytest.raises(InputError, match="say which replies"):
        prune(store, Filters())
    assert prune(store, Filters(unusable=True), dry_run=True) == 2
    assert len(keys(store, Filters())) == 4
    assert prune(store, Filters(unusable=True)) == 2
    assert keys(store, Filters()) == [PLAN.key, AUDIT.key]
    assert not store.has_request(LONG.key)
    assert prune(store, Filters(stage="audit")) == 1
    (texts,) = store.connection.execute("SELECT count(*) FROM texts").fetchone()
    assert texts == 2
    assert store.request(PLAN.key) == PLAN
