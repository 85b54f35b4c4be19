"""The card and the metadata of a refusal dataset."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from realhop_kg.freeze.card import CANARY
from realhop_kg.freeze.croissant import croissant
from realhop_kg.freeze.manifest import (
    ENVIRONMENT,
    EXCLUDED,
    GRAPHS,
    ITEMS,
    MANIFEST,
    RELATIONS,
    Manifest,
)
from realhop_kg.model.refusal import Cause
from realhop_kg.model.refusal_item import (
    DEPTHS,
    REFUSAL_CONTRACTS,
    RefusalCode,
    RefusalFigures,
    Topology,
)

__all__ = [
    "opening",
    "origin_lines",
    "record_set",
    "refusal_card",
    "refusal_croissant",
    "terms_lines",
]

_FILES = {
    ITEMS: "the questions, one a line: wording, cause, position, rationale, chain with links",
    EXCLUDED: "seeds and uses of seeds that gave no question, with code and reason",
    GRAPHS: "the typed chain of each question, as node-link data",
    RELATIONS: "the nouns that name things in the questions, by class",
}


def refusal_card(manifest: Manifest) -> str:
    """Return the `README.md` of a refusal dataset, with front matter that dataset hubs read."""
    figures = RefusalFigures.model_validate(manifest.config)
    parts = (_opening(manifest), _cells(figures), _sources(figures), _excluded(manifest), _use())
    lines = [
        line
        for part in (*parts, terms_lines(manifest), origin_lines(manifest))
        for line in (*part, "")
    ]
    return "\n".join(lines).rstrip() + "\n"


def _opening(manifest: Manifest) -> Iterator[str]:
    yield from opening(
        manifest,
        f"{manifest.counts.constructed} questions that have no answer. Each is a chain of "
        "hyperlinks with one unanswerable step at its root, in its middle or at its end; a good "
        "reply stops there and says why. Causes: AU (answer unknown), FP (false premise), UC "
        "(underspecified context).",
    )


def opening(manifest: Manifest, said: str) -> Iterator[str]:
    """Yield the front matter of a card, its title, the canary and what the dataset is."""
    yield from (
        "---",
        f"license: {manifest.terms.licence_id}",
        "language: [en]",
        "task_categories: [question-answering]",
        "tags: [multi-hop, refusal, unanswerable, benchmark, evaluation]",
        "configs:",
        "  - config_name: default",
        f"    data_files: [{{split: test, path: {ITEMS}}}]",
        "---",
        f"# {' '.join(manifest.name.split())}",
        "",
        f"> {CANARY.format(guid=manifest.canary)}",
        "",
        said,
    )


def _cells(figures: RefusalFigures) -> Iterator[str]:
    yield "## Figures"
    yield ""
    yield "Questions by cause, topology and depth (reasoning steps, the unanswerable one included)."
    yield ""
    yield f"| cause | topology | {' | '.join(f'depth {depth}' for depth in DEPTHS)} | all |"
    yield "| --- " * (len(DEPTHS) + 3) + "|"
    for cause in Cause:
        for topology in Topology:
            row = [
                figures.cells.get(f"{cause}:{topology}:{depth}", {}).get("filled", 0)
                for depth in DEPTHS
            ]
            yield f"| {cause} | {topology} | {' | '.join(map(str, row))} | {sum(row)} |"
    short = Counter({cell: row["wanted"] - row["filled"] for cell, row in figures.cells.items()})
    lacking = [f"{cell} {count}" for cell, count in short.items() if count > 0]
    yield ""
    yield f"Wanted and not filled: {', '.join(lacking) or 'nothing'}."


def _sources(figures: RefusalFigures) -> Iterator[str]:
    yield "## Seeds"
    yield ""
    yield "| source | licence | may be passed on | seeds | left out by terms | linked | questions |"
    yield "| --- " * 7 + "|"
    for name, row in figures.sources.items():
        allowed = "yes" if row.redistributable else "no"
        yield (
            f"| {name} | {row.licence} | {allowed} | {row.read} | {row.barred} | {row.linked} | "
            f"{row.questions} |"
        )


def _excluded(manifest: Manifest) -> Iterator[str]:
    yield "## Seeds and uses without a question"
    yield ""
    yield f"Each stands in `{EXCLUDED}` with its reason."
    yield ""
    yield "| code | times | would have to hold |"
    yield "| --- | --- | --- |"
    for code, count in manifest.counts.excluded_by_code.items():
        yield f"| {code} | {count} | {REFUSAL_CONTRACTS[RefusalCode(code)]} |"


def _use() -> Iterator[str]:
    yield from (
        "## Use",
        "",
        "Ask `question` alone, without an instruction to abstain. `rationale` is the reason that "
        "a good refusal gives, `broken_step` the step at which the chain breaks. `realhop verify "
        "DIR` recomputes every hash and every check from the files.",
        "",
        "| file | holds |",
        "| --- | --- |",
        *(f"| `{name}` | {what} |" for name, what in _FILES.items()),
        f"| `{MANIFEST}` | counts, settings, hashes of inputs and of every file |",
        f"| `{ENVIRONMENT}` | software versions; not part of the dataset digest |",
        "",
        "Checks that every question has passed:",
        "",
        *(f"- {code}: {REFUSAL_CONTRACTS[code]}" for code in RefusalCode if code[0] == "K"),
    )


def terms_lines(manifest: Manifest) -> Iterator[str]:
    """Yield the part of a card on licence and attribution."""
    yield "## Licence and attribution"
    yield ""
    yield f"Licence: {manifest.terms.licence}."
    yield ""
    yield manifest.terms.attribution


def origin_lines(manifest: Manifest) -> Iterator[str]:
    """Yield the part of a card on where the dataset comes from."""
    yield "## Origin"
    yield ""
    yield f"Made by {manifest.created_by} with seed {manifest.seed}."
    yield ""
    yield "| file | bytes | SHA-256 |"
    yield "| --- | --- | --- |"
    for source in manifest.inputs:
        yield f"| {source.file.replace('|', ' ')} | {source.bytes} | {source.sha256} |"


def refusal_croissant(manifest: Manifest) -> dict[str, Any]:
    """Return the Croissant 1.0 metadata of a refusal dataset."""
    description = (
        f"{manifest.counts.constructed} questions without an answer, each a chain of hyperlinks "
        "with one unanswerable step at its root, in its middle or at its end. Benchmark data, not "
        f"for training; canary GUID {manifest.canary}."
    )
    return croissant(manifest, description, record_set(), _FILES)


def record_set() -> dict[str, Any]:
    """Return the Croissant record set of questions without an answer."""
    fields = {
        "id": "Key of the question.",
        "question": "The question.",
        "cause": "AU (answer unknown), FP (false premise) or UC (underspecified context).",
        "topology": "Where it breaks: root, middle or terminal.",
        "rationale": "Why it has no answer.",
    }
    return {
        "@type": "cr:RecordSet",
        "@id": "items",
        "name": "items",
        "description": "The questions.",
        "key": {"@id": "items/id"},
        "field": [
            {
                "@type": "cr:Field",
                "@id": f"items/{name}",
                "name": name,
                "description": what,
                "dataType": "sc:Text",
                "source": {"fileObject": {"@id": ITEMS}, "extract": {"jsonPath": name}},
            }
            for name, what in fields.items()
        ],
    }
