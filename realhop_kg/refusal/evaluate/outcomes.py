"""Joins questions, runs and judgements to one row per question, which every measure counts."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from realhop_kg.audit.estimand import Estimand, Ratio, Term
from realhop_kg.model.refusal import Cause
from realhop_kg.model.refusal_item import Topology
from realhop_kg.model.trajectory import AskedQuestion, Judged, Mode, State, Trajectory
from realhop_kg.refusal.evaluate.timeline import MeasureSettings, after

__all__ = ["Outcome", "join", "share"]


@dataclass(frozen=True, slots=True)
class Outcome:
    """One question as one model met it in one mode.

    Attributes:
        item: its key.
        cause: why it has no answer.
        topology: where its chain breaks.
        depth: reasoning steps.
        state: what the model did.
        exposed: whether sufficient evidence was met in a search run that is not SEH (E).
        shown: whether documents showed it first (V).
        calls_after: tool calls after the accounting turn (o).
        tokens_after: search and reasoning tokens after it (w).
    """

    item: str
    cause: Cause
    topology: Topology
    depth: int
    state: State
    exposed: bool = False
    shown: bool = False
    calls_after: int = 0
    tokens_after: int = 0


def join(
    questions: Sequence[AskedQuestion],
    trajectories: Mapping[str, Trajectory],
    judged: Mapping[str, Judged],
    settings: MeasureSettings,
) -> tuple[list[Outcome], dict[str, str]]:
    """Return the outcomes of one model in one mode, and why the other questions have none.

    Args:
        questions: all that were asked, in their order.
        trajectories: runs by question.
        judged: judgements by question.
        settings: of the process measures.
    """
    found: list[Outcome] = []
    missing: dict[str, str] = {}
    for question in questions:
        run, verdict = trajectories.get(question.item), judged.get(question.item)
        if run is None:
            missing[question.item] = "not asked yet"
        elif verdict is None:
            missing[question.item] = f"not judged ({run.ending})"
        elif verdict.state.state is None:
            missing[question.item] = verdict.state.failure
        elif _needs_timeline(run, verdict):
            missing[question.item] = verdict.timeline.failure if verdict.timeline else "no timeline"
        else:
            found.append(_outcome(question, run, verdict, settings))
    return found, missing


def _needs_timeline(run: Trajectory, verdict: Judged) -> bool:
    """Return whether a run lacks a timeline that it should have."""
    if run.mode is Mode.PLAIN or verdict.state.state is State.SEH:
        return False
    return verdict.timeline is None or bool(verdict.timeline.failure)


def _outcome(
    question: AskedQuestion, run: Trajectory, verdict: Judged, settings: MeasureSettings
) -> Outcome:
    state, timeline = verdict.state.state, verdict.timeline
    assert state is not None
    # Both of the paper's sets leave SEH out, whatever a timeline would say.
    searched = run.mode is Mode.SEARCH and state is not State.SEH and timeline is not None
    later = after(run, timeline, settings) if searched and timeline is not None else None
    return Outcome(
        item=question.item,
        cause=question.cause,
        topology=question.topology,
        depth=question.depth,
        state=state,
        exposed=later is not None,
        shown=later is not None and timeline is not None and timeline.source == "documents",
        calls_after=later.calls if later else 0,
        tokens_after=later.tokens if later else 0,
    )


def share(
    outcomes: Sequence[Outcome],
    of: Callable[[Outcome], bool],
    what: Callable[[Outcome], bool | int],
) -> Estimand:
    """Return a ratio over questions: what is counted, over those that count.

    Args:
        outcomes: one per question.
        of: whether a question is in the denominator.
        what: what a question of the denominator adds to the numerator.
    """
    inside = tuple(int(of(each)) for each in outcomes)
    found = tuple(
        int(what(each)) if counts else 0 for each, counts in zip(outcomes, inside, strict=True)
    )
    items = tuple(each.item for each in outcomes)
    return Estimand(items, (Term(1, Ratio(found, inside)),), n=sum(inside))
