"""Runs of an audit in a few lines."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from realhop_kg.audit.asked import AskedSolver
from realhop_kg.audit.cells import AnyJudge, AnySolver
from realhop_kg.audit.folder import RunFolder
from realhop_kg.audit.judge import OfflineJudge
from realhop_kg.audit.plan import AuditSettings
from realhop_kg.audit.run import Outcome, run_audit
from realhop_kg.audit.scripted import scripted
from realhop_kg.audit.sources import frozen_items
from realhop_kg.freeze.reader import FrozenDataset
from realhop_kg.llm.batch import BatchAsker
from realhop_kg.llm.prompts import load_template
from realhop_kg.llm.replies import ReplyStore

TEMPLATES = {
    "solver": load_template("audit/multihop"),
    "closed_book": load_template("audit/closed_book"),
    "judge": load_template("audit/judge"),
}


def settings(*models: str, **changes: object) -> AuditSettings:
    return AuditSettings.model_validate(
        {
            "source": "dataset",
            "source_digest": "0" * 64,
            "form": "frozen",
            "sides": ("constructed",),
            "conditions": ("full", "drop", "control"),
            "models": models,
            "limit": 4,
            **changes,
        }
    )


def go(
    folder: Path,
    dataset: Path,
    chosen: AuditSettings,
    solvers: Sequence[AnySolver] | None = None,
    judge: AnyJudge | None = None,
) -> Outcome:
    """Start or resume a run."""
    opened = FrozenDataset.open(dataset)
    run = RunFolder.start(folder, chosen)
    return run_audit(
        run,
        lambda: frozen_items(opened, chosen.sides, chosen.unit, chosen.limit),
        solvers or [scripted(name, opened) for name in chosen.models],
        judge or OfflineJudge(),
        TEMPLATES,
    )


def go_by_batch(folder: Path, dataset: Path, batch: Path, chosen: AuditSettings) -> Outcome:
    """Start or resume a run whose models answer through a batch; its store lies beside it."""
    with (
        ReplyStore(folder.with_name("r.sqlite"), write=True) as store,
        BatchAsker(store, batch, plain=True) as asker,
    ):
        return go(folder, dataset, chosen, [AskedSolver(name, asker) for name in chosen.models])
