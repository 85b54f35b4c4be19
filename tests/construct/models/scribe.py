"""A stand-in for a careful model: hand-written replies, found by what the prompt is about.

It reads nothing but the messages. The planner's and competitors' replies come from a file written
by hand; hosts and sentences follow the prompt's own lists, as the facts have ids of their own.
"""

from __future__ import annotations

import hashlib
import json
import re
from pathlib import Path
from typing import Any

import yaml

HERE = Path(__file__).parent

_FENCED = r"<{0} (\w{{6}})>\n(.*?)\n</{0} \1>"


class Scribe:
    """Replies to construction prompts about the questions of one file."""

    def __init__(self, path: Path = HERE / "hand_written.yaml") -> None:
        self.items: list[dict[str, Any]] = yaml.safe_load(path.read_text(encoding="utf-8"))
        self.names = {
            name: item
            for item in self.items
            for name in (_bare(entity["name"])[0] for entity in item["entities"][:1])
        }

    def reply(self, body: dict[str, Any]) -> str | None:
        """Return the reply to a request of the chat API, or None if nobody wrote one."""
        system, user = (message["content"] for message in body["messages"][:2])
        for opening, write in (
            ("You plan the rewriting", self._plan),
            ("You add wrong turnings", self._compete),
            ("You choose, for each invented fact", _route),
            ("You write sentences", self._realize),
            ("You review a multi-hop question", _audit),
        ):
            if system.startswith(opening):
                said = write(user)
                return None if said is None else json.dumps(said)
        return None

    def _plan(self, prompt: str) -> dict[str, Any] | None:
        question = _all("question", prompt)[0]
        item = next((item for item in self.items if item["marker"] in question), None)
        if item is None:
            return None
        hops = []
        for hop in item["hops"]:
            slots = [{"slot": slot, "ref": ref} for slot, ref in hop["slots"].items()]
            hops.append({**hop, "slots": slots})
        return {
            "entities": [{**entity, **_name(entity["name"])} for entity in item["entities"]],
            "kept": item.get("kept", []),
            "hops": hops,
        }

    def _compete(self, prompt: str) -> dict[str, Any] | None:
        question = _all("question", prompt)[0]
        item = next((item for name, item in self.names.items() if name in question), None)
        if item is None:
            return None
        depends = {
            hop["hop"]: [int(ref[1:]) for ref in hop["slots"].values() if ref[0] == "h"]
            for hop in item["hops"]
        }
        hops = []
        for hop, candidates in item["compete"].items():
            anew = [hop]
            for later in sorted(depends):
                if set(depends[later]) & set(anew):
                    anew.append(later)
            filled = [
                {
                    **candidate,
                    "values": [
                        {"hop": later, **_name(name)}
                        for later, name in zip(anew, candidate["values"], strict=True)
                    ],
                }
                for candidate in candidates
            ]
            hops.append({"hop": hop, "strict": filled[:2], "flexible": filled[2:]})
        return {"hops": hops}

    def _realize(self, prompt: str) -> dict[str, Any]:
        rewordings = [pair for item in self.items for pair in item.get("rewordings", ())]
        places = int(re.findall(r"⟦1⟧ to ⟦(\d+)⟧", prompt)[0])
        sentences = []
        for node, text in _facts(prompt):
            for pattern, replacement in rewordings:
                text = re.sub(pattern, replacement, text)
            drawn = int(hashlib.sha256(node.encode()).hexdigest(), 16)
            sentences.append({"id": node, "text": text, "place": drawn % places + 1})
        return {"sentences": sentences}


def _audit(prompt: str) -> dict[str, Any]:
    return {
        "question_problems": [],
        "ambiguous": [],
        "other_answers": [],
        "salience": 2,
        "hardening": 4,
    }


def _route(prompt: str) -> dict[str, Any]:
    passages = [int(n) for n in re.findall(r"^<passage (\d+) \w{6}>$", prompt, re.MULTILINE)]
    hosts, at = [], 0
    for part in prompt.split("\nPath ")[1:]:
        wanted = re.match(r"\S+ \(put the first fact into passage (\d+)\)", part)
        used: set[int] = set()
        for node, forbidden in re.findall(r"^- (\S+)(?: \(forbidden: ([\d, ]+)\))?$", part, re.M):
            banned = used | {int(n) for n in re.findall(r"\d+", forbidden)}
            if wanted and not used:
                host = int(wanted[1])
            else:
                while passages[at % len(passages)] in banned:
                    at += 1
                host = passages[at % len(passages)]
                at += 1
            used.add(host)
            hosts.append({"fact": node, "passage": host})
    return {"hosts": hosts}


def _facts(prompt: str) -> list[tuple[str, str]]:
    found = re.findall(
        rf"^- (\S+)\n{_FENCED.format('fact').replace(chr(92) + '1', chr(92) + '2')}",
        prompt,
        re.M | re.S,
    )
    return [(node, text) for node, _, text in found]


def _all(name: str, prompt: str) -> list[str]:
    return [text for _, text in re.findall(_FENCED.format(name), prompt, re.DOTALL)]


def _bare(name: str) -> tuple[str, str]:
    return (name[4:], "the") if name.startswith("the ") else (name, "")


def _name(name: str) -> dict[str, str]:
    surface, article = _bare(name)
    return {"name": surface, "article": article}
