"""Counts what a run does after it has met sufficient evidence for a good refusal.

Source: HopRefusalBench, definitions of T_trap, A, o and w; DESIGN section 6 for what the paper
leaves open.
"""

from __future__ import annotations

from typing import Literal

from realhop_kg.model.record import Record
from realhop_kg.model.trajectory import TimelineJudgement, Trajectory

__all__ = ["After", "MeasureSettings", "accounting_turn", "after", "check_timeline"]


class MeasureSettings(Record):
    """Choices that the paper's text leaves open; the defaults are the defensible reading."""

    eifr_over: Literal["documents", "exposed"] = "documents"
    """Whom EIFR is a share of: `documents` (V) or `exposed` (E)."""
    answer_tokens: bool = False
    """Whether tokens of the final answer count as post-trigger tokens."""


class After(Record):
    """What comes strictly after the accounting turn."""

    turn: int
    """The accounting turn (A)."""
    calls: int
    """Tool calls, served or not (o)."""
    tokens: int
    """Search and reasoning tokens (w)."""


def accounting_turn(timeline: TimelineJudgement, length: int) -> int | None:
    """Return the turn after which activity is counted (A), or None without evidence.

    A statement counts at once; what documents show can be acted upon in the next turn only.

    Args:
        timeline: where evidence first stands.
        length: number of turns (L).
    """
    trap = timeline.trap
    if trap is None:
        return None
    return trap if timeline.source == "statement" else min(trap + 1, length)


def after(
    trajectory: Trajectory, timeline: TimelineJudgement, settings: MeasureSettings
) -> After | None:
    """Return what a run did after its accounting turn, or None without evidence."""
    turn = accounting_turn(timeline, trajectory.length)
    if turn is None:
        return None
    later = trajectory.turns[turn:]
    tokens = sum(each.tokens.reasoning + each.tokens.search for each in later)
    if settings.answer_tokens:
        tokens += sum(each.tokens.answer for each in later)
    return After(turn=turn, calls=sum(len(each.calls) for each in later), tokens=tokens)


def check_timeline(timeline: TimelineJudgement, trajectory: Trajectory) -> str:
    """Return what is impossible about a timeline, or nothing.

    Args:
        timeline: as a judge gave it.
        trajectory: the run.
    """
    for name, turn in (("stated", timeline.stated), ("shown", timeline.shown)):
        if turn is not None and turn > trajectory.length:
            return f"{name} names turn {turn} of {trajectory.length}"
    if timeline.shown is not None:
        calls = trajectory.turns[timeline.shown - 1].calls
        if not any(call.documents for call in calls):
            return f"turn {timeline.shown} returned no documents"
    return ""
