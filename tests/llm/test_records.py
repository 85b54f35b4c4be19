from __future__ import annotations

import subprocess
import sys
from typing import Any

import pytest

from realhop_kg.llm.records import Message
from tests.llm.asked import request

CHANGES: list[dict[str, Any]] = [
    {"model": "openai/large"},
    {"messages": (Message(role="user", content="Where is Calder?"),)},
    {"messages": (Message(role="system", content="Be brief."), Message(role="user", content="?"))},
    {"parameters": {"temperature": 0.5}},
    {"parameters": {"temperature": 0.0, "max_tokens": 5}},
    {"template": "construct/plan.v2"},
    {"template_hash": "bb"},
    {"trial": 2},
]


@pytest.mark.parametrize("change", CHANGES, ids=lambda change: next(iter(change)))
def test_whatever_may_change_the_reply_changes_the_key(change: dict[str, Any]) -> None:
    assert request(**change).key != request().key


def test_labels_and_the_order_of_parameters_do_not_change_the_key() -> None:
    parameters = {"max_tokens": 5, "temperature": 0.0}
    turned = dict(reversed(parameters.items()))
    assert request(parameters=parameters).key == request(parameters=turned).key
    assert request(stage="audit", item="own/2").key == request().key


def test_the_key_is_the_same_in_every_process() -> None:
    code = "from tests.llm.asked import request; print(request().key)"
    for seed in ("1", "2"):
        done = subprocess.run(
            [sys.executable, "-c", code],
            capture_output=True,
            text=True,
            check=True,
            env={"PYTHONHASHSEED": seed, "PYTHONPATH": ":".join(sys.path)},
        )
        assert done.stdout.strip() == request().key


def test_a_lone_surrogate_is_sent_as_a_replacement_and_kept_as_it_was() -> None:
    said = Message(role="assistant", content="\ufeffhalf \ud83d, whole \U0001f600")
    assert said.sent()["content"] == "\ufeffhalf \ufffd, whole \U0001f600"
    assert said.content == "\ufeffhalf \ud83d, whole \U0001f600"
