"""Where everything behind a report stands: files and anchors of its pages."""

from __future__ import annotations

import re
from collections.abc import Iterable

from realhop_kg.audit.figures import PAIR, Figure, PairedTest
from realhop_kg.audit.measures.ablation import ABLATIONS
from realhop_kg.audit.panel import Panel

__all__ = [
    "BOARDS", "CUES", "FOLDER", "GAPS", "MEANS", "PER_PAGE", "Arm", "Places", "anchor", "arm_of",
    "compares", "named", "test_anchor",
]  # fmt: skip

FOLDER = "behind"
"""Folder of the pages, beside the report."""

BOARDS, CUES, GAPS, MEANS = "boards.html", "cues.html", "missing.html", "means.html"

PER_PAGE = 100
"""Questions on a page of rows."""

Arm = tuple[str, str, str]
"""(model, side, ablation)."""

_ACCURACY = "accuracy_"

_PARTS = {"original": ("source", "both")} | {name: ("constructed", name) for name in ABLATIONS}
"""Side and ablation of each panel of a component ablation."""

_USED: dict[str, tuple[str, ...]] = {
    "interaction": ABLATIONS,
    "competitor_share": ("original", "gold_only", "both"),
}
"""The panels that a figure of the component ablation rests on, but for plain accuracies."""

_NOT_WORD = re.compile(r"\W+")


class Places:
    """Names of pages and anchors; none of them is made of data.

    Attributes:
        arms: number of each panel, from 1.
        models: number of each model, from 1.
    """

    def __init__(self, panels: Iterable[Panel]) -> None:
        found = list(panels)
        self.arms: dict[Arm, int] = {arm_of(panel): at for at, panel in enumerate(found, 1)}
        names = dict.fromkeys(panel.model for panel in found)
        self.models: dict[str, int] = {model: at for at, model in enumerate(names, 1)}
        self._questions = {
            arm_of(panel): {item: at for at, item in enumerate(panel.items, 1)} for panel in found
        }

    def number(self, arm: Arm, item: str) -> int:
        """Return the place of a question in its panel, from 1."""
        return self._questions[arm][item]

    def row_page(self, arm: Arm, part: int) -> str:
        """Return the page with the rows of the questions of a part, from 1."""
        return f"rows-{self.arms[arm]}-{part}.html"

    def rows(self, arm: Arm, item: str) -> str:
        """Return where the answers to a question stand, as seen from another page."""
        at = self.number(arm, item)
        return f"{self.row_page(arm, (at - 1) // PER_PAGE + 1)}#q{at}"

    def arm_page(self, arm: Arm) -> str:
        """Return the page with the figures of a panel."""
        return f"figures-{self.arms[arm]}.html"

    def model_page(self, model: str) -> str:
        """Return the page with what compares a model's panels."""
        return f"compared-{self.models[model]}.html"

    def figure(self, figure: Figure) -> str:
        """Return where the questions of a figure stand."""
        if compares(figure):
            page = self.model_page(figure.model)
        else:
            page = self.arm_page((figure.model, figure.side, figure.ablation))
        return f"{page}#{anchor(figure.measure, figure.cohort)}"

    def test(self, test: PairedTest) -> str:
        """Return where the questions of an exact test stand."""
        return f"{self.model_page(test.model)}#{test_anchor(test)}"

    def arms_of(self, figure: Figure) -> dict[str, Arm]:
        """Return the panels that a figure rests on, by what to call them."""
        if figure.side == PAIR and not figure.cohort:
            sides = ("source", "constructed")
            return {side: (figure.model, side, "both") for side in sides}
        if compares(figure):
            return {
                name: (figure.model, *_PARTS[name])
                for name in _USED.get(figure.measure, (figure.measure.removeprefix(_ACCURACY),))
            }
        return {"": (figure.model, figure.side, figure.ablation)}


def arm_of(panel: Panel) -> Arm:
    """Return the key of a panel."""
    return panel.model, panel.side, panel.ablation


def named(side: str, kept: str) -> str:
    """Return a side, with its ablation where competitors are left out."""
    return f"{side} side" if kept == "both" else f"{side} side, {kept}"


def compares(figure: Figure) -> bool:
    """Return whether a figure rests on several panels of a model."""
    return figure.side == PAIR or figure.cohort == "ablation"


def anchor(*names: str) -> str:
    """Return names as one anchor."""
    return "-".join(_NOT_WORD.sub("-", name).strip("-") for name in names if name)


def test_anchor(test: PairedTest) -> str:
    """Return the anchor of an exact test."""
    return anchor("test", test.first, test.second, str(test.trial))
