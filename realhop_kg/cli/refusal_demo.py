"""The part of `realhop demo` that builds questions without an answer from the bundled pages."""

from __future__ import annotations

import tempfile
from pathlib import Path

from realhop_kg.model.record import Record

__all__ = ["RefusalDemo", "ShownQuestion", "refusal_demo"]

_COUNT = 9


class ShownQuestion(Record):
    """One question that the demo prints."""

    topology: str
    cause: str
    question: str
    rationale: str


class RefusalDemo(Record):
    """What the demo built."""

    out: str
    """The dataset folder; empty where none was built."""
    questions: int = 0
    ok: bool = True
    shown: tuple[ShownQuestion, ...] = ()
    """One of each topology."""
    skipped: str = ""
    """Why nothing was built."""


def refusal_demo(out: Path, seed: int, force: bool) -> RefusalDemo:
    """Index the bundled pages, build a few questions of every topology, freeze and verify them.

    Without the language model nothing is built, and the result says so.

    Args:
        out: the dataset folder.
        seed: seed of every draw.
        force: replace a dataset that stands there.

    Raises:
        RealHopError: if the folder is in the way or cannot be written.
    """
    import realhop_kg
    from graph_builders.kilt import build_index
    from realhop_kg.cli.refusal_build import build_to
    from realhop_kg.errors import InputError
    from realhop_kg.freeze.terms import source_terms
    from realhop_kg.refusal.nominal import LANGUAGE_MODEL, language
    from realhop_kg.refusal.plan import parse_plan
    from realhop_kg.refusal.reader import RefusalDataset
    from realhop_kg.refusal.verify import verify_refusal
    from realhop_kg.resources import resource_folder

    try:
        language(LANGUAGE_MODEL)
    except InputError as error:
        return RefusalDemo(out="", skipped=str(error))
    data = resource_folder("data")
    plan = parse_plan("*:root:2=1 *:middle:3=1 *:terminal:3=1")
    with tempfile.TemporaryDirectory() as name:
        index = Path(name) / "index"
        created_by = f"realhop-kg {realhop_kg.__version__}"
        build_index([data / "kilt_world.jsonl"], index, created_by=created_by)
        seeds = [str(data / "refusal_seeds.jsonl")]
        terms = source_terms("bundled")
        build_to(index, seeds, out, plan, seed, force=force, terms=terms)
    items = list(RefusalDataset.open(out).items())
    by_topology = {str(item.topology): item for item in reversed(items)}
    return RefusalDemo(
        out=str(out.resolve()),
        questions=len(items),
        ok=verify_refusal(out).ok and len(items) == _COUNT,
        shown=tuple(
            ShownQuestion(
                topology=name,
                cause=str(item.cause),
                question=item.question,
                rationale=item.rationale,
            )
            for name, item in sorted(by_topology.items(), key=lambda pair: pair[1].broken_step)
        ),
    )
