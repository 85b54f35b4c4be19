"""A stand-in for a careful model: hand-written replies, found by what the prompt is about.

It reads nothing but the messages, beside what sort of thing each page of the bundled world is.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import yaml

from realhop_kg.graph.hyperlinks.page import lead_end
from realhop_kg.refusal.clauses import kind_of_page
from realhop_kg.resources import resource_folder

HERE = Path(__file__).parent


class Scribe:
    """Replies to the prompts of `realhop refusal build`."""

    def __init__(self) -> None:
        written = yaml.safe_load((HERE / "hand_written.yaml").read_text(encoding="utf-8"))
        self.seeds: dict[str, dict[str, str]] = written["seeds"]
        self.links: list[tuple[str, str]] = written["links"]
        self.other: str = written["other_links"]
        self.nouns = {}
        with (resource_folder("data") / "kilt_world.jsonl").open(encoding="utf-8") as lines:
            for line in lines:
                page = json.loads(line)
                kind = kind_of_page(page["text"], page["wikipedia_title"], lead_end(page["text"]))
                self.nouns[page["wikipedia_title"]] = kind.noun if kind else "thing"

    def reply(self, body: dict[str, Any]) -> str | None:
        """Return the reply to a request of the chat API, or None if nobody wrote one."""
        system, user = (message["content"] for message in body["messages"][:2])
        for opening, write in (
            ("You prepare a question", self.annotate),
            ("You choose where a chain", self.rank),
            ("You turn a chain", self.fuse),
            ("You review a question", self.review),
            ("You read the final wording", self.audit),
        ):
            if system.startswith(opening):
                said = write(user)
                return None if said is None else json.dumps(said)
        return None

    def annotate(self, prompt: str) -> dict[str, Any] | None:
        seed = self.seeds.get(fenced("question", prompt)[0])
        if seed is None:
            return {"anchor": "", "mention": "", "bridge": "", "rationale": ""}
        return {
            "anchor": seed["anchor"],
            "mention": seed.get("mention", seed["anchor"]),
            "bridge": seed["bridge"],
            "rationale": seed["rationale"],
        }

    def rank(self, prompt: str) -> dict[str, Any] | None:
        titles = fenced("candidate", prompt)
        wanted = int(re.findall(r"numbers of the (\d+) best", prompt)[0])
        known = sorted(range(len(titles)), key=lambda at: self.nouns[titles[at]] == "thing")
        return {"best": [at + 1 for at in known[:wanted]]}

    def fuse(self, prompt: str) -> dict[str, Any] | None:
        [start], [seed] = fenced("starting entity", prompt), fenced("seed", prompt)
        links = list(zip(
            fenced("page", prompt), fenced("leads to", prompt), fenced("sentence", prompt),
            strict=True,
        ))  # fmt: skip
        broken = int(re.findall(r"Step (\d+), which has no answer", prompt)[0])
        said = start
        for link in links[: broken - 1]:
            said = self.phrase(*link).replace("{S}", said)
        if len(links) < broken:
            mention = fenced("anchor", prompt)[0]
            return {"question": seed.replace(mention, said)}
        said = self.seeds[seed]["said"].replace("{A}", said)
        for link in links[broken - 1 :]:
            said = self.phrase(*link).replace("{S}", said)
        return {"question": f"What is {said}?"}

    def review(self, prompt: str) -> dict[str, Any] | None:
        return {"leakage": [], "hops": [], "coherence": [], "cause": []}

    def audit(self, prompt: str) -> dict[str, Any] | None:
        [question] = fenced("question", prompt)
        steps, broken = fenced("step", prompt), int(re.findall(r"; step (\d+) has no", prompt)[0])
        found = []
        asked = question
        for place in range(len(steps), 0, -1):  # from the outside in
            step = steps[place - 1]
            if place == broken:
                seed = self.seeds[step]
                mention = seed.get("mention", seed["anchor"])
                heads = [seed["said"].split("{A}")[0], step.split(mention)[0]]
            else:
                link = re.match(r"(.+?) -> (.+?): (.+)", step, re.DOTALL)
                assert link is not None
                heads = [self.phrase(*link.groups()).split("{S}")[0]]
            at = next((asked.find(head.strip()) for head in heads if head.strip() in asked), -1)
            if at >= 0:
                asked = asked[at:]
                found.append({"step": place, "words": asked.rstrip("?")})
                asked = asked[3:]
        rationale = fenced("rationale", prompt)[0]
        return {"steps": found[::-1], "rationale_holds": True, "rationale": rationale}

    def phrase(self, source: str, target: str, sentence: str) -> str:
        marked = sentence.replace(target, "<T>")
        phrase = next((said for form, said in self.links if re.search(form, marked)), self.other)
        return phrase.replace("{noun}", self.nouns[target])


def fenced(name: str, prompt: str) -> list[str]:
    pattern = rf"<{name} (\w{{6}})>\n(.*?)\n</{name} \1>"
    return [text for _, text in re.findall(pattern, prompt, re.DOTALL)]


class Leaky(Scribe):
    """Names a hidden page at first, and mends it when told."""

    def reply(self, body: dict[str, Any]) -> str | None:
        said = super().reply(body)
        if said and "question" in json.loads(said) and len(body["messages"]) == 2:
            hidden = fenced("hidden", body["messages"][1]["content"])[0]
            question = json.loads(said)["question"].replace("?", f", {hidden}?")
            return json.dumps({"question": question})
        return said


class Correcting(Scribe):
    """Says that the premise is false, however often it is told not to."""

    def fuse(self, prompt: str) -> dict[str, Any] | None:
        said = super().fuse(prompt)
        assert said is not None
        return {"question": said["question"].replace("?", ", which actually never happened?")}


class Skipping(Scribe):
    """Finds one link less than there are, wherever that leaves one."""

    def audit(self, prompt: str) -> dict[str, Any] | None:
        said = super().audit(prompt)
        assert said is not None
        broken = int(re.findall(r"; step (\d+) has no", prompt)[0])
        links = [each for each in said["steps"] if each["step"] != broken]
        left_out = links[1:2] if len(links) > 1 else []
        kept = [each for each in said["steps"] if each not in left_out]
        return {**said, "steps": kept, "rationale_holds": False, "rationale": "Nobody knows it."}


class Misquoting(Scribe):
    """Quotes words that do not stand in the question, until it is told."""

    def reply(self, body: dict[str, Any]) -> str | None:
        said = super().reply(body)
        if said and "steps" in json.loads(said) and len(body["messages"]) == 2:
            found = json.loads(said)
            found["steps"][0]["words"] = "words that are not there"
            return json.dumps(found)
        return said


class Objecting(Scribe):
    """Finds the first chain that it reviews incoherent, and no other."""

    def __init__(self) -> None:
        super().__init__()
        self.objected: set[str] = set()

    def review(self, prompt: str) -> dict[str, Any] | None:
        said = super().review(prompt)
        assert said is not None
        seed = fenced("seed", prompt)[0]
        if seed not in self.objected:
            self.objected.add(seed)
            said["coherence"] = ["step 1 leads to several things"]
        return said
