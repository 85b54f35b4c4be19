"""Pages of answers: every row of a panel, question by question."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from realhop_kg.audit.panel import Missing, Panel
from realhop_kg.audit.reporting.pages.frame import framed, safe
from realhop_kg.audit.reporting.pages.places import PER_PAGE, Places, arm_of, named
from realhop_kg.audit.reporting.words import counted
from realhop_kg.model.run import AuditedItem, AuditedSide, Condition, ConditionRecord, TrialRecord

__all__ = ["Rows", "row_pages"]

Rows = Mapping[str, Sequence[TrialRecord | Missing]]
"""Answers of one panel, and cells without a verdict, by question."""

_TEXT = 300
"""Code points of an answer that a page shows."""

_ORDER = {condition: at for at, condition in enumerate(Condition)}
_HEADS = ("Trial", "Condition", "Target", "Removed", "Verdict", "Judged by", "Answer")


def row_pages(
    panel: Panel,
    questions: Mapping[tuple[str, AuditedSide], AuditedItem],
    rows: Rows,
    places: Places,
) -> Iterator[tuple[str, str]]:
    """Yield (name, text) of the pages with the answers of a panel.

    Args:
        panel: whose answers.
        questions: what was audited, by (item, side).
        rows: its answers.
        places: of the pages.
    """
    arm = arm_of(panel)
    for part, start in enumerate(range(0, len(panel.items), PER_PAGE), 1):
        items = panel.items[start : start + PER_PAGE]
        where = named(panel.side, panel.ablation)
        title = f"Answers of {panel.model}, {where}, questions {start + 1} to {start + len(items)}"
        body = (
            text
            for at, item in enumerate(items, start + 1)
            for text in _question(at, questions[item, panel.side], panel, rows.get(item, ()))
        )
        yield places.row_page(arm, part), "".join(framed(title, body))


def _question(
    at: int, asked: AuditedItem, panel: Panel, rows: Iterable[TrialRecord | Missing]
) -> Iterator[str]:
    yield f'<h2 id="q{at}">{at}. {safe(asked.question)}</h2>\n'
    yield f"<p>{safe(asked.item)}; answer: {safe(asked.answer)}</p>\n<table><tr>"
    yield from (f"<th>{head}</th>" for head in _HEADS)
    yield "</tr>\n"
    for row in sorted(rows, key=_order):
        context = panel.conditions.get((row.item, row.condition, row.target))
        cells = (str(row.trial), row.condition.value, row.target, _removed(context), *_said(row))
        short = "".join(f'<td class="short">{safe(cell)}</td>' for cell in cells[:-1])
        yield f"<tr>{short}<td>{safe(cells[-1])}</td></tr>\n"
    yield "</table>\n"


def _order(row: TrialRecord | Missing) -> tuple[int, int, str]:
    return row.trial, _ORDER[row.condition], row.target


def _removed(context: ConditionRecord | None) -> str:
    if context is None or not context.characters:
        return ""
    return counted(context.characters, "character")


def _said(row: TrialRecord | Missing) -> tuple[str, str, str]:
    """Return the verdict, who gave it, and the answer or what stands in its way."""
    if isinstance(row, Missing):
        return "none", "", row.reason
    if row.verdict is None:
        return "none", row.judged_by, row.failure or "no answer stored"
    text = row.response or ""
    cut = f"{text[:_TEXT]} [...]" if len(text) > _TEXT else text
    read = f" (read as {row.read_as})" if row.read_as else ""
    return row.verdict.value, row.judged_by, f"{cut}{read}"
