"""Sentences that break a contract are worded again in their host; passages stay as they were."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from realhop_kg.graph.reasoning import ReasoningGraph
from realhop_kg.graph.schema import InsertionNode
from realhop_kg.llm.asking import REPAIRS
from tests.construct.models.drafts import (
    Change,
    Model,
    constructed,
    excluded,
    host_requests,
    item,
    packed,
    without,
)


def reworded(text: str) -> Change:
    def change(reply: dict[str, Any]) -> None:
        reply["sentences"][0]["text"] = text

    return change


SENTENCES = [
    ("T2", without("sentences", 0), "is not written"),
    ("T4", reworded("Mirela Castane is married."), "does not name"),
    ("T4", reworded("Mirela Castane {x} Dorian Hask."), "holds braces"),
    (
        "T4",
        reworded("Mirela Castane is married to Dorian Hask of the Ardmere Falcons."),
        "names 'Ardmere Falcons', which is not of its fact",
    ),
    ("T3", reworded("Mirela Castane is married to Dorian Hask"), "no whole sentence"),
    ("T5", reworded("Mirela Castane is married to Dorian Hask, and he is glad."), "refers by 'he'"),
    ("T3", lambda reply: reply["sentences"][0].update(place=99), "has place 99"),
    ("T3", lambda reply: reply["sentences"][0].update(place=None), "has place None"),
]


@pytest.mark.parametrize(("code", "change", "said"), SENTENCES, ids=[s[2] for s in SENTENCES])
def test_a_sentence_that_breaks_a_contract_is_worded_again_in_its_host_alone(
    code: str, change: Change, said: str
) -> None:
    plain = Model()
    constructed(plain)
    model = Model(realize=[change])
    packed(constructed(model)[0])
    asked = model.asked("realize")
    assert len(asked) == len(plain.asked("realize")) + 1
    assert said in asked[-1].messages[-1].content
    assert asked[-1].messages[:2] == asked[0].messages


def test_a_sentence_of_gold_that_stays_wrong_excludes_the_item() -> None:
    wrong = reworded("Mirela Castane is married.")
    hosts = len(host_requests())
    changes: list[Any] = [wrong, *[None] * (hosts - 1), *[wrong] * REPAIRS]
    out = excluded(constructed(Model(realize=changes))[0])
    assert (out.code, out.stage) == ("T4", "realize")


# --- whole passages, from a user's own template


WHOLE = """---
id: construct/realize
version: 1
inputs: [text, facts]
output: RealizeReply
---
[system]
You write sentences into a passage and give the whole passage back.
[user]
{{ text | fenced("passage") }}
{% for fact in facts %}
- {{ fact.id }}
{{ fact.text | fenced("fact") }}
{% endfor %}
Marks: ⟦1⟧ to ⟦2⟧ in the text.
"""


class Weaver(Model):
    """Gives whole passages back, altered by `spoil`."""

    def __init__(self, spoil: Callable[[str], str]) -> None:
        super().__init__()
        self._spoil = spoil

    async def ask(self, request: Any) -> Any:
        reply = await super().ask(request)
        if request.stage != "realize":
            return reply
        prompt = request.messages[1].content
        facts = self._scribe._realize(prompt)["sentences"]
        body = prompt.split(">\n", 1)[1].split("\n</passage")[0]
        text = self._spoil(body.replace(" ⟦2⟧", "").replace(" ⟦1⟧", "§"))
        woven = text.replace("§", "".join(f" {fact['text']}" for fact in facts))
        said = {"passage": woven, "sentences": [{**fact, "place": None} for fact in facts]}
        return reply.model_copy(update={"text": json.dumps(said)})


@pytest.mark.parametrize(
    "spoil",
    [
        lambda text: text,
        lambda text: text.replace("froze", "was frozen"),
        lambda text: "In short: " + text.upper().replace("§", "§ "),
        lambda text: "§",
    ],
    ids=["untouched", "a word changed", "all capitals", "only the additions"],
)
def test_a_passage_that_comes_back_altered_is_rebuilt_from_its_source(
    tmp_path: Path, spoil: Callable[[str], str]
) -> None:
    (tmp_path / "realize.v1.jinja").write_text(WHOLE, encoding="utf-8")
    # The scribe knows no such prompt, so its own words are taken.
    outcome = packed(constructed(Weaver(spoil), prompt_dir=tmp_path)[0])
    source = item()
    insertions = outcome.item.insertions
    for passage, original in zip(outcome.item.passages, source.passages, strict=True):
        text = passage.text
        for added in sorted(insertions, key=lambda each: (each.offset, each.order), reverse=True):
            if added.passage == passage.index:
                assert added.text in text
                text = text.replace(added.text, "", 1)
        assert text == original.text
    graph = ReasoningGraph.from_node_link(outcome.graph)
    assert len(graph.nodes(InsertionNode)) == len(insertions) == 18
