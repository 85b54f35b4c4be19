"""The reading sheet as one HTML page: no script, nothing from elsewhere, all text escaped."""

from __future__ import annotations

import html
import re
from collections.abc import Iterable

from realhop_kg.quality.reading import Reading, ReadPath, ReadStep, ShownPassage
from realhop_kg.resources import resource_folder

__all__ = ["closing", "item_section", "opening"]

_POLICY = "default-src 'none'; style-src 'unsafe-inline'"
"""Even markup that slipped in could load nothing and run nothing."""

_UNPRINTABLE = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ufffe\uffff]"
)
"""What HTML forbids, and what turns the direction of the text that follows."""

_QUESTIONS = (
    (
        "gold_supports",
        "Does the gold evidence match the question and support the labelled answer?",
    ),
    (
        "competitors_fail",
        "Does every competitor relation fail to entail the required one, so that its sentences do "
        "not yield the answer?",
    ),
    ("natural", "Is each inserted sentence grammatical and natural?"),
)
_CHOICES = ("yes", "no", "unsure")


class _Html(str):
    """Text that is markup already."""

    __slots__ = ()


def _tag(name: str, *parts: str, **attributes: str) -> _Html:
    """Return an element; whatever is no markup of ours is escaped."""
    opened = "".join(f' {key.rstrip("_")}="{_safe(value)}"' for key, value in attributes.items())
    return _Html(f"<{name}{opened}>{_join(*parts)}</{name}>")


def _join(*parts: str) -> _Html:
    return _Html("".join(part if isinstance(part, _Html) else _safe(part) for part in parts))


def _safe(text: str) -> str:
    return html.escape(_UNPRINTABLE.sub("\ufffd", text))


def opening(name: str, digest: str, seed: int, sample: str) -> str:
    """Return the page up to its first item.

    Args:
        name: of the dataset.
        digest: of the dataset.
        seed: of the sample.
        sample: what it holds, in words.
    """
    title = f"Reading sheet of {name}"
    style = (resource_folder("quality") / "sheet.css").read_text(encoding="utf-8")
    head = _join(
        _Html('<meta charset="utf-8">'),
        _Html(f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">'),
        _Html('<meta name="viewport" content="width=device-width, initial-scale=1">'),
        _tag("title", title),
        _tag("style", _Html(style)),
    )
    facts = _join(
        _tag("p", f"Sample: {sample}. Dataset digest ", _tag("code", digest), f", seed {seed}."),
        _tag("ol", *(_tag("li", question) for _, question in _QUESTIONS)),
        _tag(
            "p",
            "Judge each item by what stands here, without looking at the answer of any model; none "
            "is shown. A near-miss is right if its sentences can be true while the sentence under "
            "“must not follow” is false. Names are invented: the original passages are about other "
            "entities. Mark the boxes here to print the sheet, and write ",
            _tag("code", "yes"),
            ", ",
            _tag("code", "no"),
            " or ",
            _tag("code", "unsure"),
            " into the labels of ",
            _tag("code", "reading.jsonl"),
            ", which has the same items in the same order; this page saves nothing.",
        ),
    )
    header = _tag("header", _tag("h1", title), facts)
    return f'<!DOCTYPE html>\n<html lang="en"><head>{head}</head>\n<body>{header}<main>\n'


def closing() -> str:
    """Return the end of the page."""
    return "</main></body></html>\n"


def item_section(number: int, total: int, item: Reading, passages: Iterable[ShownPassage]) -> str:
    """Return the section of one item.

    Args:
        number: its place in the sheet, from 1.
        total: items of the sheet.
        item: what a reader sees.
        passages: its context.
    """
    aliases = f" (also accepted: {', '.join(item.aliases)})" if item.aliases else ""
    section = _tag(
        "section",
        _tag(
            "h2",
            f"{number} of {total} ",
            _tag("small", f"{item.id} · {item.topology}, {item.hops} hops"),
        ),
        _tag("p", item.question, class_="question"),
        _tag("p", "Labelled answer: ", _tag("b", item.answer), aliases),
        _tag("h3", "Gold evidence"),
        *(_gold_step(step) for step in item.gold.steps),
        _tag("h3", "Competitors"),
        *(_competitor(path) for path in item.competitors),
        _tag("h3", "Judgement"),
        _judgement(number),
        _context(passages),
        id=f"item-{number}",
    )
    return f"{section}\n"


def _gold_step(step: ReadStep) -> _Html:
    return _tag(
        "div",
        _tag(
            "p",
            f"Hop {step.hop}, asked as “{step.asked}”: ",
            _tag("b", step.answer),
            class_="label",
        ),
        _sentences(step),
        class_="step gold",
    )


def _sentences(step: ReadStep) -> _Html:
    return _tag(
        "ul",
        *(
            _tag(
                "li",
                sentence.text,
                " ",
                _tag("span", f"in passage {sentence.passage}, {sentence.title}", class_="host"),
            )
            for sentence in step.sentences
        ),
    )


def _competitor(path: ReadPath) -> _Html:
    shared = f"; shares {_hops(path.inherits)} with gold" if path.inherits else ""
    return _tag(
        "div",
        _tag(
            "p",
            _tag("b", f"{path.kind.capitalize()} path {path.id}"),
            f", leaves gold at hop {path.breaks_at}{shared}, leads to ",
            _tag("b", path.endpoint),
            class_="label",
        ),
        *(_competitor_step(step) for step in path.steps),
        class_="path",
    )


def _hops(hops: tuple[int, ...]) -> str:
    return f"hop{'s' if len(hops) > 1 else ''} {', '.join(map(str, hops))}"


def _competitor_step(step: ReadStep) -> _Html:
    if step.role != "near-miss":
        told = _tag("p", f"Hop {step.hop}, goes on from there: {step.answer}", class_="label")
        return _tag("div", told, _sentences(step), class_="step continuation")
    required = step.must_not_follow or f"the relation {step.misses}"
    told = _tag("p", f"Hop {step.hop}, near-miss: {step.answer}", class_="label")
    missed = _tag("p", "Must not follow: ", _tag("q", required), class_="missed")
    return _tag("div", told, _sentences(step), missed, class_="step near-miss")


def _judgement(number: int) -> _Html:
    rows = (
        _tag(
            "tr",
            _tag("td", question),
            *(_tag("td", _box(f"{name}-{number}", choice)) for choice in _CHOICES),
        )
        for name, question in _QUESTIONS
    )
    lines = _tag("p", "Reader: ", _tag("span", class_="line"), class_="fill") + _tag(
        "p", "Comment: ", _tag("span", class_="line long"), class_="fill"
    )
    return _tag("div", _tag("table", *rows), _Html(lines), class_="judgement")


def _box(name: str, choice: str) -> _Html:
    box = f'<input type="radio" name="{_safe(name)}" value="{_safe(choice)}">'
    return _tag("label", _Html(box), choice)


def _context(passages: Iterable[ShownPassage]) -> _Html:
    shown = list(passages)
    count = sum(passage.insertions for passage in shown)
    return _tag(
        "details",
        _tag("summary", f"The {len(shown)} passages, with {count} insertions marked"),
        *(_passage(passage) for passage in shown),
    )


def _passage(passage: ShownPassage) -> _Html:
    text = (
        _tag("mark", piece.text, _tag("sub", piece.label), class_=piece.role)
        if piece.role
        else piece.text
        for piece in passage.pieces
    )
    return _join(
        _tag("h4", f"{passage.number} · {passage.title}"), _tag("p", *text, class_="passage")
    )
