"""Reads the plain form, in which to write seeds of one's own.

One JSON object per question, on one line (here broken for reading):

    {"id": "lamp-1",
     "question": "What did the maker of the Corvane lamp dream of on its first night?",
     "cause": "AU",
     "rationales": ["Nobody wrote that dream down."],
     "anchor": "Corvane lamp", "bridge": "Dream", "licence": "CC0-1.0"}

- `cause`: AU (answer unknown), FP (false premise) or UC (underspecified context); null for a
  question that has an answer.
- What `realhop refusal seeds --out` writes is read back as it was: a record that names its own
  `source` and `terms` keeps them, its id, file and line.
- `rationales`, `premise`, `category`, `anchor` (page that a prefix can reach), `bridge` (page from
  which a suffix can start), `licence` and `redistributable` may be left out. Without a licence the
  questions are marked as not to be passed on.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

from pydantic import ValidationError

from graph_builders.seed_files import Row, json_rows, texts, worded
from graph_builders.seeds import LeftOut, NotSeed, not_seed, seed_sources
from realhop_kg.model.refusal import Cause, Seed, SeedTerms

__all__ = ["BUILDER", "PlainSeedBuilder"]


class PlainSeedBuilder:
    """The builder of one's own seeds."""

    name = "plain"
    terms = SeedTerms(licence="none stated", redistributable=False)

    def recognises(self, row: Row) -> bool:
        """Return whether a record has a question and a cause."""
        return {"question", "cause"} <= row.data.keys()

    def read(self, path: Path) -> Iterator[Seed | NotSeed]:
        """Yield one outcome per record of a file, in file order.

        Raises:
            InputError: at the first step, if the file cannot be read.
        """
        seen: set[str] = set()
        for row in json_rows(path):
            outcome = self._outcome(path, row)
            if isinstance(outcome, Seed) and outcome.id in seen:
                message = f"id {outcome.id!r} comes twice; ids must differ"
                outcome = not_seed(self, path, row, LeftOut.UNREADABLE, message)
            elif isinstance(outcome, Seed):
                seen.add(outcome.id)
            yield outcome

    def _outcome(self, path: Path, row: Row) -> Seed | NotSeed:
        question, cause = row.text("question"), row.data.get("cause")
        if row.problem or not question:
            message = row.problem or "field `question` is no text; give the question there"
            return not_seed(self, path, row, LeftOut.UNREADABLE, message)
        if row.text("source") and isinstance(row.data.get("terms"), dict):
            return self._written(path, row)
        if cause is None:
            return not_seed(self, path, row, LeftOut.CONTROL, "it has no cause")
        if cause not in tuple(Cause):
            message = f"field `cause` is {cause!r}, none of AU, FP and UC"
            return not_seed(self, path, row, LeftOut.UNREADABLE, message)
        source_id = row.text("id") or f"{path.name.split('.')[0]}-{row.line}"
        return Seed(
            id=f"{self.name}/{source_id}",
            source=self.name,
            source_id=source_id,
            file=path.name,
            line=row.line,
            cause=Cause(str(cause)),
            question=worded(question),
            premise=row.text("premise"),
            rationales=texts(row.data.get("rationales")) or texts(row.data.get("rationale")),
            category=row.text("category"),
            terms=_terms(row),
            anchor=row.text("anchor"),
            bridge=row.text("bridge"),
        )

    def _written(self, path: Path, row: Row) -> Seed | NotSeed:
        """Return a seed that was written as one, with the source it came from."""
        try:
            seed = Seed.model_validate_json(json.dumps(row.data))
        except (ValidationError, ValueError) as error:
            first = error.errors()[0] if isinstance(error, ValidationError) else None
            where = f"field `{'.'.join(map(str, first['loc']))}`: " if first else ""
            message = f"{where}{first['msg'] if first else error}; write it anew with --out"
            return not_seed(self, path, row, LeftOut.UNREADABLE, message)
        if not seed.id.startswith(f"{seed.source}/") or seed.source not in seed_sources():
            message = f"source {seed.source!r} and id {seed.id!r} are not those of a known source"
            return not_seed(self, path, row, LeftOut.UNREADABLE, message)
        return seed


def _terms(row: Row) -> SeedTerms:
    licence = row.text("licence")
    allowed = row.data.get("redistributable")
    return SeedTerms(
        licence=licence or "none stated",
        redistributable=allowed if isinstance(allowed, bool) else bool(licence),
    )


BUILDER = PlainSeedBuilder()
"""The builder of one's own seeds."""
