"""Live audits in a few lines, against the stub server."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from realhop_kg.cli.asking import Channel
from realhop_kg.cli.audit_run import AuditRun, Done, perform
from realhop_kg.cli.audit_settings import opened
from realhop_kg.freeze.reader import FrozenDataset
from realhop_kg.llm.limits import Limits
from tests.audit.people import ANSWERS
from tests.llm.stub import Stub, stub

QUICK = Limits(call_timeout=8.0, attempts=4, longest_wait=0.2)


@contextmanager
def people(dataset: Path, folder: Path, *words: str) -> Iterator[Stub]:
    """Serve models that know the answers of a dataset."""
    known = {}
    for item in FrozenDataset.open(dataset).items():
        known |= {item.question: item.answer, item.source.question: item.source.answer}
    path = folder / "answers.json"
    path.write_text(json.dumps(known), encoding="utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(ANSWERS, str(path))
        with stub("--writer", "tests.audit.people:People", *words) as server:
            yield server


def audit(
    dataset: Path,
    folder: Path,
    models: tuple[str, ...],
    *,
    url: str = "",
    judge: str = "offline",
    limits: Limits = QUICK,
    batch: Path | None = None,
    offline: bool = False,
    trials: int = 1,
    conditions: str = "full,drop,control",
    limit: int = 4,
) -> Done:
    """Start or resume a run in `folder/run`, with the reply store beside it."""
    audited = opened(
        dataset, "", "", conditions, (), judge, limit, models=models, trials=trials,
        parameters={}, judge_parameters={},
    )  # fmt: skip
    channel = Channel(
        replies=folder / "r.sqlite", limits=limits, api_base=url,
        batch=batch, plain=batch is not None, offline=offline,
    )  # fmt: skip
    return asyncio.run(perform(AuditRun(audited, models, judge, channel, folder / "run")))
