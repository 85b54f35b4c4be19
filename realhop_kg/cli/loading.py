"""What a manifest says for stores: of which kind a dataset is, and where it comes from."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

from realhop_kg.cli.output import tracked
from realhop_kg.errors import InputError

if TYPE_CHECKING:
    from pydantic import JsonValue

    from realhop_kg.freeze.manifest import Manifest
    from realhop_kg.stores.load import LoadReport
    from realhop_kg.stores.rdf_source import Calls, Source
    from realhop_kg.stores.store import Store

__all__ = ["load_dataset", "source_of"]

_FOLLOW_UPS = ("repair", "reask")
"""Templates that go on with the conversation of any stage."""


def load_dataset(store: Store, scope: str, folder: Path, manifest: Manifest) -> LoadReport:
    """Load constructed items, or questions that have no answer.

    Raises:
        InputError: if the folder is of a kind that has no graphs, or cannot be read.
        StoreError: if the store stops; the same call resumes.
    """
    count = manifest.counts.constructed
    if manifest.dataset.startswith("refusal"):
        from realhop_kg.refusal.reader import RefusalDataset
        from realhop_kg.stores.refusal import load_refusals

        questions = RefusalDataset.open(folder).items()
        return load_refusals(store, scope, tracked(questions, "loading", count))
    from realhop_kg.freeze.reader import FrozenDataset
    from realhop_kg.stores.load import load_graphs

    graphs = FrozenDataset.open(folder).graphs()
    return load_graphs(store, scope, tracked(graphs, "loading", count))


def source_of(manifest: Manifest, scope: str) -> Source:
    """Return where a dataset comes from, as far as its manifest records it."""
    from realhop_kg.stores.rdf_source import Source

    return Source(
        scope=scope,
        software=manifest.created_by,
        digest=manifest.digest,
        seed=manifest.seed,
        settings={key: _text(value) for key, value in manifest.config.items() if key != "stages"},
        inputs={entry.file: entry.sha256 for entry in manifest.inputs},
        templates=manifest.templates,
        calls=_calls(manifest),
    )


def _calls(manifest: Manifest) -> dict[str, Calls]:
    """Return the model calls by stage; a stage's own template, and those that follow it up."""
    from realhop_kg.settings import StageModel
    from realhop_kg.stores.rdf_source import Calls

    stages = manifest.config.get("stages")
    found: dict[str, Calls] = {}
    for stage, entry in stages.items() if isinstance(stages, dict) else ():
        try:
            asked = StageModel.model_validate(entry)
        except ValueError as error:
            raise InputError(
                f"the manifest does not say how the models of stage {stage!r} were asked; "
                "`realhop verify` says what is wrong with it"
            ) from error
        wanted = {stage, *_FOLLOW_UPS}
        parameters = {key: _text(value) for key, value in asked.parameters.items()}
        found[stage] = Calls(
            model=asked.model,
            settings={"json_mode": asked.json_mode, **parameters},
            templates=tuple(
                sorted(
                    name
                    for name in manifest.templates
                    if name.rpartition("/")[2].partition(".")[0] in wanted
                )
            ),
        )
    return found


def _text(value: JsonValue) -> str:
    return value if isinstance(value, str) else json.dumps(value, sort_keys=True)
