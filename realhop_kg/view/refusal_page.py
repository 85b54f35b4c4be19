"""The page of a question that has no answer: its chain drawn, and the sentence behind each step."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from realhop_kg.model.refusal import Hyperlink
from realhop_kg.model.refusal_item import RefusalItem, StepWording
from realhop_kg.view.html import frame, page, safe_json
from realhop_kg.view.pagedata import drawn_scene
from realhop_kg.view.palette import BREAK
from realhop_kg.view.refusal_scene import CAUSES, chain_scene, step_id, voiced
from realhop_kg.view.runs import FAULTS, ShownRun

__all__ = ["CHAIN_SCRIPTS", "QuestionPart", "Step", "question_parts", "refusal_page", "steps_of"]

CHAIN_SCRIPTS = ("cytoscape.min.js", "theme.js", "look.js", "canvas.js", "chain.js")
"""The scripts of such a page, in the order in which they run."""


@dataclass(frozen=True, slots=True)
class QuestionPart:
    """A stretch of the question, and the step that it voices."""

    text: str
    step: int
    """0 for the entity that the question names."""
    kind: str
    first: bool = False
    """Whether it is the first stretch of its step."""


@dataclass(frozen=True, slots=True)
class Step:
    """One step of the chain, as a page tells it."""

    number: int
    kind: str
    """`prefix`, `defect` or `suffix`."""
    start: str
    end: str
    """Empty where the broken step is the last one."""
    words: str
    """How the question voices it; empty for the broken step, which keeps the seed's words."""
    before: str = ""
    """The sentence of the link, up to the linked words."""
    anchor: str = ""
    after: str = ""
    place: str = ""
    """Where on its page the link stands."""

    @property
    def id(self) -> str:
        """What the page calls it."""
        return step_id(self.number)


def steps_of(item: RefusalItem) -> tuple[Step, ...]:
    """Return the steps of a question in reading order, the broken one among them."""
    chain = item.chain
    broken = len(chain.prefix) + 1
    links = [*chain.prefix, *chain.suffix]
    told = []
    for at, (link, said) in enumerate(zip(links, item.steps, strict=False), 1):
        is_suffix = at >= broken
        words = said.ask if is_suffix and at == len(links) else said.phrase
        told.append(_step(at + is_suffix, "suffix" if is_suffix else "prefix", link, words))
    end = chain.defect.bridge
    told.insert(broken - 1, Step(broken, "defect", chain.defect.anchor, end, ""))
    return tuple(told)


def _step(number: int, kind: str, link: Hyperlink, words: str) -> Step:
    before, anchor, after = _around(link.sentence, link.anchor)
    opening = "in the opening" if link.lead else "after the opening"
    place = f"{opening}, paragraph {link.paragraph}, characters {link.start} to {link.end}"
    return Step(number, kind, link.source, link.target, voiced(words), before, anchor, after, place)


def _around(sentence: str, anchor: str) -> tuple[str, str, str]:
    before, found, after = sentence.partition(anchor) if anchor else (sentence, "", "")
    return before, found, after


def question_parts(item: RefusalItem) -> tuple[QuestionPart, ...]:
    """Return a question cut by the steps that its stretches voice.

    One part without a kind where the wording is not that of its steps put into one another.
    """
    chain, voice = item.chain, item.chain.defect.voice
    broken = len(chain.prefix) + 1
    parts = [QuestionPart(item.starts_from, 0, "prefix")]
    for number, said in enumerate(item.steps[: len(chain.prefix)], 1):
        parts = _put(said.phrase, "{S}", parts, number, "prefix")
    later = item.steps[len(chain.prefix) :]
    seed = voice.nominal if later else voice.question
    parts = _put(seed, "{A}", parts, broken, "defect")
    parts = _followed(later, parts, broken)
    capital = parts[0].text[:1].upper() + parts[0].text[1:]
    parts[0] = replace(parts[0], text=capital)
    if "".join(part.text for part in parts) != item.question:
        return (QuestionPart(item.question, 0, ""),)
    return tuple(parts)


def _followed(
    later: Sequence[StepWording], parts: list[QuestionPart], broken: int
) -> list[QuestionPart]:
    for number, said in enumerate(later, 1):
        words = said.ask if number == len(later) else said.phrase
        parts = _put(words, "{S}", parts, broken + number, "suffix")
    return parts


def _put(
    words: str, slot: str, inner: list[QuestionPart], step: int, kind: str
) -> list[QuestionPart]:
    before, _, after = words.partition(slot)
    first = QuestionPart(before, step, kind, bool(before))
    last = QuestionPart(after, step, kind, not before)
    return [part for part in (first, *inner, last) if part.text]


def refusal_page(
    item: RefusalItem,
    runs: Sequence[ShownRun] = (),
    *,
    site: str = "",
    differs: Sequence[str] = (),
) -> str:
    """Return the HTML page of a question that has no answer.

    Args:
        item: the question.
        runs: what models did with it, if any was asked.
        site: path from the page to its site's folder (`..`); empty for a page that stands alone.
        differs: what of the dataset is not as it was frozen, for a warning.
    """
    scene = chain_scene(item)
    steps = steps_of(item)
    return page(
        "chain.html.jinja",
        {
            "item": item,
            "differs": differs,
            "cause": CAUSES[item.cause],
            "steps": steps,
            "parts": question_parts(item),
            "cross": BREAK,
            "runs": runs,
            "faults": FAULTS,
            "on_chain": _on_chain(item, steps),
            "data": safe_json({**drawn_scene(scene), "steps": _told(item, steps)}),
            **frame(CHAIN_SCRIPTS, site),
        },
    )


def _on_chain(item: RefusalItem, steps: Sequence[Step]) -> dict[str, Step]:
    """Return the step that leads to each page of a chain, by title."""
    start = Step(0, "prefix", "", item.chain.start, "")
    return {step.end: step for step in reversed((start, *steps)) if step.end}


def _told(item: RefusalItem, steps: Sequence[Step]) -> dict[str, list[str]]:
    """Return what the status line says of each step: its head, then the rest."""
    told = {
        step_id(0): ["Question", f"names {item.chain.start} and nothing else of the chain"],
    }
    for step in steps:
        if step.kind == "defect":
            told[step.id] = [f"Step {step.number} breaks", f"{item.chain.defect.question}"]
        else:
            sentence = f"{step.before}{step.anchor}{step.after}"
            told[step.id] = [f"Step {step.number}", f"{step.start} → {step.end}: {sentence}"]
    return told
