"""Writes the dataset card: figures, terms of the retained text, use, and what the checks mean."""

from __future__ import annotations

from collections.abc import Iterable

from realhop_kg.contracts.check import CHECKS
from realhop_kg.freeze.manifest import (
    ENVIRONMENT,
    EXCLUDED,
    GRAPHS,
    ITEMS,
    MANIFEST,
    QUALITY,
    RELATIONS,
    Manifest,
    Share,
)
from realhop_kg.model.finding import CONTRACTS, Code, Severity

__all__ = ["CANARY", "card"]

CANARY = "Benchmark data: keep it out of training corpora. realhop-kg canary GUID {guid}"
"""The line to search a corpus for."""

_PER_ITEM = [code for code in CHECKS if code is not Code.S5A]
"""Contracts that hold of every frozen item; S5a holds of its plan."""

_FILES = {
    ITEMS: "the questions, one record a line: passages, hops, competitor paths, source question",
    EXCLUDED: "what is not in the dataset, one record a line, with code, reason and remedy",
    GRAPHS: "the typed graph of each item, one a line, as node-link data",
    RELATIONS: "the predicates in use, what each entails, and the tree of entity types",
    MANIFEST: "counts, settings, hashes of inputs and of every file",
    ENVIRONMENT: "software versions; not part of the dataset digest",
    QUALITY: "yield, wordings, lengths, hosts and give-aways (A1); not part of the dataset digest",
}


def card(manifest: Manifest) -> str:
    """Return the `README.md` of a dataset, with front matter that dataset hubs read.

    Args:
        manifest: with counts, terms and canary; hashes are not used.
    """
    sections = (
        _front_matter(manifest),
        _opening(manifest),
        _figures(manifest),
        _excluded(manifest),
        _files(),
        _use(manifest),
        _checks(),
        _terms(manifest),
        _origin(manifest),
    )
    return "\n".join(line for section in sections for line in (*section, "")).rstrip() + "\n"


def _front_matter(manifest: Manifest) -> Iterable[str]:
    yield "---"
    yield f"license: {manifest.terms.licence_id}"
    yield "language: [en]"
    yield "task_categories: [question-answering]"
    yield "tags: [multi-hop, benchmark, evaluation]"
    yield "configs:"
    yield "  - config_name: default"
    yield f"    data_files: [{{split: test, path: {ITEMS}}}]"
    yield "---"


def _opening(manifest: Manifest) -> Iterable[str]:
    yield f"# {_cell(manifest.name)}"
    yield ""
    yield f"> {CANARY.format(guid=manifest.canary)}"
    yield ""
    yield (
        f"Multi-hop questions constructed from `{_cell(manifest.dataset)}` questions. Their "
        "entities are virtual, their facts are split into premises that only work together, and "
        "the context holds complete competing paths that miss one relation each. So a right "
        "answer needs the evidence of every hop, and deleting one hop's passage should take the "
        "answer away."
    )


def _figures(manifest: Manifest) -> Iterable[str]:
    counts, proved = manifest.counts, manifest.counts.certificates
    shapes = ", ".join(f"{shape} {number}" for shape, number in counts.topologies.items())
    paths = counts.competitors
    yield "## Figures"
    yield ""
    yield from _table(
        ("what", "number"),
        [
            ("source records read", counts.read),
            ("items constructed", counts.constructed),
            ("records excluded", counts.excluded),
            ("items by topology", shapes or "none"),
            ("hops", counts.hops),
            ("Strict competitor paths", paths.strict),
            ("Flexible competitor paths", f"{paths.flexible} (fragments: {paths.fragments})"),
            ("items whose only derivable answer is gold", _share(proved.unique)),
            ("hops without which it cannot be derived", _share(proved.hop_necessity)),
            ("premises without which it cannot be derived", _share(proved.premise_necessity)),
            ("hops whose Drop leaves a complete competitor (V1)", _share(proved.v1)),
            ("non-terminal hops whose Drop leaves two continuations (V2)", _share(proved.v2)),
        ],
    )


def _share(share: Share) -> str:
    return f"{share} ({share.holds / share.of:.1%})" if share.of else "none"


def _excluded(manifest: Manifest) -> Iterable[str]:
    yield "## Excluded records"
    yield ""
    if not manifest.counts.excluded_by_code:
        yield "None."
        return
    yield f"Each stands in `{EXCLUDED}` with its reason. A code names what does not hold:"
    yield ""
    yield from _table(
        ("code", "records", "would have to hold"),
        [
            (code, number, CONTRACTS[Code(code)].holds_when if code in set(Code) else "")
            for code, number in manifest.counts.excluded_by_code.items()
        ],
    )


def _files() -> Iterable[str]:
    yield "## Files"
    yield ""
    yield from _table(("file", "holds"), [(f"`{name}`", what) for name, what in _FILES.items()])


def _use(manifest: Manifest) -> Iterable[str]:
    yield "## Use"
    yield ""
    yield "Check that the folder is whole and that its items keep their contracts, then look:"
    yield ""
    yield "```sh"
    yield "realhop verify DIR"
    yield "realhop show DIR ITEM"
    yield "realhop explain DIR ITEM    # why a record was excluded"
    yield "```"
    yield ""
    yield "```python"
    yield "from realhop_kg.freeze.reader import FrozenDataset"
    yield ""
    yield 'dataset = FrozenDataset.open("DIR")'
    yield "for item in dataset.items():"
    yield "    context = [(passage.title, passage.text) for passage in item.passages]"
    yield "    print(item.question, item.answer)"
    yield "```"
    yield ""
    yield (
        "Give a model the question and all passages, each as title, line break and text, in "
        "order and without numbers. `hops[].support` is the index of the passage to leave out "
        "for Drop of a hop; `insertions` turn the passages back into the source's. Quote the "
        f"`digest` of `{MANIFEST}` with results."
    )


def _checks() -> Iterable[str]:
    yield "## What the checks mean"
    yield ""
    yield (
        "Every item was checked against these contracts before freezing; `realhop verify` checks "
        "them again from the files alone. One that blocks excludes an item it does not hold for; "
        "a diagnostic is recorded with the item. The checks prove that the planned facts support "
        "the gold answer only, hop by hop, and that the sentences say what was planned. They do "
        "not prove that a model reads them so, nor anything about the source's own text beyond "
        "the absence of the names that matter."
    )
    yield ""
    yield from _table(
        ("code", "holds when", "blocks"),
        [
            (code, CONTRACTS[code].holds_when, _blocks(CONTRACTS[code].severity))
            for code in _PER_ITEM
        ],
    )


def _blocks(severity: Severity) -> str:
    return "yes" if severity is Severity.BLOCKING else "diagnostic"


def _terms(manifest: Manifest) -> Iterable[str]:
    terms = manifest.terms
    yield "## Licence and attribution"
    yield ""
    linked = f"[{terms.licence}]({terms.licence_url})" if terms.licence_url else terms.licence
    yield f"Licence of the retained source text: {linked}."
    yield ""
    yield terms.attribution.strip()
    yield ""
    yield (
        "Changed: entities of questions and answers are replaced by virtual ones, and sentences "
        f"are added to passages. `{ITEMS}` marks each change; original passages and questions can "
        "be restored from it."
    )


def _origin(manifest: Manifest) -> Iterable[str]:
    yield "## Origin"
    yield ""
    yield f"Made by {manifest.created_by} with seed {manifest.seed}. The same inputs, settings and"
    yield "seed give the same bytes."
    yield ""
    yield "### Inputs"
    yield ""
    if manifest.inputs:
        yield from _table(
            ("file", "bytes", "SHA-256"),
            [(_cell(source.file), source.bytes, source.sha256) for source in manifest.inputs],
        )
    else:
        yield "None recorded."


def _table(head: tuple[str, ...], rows: Iterable[tuple[object, ...]]) -> Iterable[str]:
    yield f"| {' | '.join(head)} |"
    yield f"| {' | '.join('---' for _ in head)} |"
    for row in rows:
        yield f"| {' | '.join(str(cell) for cell in row)} |"


def _cell(text: str) -> str:
    """Keep a name from breaking the line or the table it stands in."""
    return " ".join(text.split()).replace("|", "\\|")
