"""Describes a dataset folder as Croissant 1.0 metadata (JSON-LD), which data search engines read.

Source: MLCommons Croissant Format Specification 1.0.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from realhop_kg.freeze.manifest import (
    EXCLUDED,
    GRAPHS,
    ITEMS,
    RELATIONS,
    FileEntry,
    Manifest,
    Terms,
)

__all__ = ["croissant"]

_CONTEXT: dict[str, Any] = {
    "@language": "en",
    "@vocab": "https://schema.org/",
    "citeAs": "cr:citeAs",
    "column": "cr:column",
    "conformsTo": "dct:conformsTo",
    "cr": "http://mlcommons.org/croissant/",
    "rai": "http://mlcommons.org/croissant/RAI/",
    "data": {"@id": "cr:data", "@type": "@json"},
    "dataType": {"@id": "cr:dataType", "@type": "@vocab"},
    "dct": "http://purl.org/dc/terms/",
    "equivalentProperty": "cr:equivalentProperty",
    "examples": {"@id": "cr:examples", "@type": "@json"},
    "extract": "cr:extract",
    "field": "cr:field",
    "fileProperty": "cr:fileProperty",
    "fileObject": "cr:fileObject",
    "fileSet": "cr:fileSet",
    "format": "cr:format",
    "includes": "cr:includes",
    "isLiveDataset": "cr:isLiveDataset",
    "jsonPath": "cr:jsonPath",
    "key": "cr:key",
    "md5": "cr:md5",
    "parentField": "cr:parentField",
    "path": "cr:path",
    "recordSet": "cr:recordSet",
    "references": "cr:references",
    "regex": "cr:regex",
    "repeated": "cr:repeated",
    "replace": "cr:replace",
    "samplingRate": "cr:samplingRate",
    "sc": "https://schema.org/",
    "separator": "cr:separator",
    "source": "cr:source",
    "subField": "cr:subField",
    "transform": "cr:transform",
}
"""The context that the specification gives."""

_DESCRIPTIONS = {
    ITEMS: "Constructed questions, one a line, with passages, hops and competitor paths.",
    EXCLUDED: "Records that are not in the dataset, one a line, with code and reason.",
    GRAPHS: "The typed graph of each item, one a line, as node-link data.",
    RELATIONS: "The predicates of the graphs, what each entails, and the tree of entity types.",
}


def croissant(
    manifest: Manifest,
    description: str = "",
    records: dict[str, Any] | None = None,
    files: Mapping[str, str] | None = None,
) -> dict[str, Any]:
    """Return the Croissant metadata of a dataset.

    Args:
        manifest: with the entries of the four data files.
        description: what the dataset is; that of REALHOP items where none is given.
        records: the record set of its items, likewise.
        files: what each data file holds, likewise.
    """
    return {
        "@context": _CONTEXT,
        "@type": "sc:Dataset",
        # Hubs and readers use the name in file names.
        "name": re.sub(r"[^A-Za-z0-9_.-]+", "-", manifest.name).strip("-") or "realhop",
        "description": description or _description(manifest),
        "conformsTo": "http://mlcommons.org/croissant/1.0",
        "license": manifest.terms.licence_url or manifest.terms.licence,
        "citeAs": _cite(manifest.terms),
        "version": f"{manifest.schema_version}.0.0",
        "keywords": ["multi-hop", "question answering", "benchmark", "knowledge graph"],
        "inLanguage": "en",
        "isLiveDataset": False,
        "distribution": [
            _file(name, manifest.files[name], (files or _DESCRIPTIONS)[name])
            for name in (ITEMS, EXCLUDED, GRAPHS, RELATIONS)
        ],
        "recordSet": [records or _items()],
    }


def _description(manifest: Manifest) -> str:
    counts = manifest.counts
    return (
        f"{counts.constructed} multi-hop questions with {counts.hops} hops, constructed from "
        f"{manifest.dataset} questions by realhop-kg: entities are virtual, every hop is needed, "
        f"and complete competing paths stand in the context. Benchmark data, not for training; "
        f"canary GUID {manifest.canary}."
    )


def _cite(terms: Terms) -> str:
    return f"{terms.attribution.strip()} Licence of the source text: {terms.licence}."


def _file(name: str, entry: FileEntry, description: str) -> dict[str, Any]:
    return {
        "@type": "cr:FileObject",
        "@id": name,
        "name": name,
        "description": description,
        "contentUrl": name,
        "contentSize": f"{entry.bytes} B",
        "encodingFormat": "application/jsonlines"
        if entry.records is not None
        else "application/json",
        "sha256": entry.sha256,
    }


def _items() -> dict[str, Any]:
    return {
        "@type": "cr:RecordSet",
        "@id": "items",
        "name": "items",
        "description": "Question, reference answer and context of every constructed item.",
        "key": {"@id": "items/id"},
        "field": [
            _field("id", "Key of the item: source dataset and id."),
            _field("topology", "Shape of the dependency graph of the hops."),
            _field("question", "The constructed question."),
            _field("answer", "The gold answer."),
            _field("aliases", "Other accepted answers.", repeated=True),
            _nested(
                "passages",
                "The context, in order.",
                index=("sc:Integer", "Position in the context, from 0."),
                title=("sc:Text", "Title of the passage."),
                text=("sc:Text", "Text of the passage with its insertions."),
            ),
            _nested(
                "hops",
                "The steps of the question; each is the target of one deletion.",
                index=("sc:Integer", "Number of the step, from 1."),
                wording=("sc:Text", "The part of the question that voices the step."),
                answer=("sc:Text", "Answer of the step."),
                support=("sc:Integer", "Index of the passage that a deletion removes."),
            ),
        ],
    }


def _field(name: str, description: str, *, repeated: bool = False) -> dict[str, Any]:
    field = {
        "@type": "cr:Field",
        "@id": f"items/{name}",
        "name": name,
        "description": description,
        "dataType": "sc:Text",
        "source": _source(name),
    }
    return {**field, "repeated": True} if repeated else field


def _source(name: str) -> dict[str, Any]:
    # Without `$.`: the reference reader takes the path of a JSON lines field as its key.
    return {"fileObject": {"@id": ITEMS}, "extract": {"jsonPath": name}}


def _nested(name: str, description: str, **parts: tuple[str, str]) -> dict[str, Any]:
    """Return a field whose values are lists of objects."""
    return {
        "@type": "cr:Field",
        "@id": f"items/{name}",
        "name": name,
        "description": description,
        "repeated": True,
        "subField": [
            {
                "@type": "cr:Field",
                "@id": f"items/{name}/{part}",
                "name": part,
                "description": meaning,
                "dataType": data_type,
                "source": {**_source(name), "transform": {"jsonPath": part}},
            }
            for part, (data_type, meaning) in parts.items()
        ],
    }
