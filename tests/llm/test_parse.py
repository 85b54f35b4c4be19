from __future__ import annotations

import json
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel

from realhop_kg.llm.parse import FormError, parse_reply


class Host(BaseModel):
    fact: str
    passage: int


class Route(BaseModel):
    hosts: list[Host]
    note: str = ""


PLAIN = '{"hosts": [{"fact": "f1", "passage": 3}]}'
SMART = "{“hosts”: [{“fact”: “f1”, “passage”: 3}]}"

TOLERATED = {
    "plain": (PLAIN, False),
    "spaces": (f"\n\n {PLAIN} \n", False),
    "byte order mark": (f"\ufeff{PLAIN}", False),
    "numbers as text": (PLAIN.replace("3", '"3"'), False),
    "fields nobody asked for": (PLAIN.replace("}]}", ', "why": "near"}], "x": 1}'), False),
    "code fence": (f"```json\n{PLAIN}\n```", True),
    "bare fence": (f"```\n{PLAIN}\n```\nHope that helps!", True),
    "prose around": (f"Sure! Here it is: {PLAIN} Let me know.", True),
    "trailing comma": (PLAIN.replace("}]", "},]"), True),
    "single quotes": (PLAIN.replace('"', "'"), True),
    "smart quotes": (SMART, True),
    "comment": (PLAIN.replace("[{", "[ // the hosts\n{"), True),
    "list of one": (f"[{PLAIN}]", False),
    "list for the one list": ('[{"fact": "f1", "passage": 3}]', False),
    "unquoted keys": (PLAIN.replace('"hosts"', "hosts"), True),
}


@pytest.mark.parametrize(("text", "repaired"), TOLERATED.values(), ids=TOLERATED.keys())
def test_json_as_models_write_it_is_read(text: str, repaired: bool) -> None:
    parsed = parse_reply(text, Route)
    assert [(host.fact, host.passage) for host in parsed.value.hosts] == [("f1", 3)]
    assert parsed.repaired is repaired


REFUSED = {
    "nothing": ("", "no JSON object"),
    "prose": ("I cannot do that.", "no JSON object"),
    "other form": ('{"color": "blue"}', "hosts: Field required"),
    "wrong type": (PLAIN.replace("3", '"third"'), "hosts.0.passage: Input should be"),
    "breaks off in a text": (PLAIN[:20], "breaks off"),
    "breaks off in a list": ('{"hosts": [{"fact": "f1", "passage": 3},', "breaks off"),
    "breaks off in a fence": (f"```json\n{PLAIN[:-2]}", "breaks off"),
    "a number": ("42", "Input should be"),
    "a lone surrogate": (PLAIN.replace("f1", "\\ud800"), r"^hosts.0.fact holds .* U\+D800"),
    "a control character": (PLAIN.replace("f1", "a\\u0000"), r"hosts.0.fact holds .* U\+0000"),
    "an escape as it is": (PLAIN.replace("f1", "\x1b[2J"), r"hosts.0.fact holds .* U\+001B"),
    "an odd field name": ('{"\\u009b": 1, "hosts": []}', r"a field name holds .* U\+009B"),
}


@pytest.mark.parametrize(("text", "said"), REFUSED.values(), ids=REFUSED.keys())
def test_what_has_not_the_asked_form_is_refused_in_words(text: str, said: str) -> None:
    with pytest.raises(FormError, match=said):
        parse_reply(text, Route)


@given(st.text() | st.text(alphabet='{}[]",:\\ “”\n`1a'))
def test_no_text_breaks_the_reader(text: str) -> None:
    with suppress(FormError):
        assert isinstance(parse_reply(text, Route).value, Route)


def test_tabs_line_ends_and_whole_pairs_are_no_odd_characters() -> None:
    text = PLAIN.replace("f1", r"a\tb\r\n\ud83d\ude00")
    assert parse_reply(text, Route).value.hosts[0].fact == "a\tb\r\n\U0001f600"


CLEAN = st.text(st.characters(exclude_categories=("Cc", "Cs")))


@given(st.lists(st.builds(Host, fact=CLEAN, passage=st.integers())), CLEAN, st.data())
def test_a_reply_comes_back_as_it_was_and_no_part_of_it_passes_for_the_whole(
    hosts: list[Host], note: str, data: st.DataObject
) -> None:
    route = Route(hosts=hosts, note=note)
    text = json.dumps(route.model_dump())
    assert parse_reply(text, Route).value == route
    cut = data.draw(st.integers(min_value=1, max_value=len(text) - 1))
    with pytest.raises(FormError):
        parse_reply(text[:cut], Route)
