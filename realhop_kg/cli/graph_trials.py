"""Puts the answers of an audit beside the graphs that they answer."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from realhop_kg.cli.output import tracked

if TYPE_CHECKING:
    from realhop_kg.freeze.reader import FrozenDataset
    from realhop_kg.model.run import TrialRecord
    from realhop_kg.stores.store import Store

__all__ = ["RunOption", "load_run"]

RunOption = Annotated[
    Path | None,
    typer.Option("--run", metavar="RUN", help="Load the answers of this audit run too."),
]


def load_run(store: Store, scope: str, dataset: FrozenDataset, run: Path) -> dict[str, int]:
    """Load the judged answers of a run; what was loaded before is replaced.

    The queries ask about items as they are frozen, so answers under ablations stay out.

    Returns:
        How many answers were loaded, how many have no verdict, how many are of ablations.

    Raises:
        InputError: if the folder is no run, or a run over another dataset.
    """
    from realhop_kg.graph.schema import Side
    from realhop_kg.stores.trials import load_trials, trial_node

    by_item, counts = _by_item(dataset, run)
    for key, graph in tracked(dataset.graphs(), "loading answers", len(by_item)):
        for side in Side:
            nodes = [trial_node(each) for each in by_item.get(key, ()) if each.side == side]
            if nodes:
                counts["trials"] += load_trials(store, scope, key, graph, nodes, side)
    return counts


def _by_item(
    dataset: FrozenDataset, run: Path
) -> tuple[dict[str, list[TrialRecord]], dict[str, int]]:
    from realhop_kg.audit.folder import BadTrial, RunFolder
    from realhop_kg.audit.panel import latest
    from realhop_kg.errors import InputError

    opened = RunFolder.open(run)
    digest = dataset.manifest.digest
    if opened.settings.source_digest != digest:
        raise InputError(
            f"{run} audited {opened.settings.source} ({opened.settings.source_digest[:12]}), not "
            f"this dataset ({digest[:12]}); name a run over it"
        )
    counts = {"trials": 0, "unjudged": 0, "of_ablations": 0}
    found: dict[str, list[TrialRecord]] = {}
    for record in latest(each for each in opened.trials() if not isinstance(each, BadTrial)):
        if record.ablation != "both":
            counts["of_ablations"] += 1
        elif record.verdict is None:
            counts["unjudged"] += 1
        else:
            found.setdefault(record.item, []).append(record)
    return found, counts
