"""The reading sheet as one HTML page: no script, nothing from elsewhere, all text escaped."""

from __future__ import annotations

from collections.abc import Iterable

from realhop_kg.quality.markup import Asked, Html, join, judgement, tag
from realhop_kg.quality.reading import Reading, ReadPath, ReadStep, ShownPassage

__all__ = ["ADVICE", "QUESTIONS", "item_section"]

QUESTIONS = (
    Asked(
        "gold_supports",
        "Does the gold evidence match the question and support the labelled answer?",
    ),
    Asked(
        "competitors_fail",
        "Does every competitor relation fail to entail the required one, so that its sentences do "
        "not yield the answer?",
    ),
    Asked("natural", "Is each inserted sentence grammatical and natural?"),
)
ADVICE = (
    "Judge each item by what stands here, without looking at the answer of any model; none is "
    "shown. A near-miss is right if its sentences can be true while the sentence under “must not "
    "follow” is false. Names are invented: the original passages are about other entities."
)
"""How a reader judges."""


def item_section(number: int, total: int, item: Reading, passages: Iterable[ShownPassage]) -> str:
    """Return the section of one item.

    Args:
        number: its place in the sheet, from 1.
        total: items of the sheet.
        item: what a reader sees.
        passages: its context.
    """
    aliases = f" (also accepted: {', '.join(item.aliases)})" if item.aliases else ""
    section = tag(
        "section",
        tag(
            "h2",
            f"{number} of {total} ",
            tag("small", f"{item.id} · {item.topology}, {item.hops} hops"),
        ),
        tag("p", item.question, class_="question"),
        tag("p", "Labelled answer: ", tag("b", item.answer), aliases),
        tag("h3", "Gold evidence"),
        *(_gold_step(step) for step in item.gold.steps),
        tag("h3", "Competitors"),
        *(_competitor(path) for path in item.competitors),
        tag("h3", "Judgement"),
        judgement(number, QUESTIONS),
        _context(passages),
        id=f"item-{number}",
    )
    return f"{section}\n"


def _gold_step(step: ReadStep) -> Html:
    return tag(
        "div",
        tag(
            "p",
            f"Hop {step.hop}, asked as “{step.asked}”: ",
            tag("b", step.answer),
            class_="label",
        ),
        _sentences(step),
        class_="step gold",
    )


def _sentences(step: ReadStep) -> Html:
    return tag(
        "ul",
        *(
            tag(
                "li",
                sentence.text,
                " ",
                tag("span", f"in passage {sentence.passage}, {sentence.title}", class_="host"),
            )
            for sentence in step.sentences
        ),
    )


def _competitor(path: ReadPath) -> Html:
    shared = f"; shares {_hops(path.inherits)} with gold" if path.inherits else ""
    return tag(
        "div",
        tag(
            "p",
            tag("b", f"{path.kind.capitalize()} path {path.id}"),
            f", leaves gold at hop {path.breaks_at}{shared}, leads to ",
            tag("b", path.endpoint),
            class_="label",
        ),
        *(_competitor_step(step) for step in path.steps),
        class_="path",
    )


def _hops(hops: tuple[int, ...]) -> str:
    return f"hop{'s' if len(hops) > 1 else ''} {', '.join(map(str, hops))}"


def _competitor_step(step: ReadStep) -> Html:
    if step.role != "near-miss":
        told = tag("p", f"Hop {step.hop}, goes on from there: {step.answer}", class_="label")
        return tag("div", told, _sentences(step), class_="step continuation")
    required = step.must_not_follow or f"the relation {step.misses}"
    told = tag("p", f"Hop {step.hop}, near-miss: {step.answer}", class_="label")
    missed = tag("p", "Must not follow: ", tag("q", required), class_="missed")
    return tag("div", told, _sentences(step), missed, class_="step near-miss")


def _context(passages: Iterable[ShownPassage]) -> Html:
    shown = list(passages)
    count = sum(passage.insertions for passage in shown)
    return tag(
        "details",
        tag("summary", f"The {len(shown)} passages, with {count} insertions marked"),
        *(_passage(passage) for passage in shown),
    )


def _passage(passage: ShownPassage) -> Html:
    text = (
        tag("mark", piece.text, tag("sub", piece.label), class_=piece.role)
        if piece.role
        else piece.text
        for piece in passage.pieces
    )
    return join(tag("h4", f"{passage.number} · {passage.title}"), tag("p", *text, class_="passage"))
