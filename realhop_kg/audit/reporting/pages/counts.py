"""Pages behind means, boards, cues and cells without a verdict."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from realhop_kg.audit.figures import Figure, PairedTest
from realhop_kg.audit.measures.full import full
from realhop_kg.audit.panel import Missing, Panel
from realhop_kg.audit.reporting.boards import Board, Mean, shared_items
from realhop_kg.audit.reporting.formats import shown as cell_text
from realhop_kg.audit.reporting.gaps import Gap
from realhop_kg.audit.reporting.pages.frame import quoted, safe
from realhop_kg.audit.reporting.pages.places import Arm, Places, anchor, arm_of, named, test_anchor
from realhop_kg.audit.reporting.pages.shares import section, shares
from realhop_kg.audit.reporting.shapes import told
from realhop_kg.audit.reporting.words import counted
from realhop_kg.audit.shortcuts import Shortcuts

__all__ = [
    "board_section", "boards_body", "cues_body", "gap_anchor", "gaps_body",
    "means_body", "test_section",
]  # fmt: skip

_CUES = {
    "rivals": "Others of its kind",
    "support_overlap": "Words shared: support",
    "other_overlap": "Words shared: others",
    "support_first": "Support shares most",
    "answer_position": "Answer's place",
    "answer_in_question": "Answer in question",
    "hosts_gold": "Hosts that are gold",
    "orphan_failures": "V2 failures",
}


def means_body(means: Iterable[Mean], figures: Iterable[Figure], places: Places) -> Iterator[str]:
    """Yield the sections of the page of means: the figures of the models, with their places."""
    by_place: dict[tuple[str, str, str, str], Figure] = {
        (each.measure, each.side, each.ablation, each.model): each
        for each in figures
        if not each.cohort
    }
    for mean in means:
        where = (mean.measure, mean.side, mean.ablation)
        name = f"{told().get(mean.measure, mean.measure)}, {named(mean.side, mean.ablation)}"
        yield f"<h2 id={quoted(anchor(*where))}>{safe(name)}: {cell_text(mean.value)}</h2>\n"
        for model in mean.models:
            figure = by_place[*where, model]
            link = f'<a href="{places.figure(figure)}">{safe(cell_text(figure))}</a>'
            yield f"<p>{safe(model)}: {link}, n {figure.interval.n}</p>\n"


def boards_body(boards: Iterable[Board], places: Places) -> Iterator[str]:
    """Yield the sections of the page of boards: the scores that ranks and spreads are made of."""
    for board in boards:
        if board.origin:
            continue
        yield f'<h2 id="{board.side}">The {board.side} side, {board.n} questions</h2>\n'
        for line in board.lines:
            page = places.arm_page((line.model, board.side, "both"))
            scores = ", ".join(cell_text(score) for score in (*line.trials, line.average))
            yield f'<p>{safe(line.model)}: <a href="{page}#board">{scores}</a></p>\n'


def board_section(panel: Panel, panels: Sequence[Panel], places: Places) -> Iterator[str]:
    """Yield the section of a panel's place on the board of its side, if there is one."""
    beside = [each for each in panels if (each.side, each.ablation) == (panel.side, "both")]
    if panel.ablation != "both" or len(beside) < 2:
        return
    items = shared_items(beside)
    name = f"Full on the {len(items)} questions of the board"
    found = shares(full(panel, items))
    yield from section("board", name, found, {"": arm_of(panel)}, places)


def test_section(test: PairedTest, places: Places) -> Iterator[str]:
    """Yield the questions of an exact test by which of the two has them right."""
    arms = {name: _arm(test.model, name) for name in (test.first, test.second)}
    either = {*test.only[0], *test.only[1]}
    found = {
        f"only {test.first} right": test.only[0],
        f"only {test.second} right": test.only[1],
        "both or neither": [item for item in test.items if item not in either],
    }
    name = f"McNemar test, {test.first} and {test.second}, trial {test.trial}"
    yield from section(test_anchor(test), name, found, arms, places)


def _arm(model: str, name: str) -> Arm:
    """Return the panel that an exact test calls by a name: a side, or an ablation."""
    if name in ("source", "constructed"):
        return model, name, "both"
    return model, "constructed", name


def cues_body(cues: Iterable[Shortcuts], panels: Iterable[Panel], places: Places) -> Iterator[str]:
    """Yield the page of cues, a row for every question and side."""
    first: dict[str, Panel] = {}
    for panel in panels:
        first.setdefault(panel.side, panel)
    by_side: dict[str, list[Shortcuts]] = {}
    for each in cues:
        by_side.setdefault(each.side, []).append(each)
    for side, own in by_side.items():
        yield f'<h2 id="{side}">The {side} side</h2>\n<table><tr><th>Question</th>'
        yield from (f"<th>{head}</th>" for head in _CUES.values())
        yield "</tr>\n"
        arm = arm_of(first[side])
        for each in own:
            link = f'<a href="{places.rows(arm, each.item)}">{places.number(arm, each.item)}</a>'
            values = (cell_text(_told(getattr(each, name))) for name in _CUES)
            yield f"<tr><td>{link}</td>{''.join(f'<td>{value}</td>' for value in values)}</tr>\n"
        yield "</table>\n"


def _told(value: object) -> str | int | float | None:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return value if isinstance(value, int | float) else None


def gap_anchor(at: int) -> str:
    """Return the anchor of a row of the table of missing cells, by its place from 0."""
    return f"gap-{at + 1}"


def gaps_body(gaps: Sequence[Gap], missing: Iterable[Missing], places: Places) -> Iterator[str]:
    """Yield the page of cells without a verdict, by reason."""
    inside: dict[tuple[str, ...], list[Missing]] = {}
    for cell in missing:
        key = (cell.model, cell.side, cell.ablation, cell.condition.value, cell.reason)
        inside.setdefault(key, []).append(cell)
    for at, gap in enumerate(gaps):
        found = inside[gap.model, gap.side, gap.ablation, gap.condition, gap.reason]
        arm = (gap.model, gap.side, gap.ablation)
        where = named(gap.side, gap.ablation)
        name = f"{gap.model}, {where}, {gap.condition}: {gap.reason}"
        yield f"<h2 id={quoted(gap_anchor(at))}>{safe(name)}</h2>\n"
        yield f"<p>{counted(gap.count, 'cell')}: "
        yield ", ".join(
            f'<a href="{places.rows(arm, cell.item)}">{places.number(arm, cell.item)}</a> '
            f"{safe(cell.target)} trial {cell.trial}"
            for cell in found
        )
        yield "</p>\n"
