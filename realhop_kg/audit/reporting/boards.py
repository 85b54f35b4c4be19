"""Leaderboards of a run: accuracy by trial, ranks, spreads, and how two boards agree."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction

from realhop_kg.audit.figures import Figure
from realhop_kg.audit.measures.avg_at_k import avg_at_k
from realhop_kg.audit.measures.ranks import rank_changes, ranks
from realhop_kg.audit.measures.spearman import spearman
from realhop_kg.audit.measures.spread import spread
from realhop_kg.audit.panel import Panel
from realhop_kg.model.record import Record
from realhop_kg.model.run import Condition

__all__ = ["Board", "Line", "Mean", "board", "means_over_models", "shared_items"]


class Line(Record):
    """One model on a board."""

    model: str
    trials: tuple[float, ...]
    """Full accuracy by trial, as fractions of 1."""
    average: float
    """Avg@k."""
    rank: int
    change: int | None = None
    """Ranks gained since the source board; None without one."""


class Board(Record):
    """Models of one side by Full accuracy, over the questions that every one of them has."""

    side: str
    n: int
    lines: tuple[Line, ...]
    trial_spreads: tuple[float, ...]
    """Range of the displayed scores by trial, as a fraction of 1."""
    spread: float
    """Range of the displayed averages, as a fraction of 1."""
    spearman: float | None = None
    """Agreement with the source board; None without one, or where a board is constant."""
    origin: str = ""
    """Where a board that was brought along comes from; empty for the run's own."""
    agreement: str = ""
    """That agreement in words, with what makes it mean little; empty without a source board."""


class Mean(Record):
    """A measure averaged over models with equal weight."""

    measure: str
    side: str
    ablation: str
    value: float
    models: tuple[str, ...]
    """The models it is over."""


def board(panels: Sequence[Panel], before: Board | None = None) -> Board | None:
    """Return the board of some panels of one side, or None where no question is shared.

    Args:
        panels: one per model.
        before: the source board, for changes of rank.

    Source: REALHOP, Table 2.
    """
    if not panels:
        return None
    items = shared_items(panels)
    if not items:
        return None
    scores = {panel.model: _by_trial(panel, items) for panel in panels}
    average = {model: avg_at_k(trials) for model, trials in scores.items()}
    placed = ranks(average)
    changes: Mapping[str, int] = {}
    agreement, words = None, ""
    if before is not None:
        earlier = {line.model: line for line in before.lines}
        shared = [model for model in average if model in earlier]
        # Among the models of both boards, so that others there or here move nobody.
        changes = rank_changes(
            ranks({model: earlier[model].average for model in shared}),
            ranks({model: average[model] for model in shared}),
        )
        agreement = spearman(
            [earlier[model].average for model in shared], [average[model] for model in shared]
        )
        words = _agreement(agreement, len(shared))
        if len(shared) < max(len(average), len(earlier)):
            words += " Changes of rank count among the models of both boards."
    order = sorted(placed, key=lambda model: (placed[model], model))
    return Board(
        side=panels[0].side,
        n=len(items),
        lines=tuple(
            Line(
                model=model,
                trials=tuple(map(float, scores[model])),
                average=float(average[model]),
                rank=placed[model],
                change=changes.get(model),
            )
            for model in order
        ),
        trial_spreads=tuple(_spread(trial) for trial in zip(*scores.values(), strict=True)),
        spread=_spread(average.values()),
        spearman=agreement,
        agreement=words,
    )


def shared_items(panels: Sequence[Panel]) -> list[str]:
    """Return the questions of a board: those that Full accuracy of every panel counts."""
    populations = [set(panel.population()) for panel in panels]
    return [item for item in panels[0].items if all(item in each for each in populations)]


def _agreement(value: float | None, models: int) -> str:
    """Say how two boards agree, and where that says little."""
    if value is None:
        why = "fewer than two models are on both" if models < 2 else "a board is constant"
        return f"Spearman with the source board is not defined: {why}."
    said = f"Spearman with the source board: {value:.2f} over {models} models"
    if models == 2:
        return f"{said}, which can only be 1 or -1 and says nothing."
    return f"{said}."


def _spread(scores: Iterable[Fraction]) -> float:
    """Return the range of the displayed scores; they show tenths of a percent."""
    return round(spread([100 * score for score in scores]) / 100, 3)


def _by_trial(panel: Panel, items: Sequence[str]) -> list[Fraction]:
    return [
        Fraction(sum(panel.correct(item, trial, Condition.FULL) for item in items), len(items))
        for trial in panel.trials
    ]


def means_over_models(figures: Iterable[Figure]) -> list[Mean]:
    """Return the mean over models of each measure that two or more models have.

    Means of one measure on several sides, or under several ablations, are set beside each other;
    so they are over the models that have it on all of them, and there are none where fewer than
    two do.

    Source: REALHOP, Table 1 (means give equal weight to models).
    """
    found: dict[str, dict[tuple[str, str], dict[str, float]]] = {}
    for figure in figures:
        if figure.value is not None and not figure.cohort:
            places = found.setdefault(figure.measure, {})
            places.setdefault((figure.side, figure.ablation), {})[figure.model] = figure.value
    means = []
    for measure, places in found.items():
        everywhere = set.intersection(*(set(own) for own in places.values()))
        for (side, kept), own in places.items():
            over = tuple(model for model in own if model in everywhere)
            if len(over) > 1:
                value = avg_at_k([own[model] for model in over])
                means.append(
                    Mean(measure=measure, side=side, ablation=kept, value=value, models=over)
                )
    return means
