"""Where a dataset comes from, as PROV-O: the run, its inputs, its model calls, and the freeze.

A frozen folder says which model was asked at which stage, how, and by which template: one activity
for the calls of a stage. Which of them went into an item stands in the item's own graph, by key.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from pydantic import Field

from realhop_kg.errors import InputError
from realhop_kg.model.record import Record
from realhop_kg.stores.rdf import calls_iri, dataset_iri, part, property_iri, run_iri
from realhop_kg.stores.rdf_terms import PROV, RDF, RH, Iri, Literal, Triple

if TYPE_CHECKING:
    from rdflib import Dataset
    from rdflib.term import Node

__all__ = ["Calls", "Source", "dataset_triples", "read_source"]


class Calls(Record):
    """The calls of one stage."""

    model: str
    """As the provider layer names it."""
    settings: dict[str, str] = Field(default_factory=dict)
    """Parameters of every call, and how it asks for JSON."""
    templates: tuple[str, ...] = ()
    """Ids of the prompt templates, sorted."""


class Source(Record):
    """Where a dataset comes from, for its provenance."""

    scope: str
    software: str
    digest: str
    """Digest of the frozen dataset."""
    seed: int
    settings: dict[str, str] = Field(default_factory=dict)
    inputs: dict[str, str] = Field(default_factory=dict)
    """SHA-256 by name of each file that the run read."""
    templates: dict[str, str] = Field(default_factory=dict)
    """SHA-256 by id of each prompt template by which a model was asked."""
    calls: dict[str, Calls] = Field(default_factory=dict)
    """By stage, where models filled it."""


_A = Iri(RDF + "type")


def dataset_triples(source: Source) -> Iterator[Triple]:
    """Yield where a dataset comes from: the run, its inputs, prompts and calls, and the freeze."""
    dataset, run = dataset_iri(source.scope), run_iri(source.scope)
    freeze, agent = Iri(f"{dataset}#freeze"), Iri(f"urn:realhop:software:{part(source.software)}")
    yield agent, _A, Iri(PROV + "SoftwareAgent")
    yield agent, property_iri("key"), Literal(source.software)
    for activity, kind in ((run, "Construction"), (freeze, "Freeze")):
        yield activity, _A, Iri(PROV + "Activity")
        yield activity, _A, Iri(RH + kind)
        yield activity, Iri(PROV + "wasAssociatedWith"), agent
    yield freeze, Iri(PROV + "wasInformedBy"), run
    yield run, property_iri("seed"), Literal(source.seed)
    yield from _settings(run, source.settings)
    for kind, used in (("Input", source.inputs), ("PromptTemplate", source.templates)):
        for name, digest in used.items():
            own = _used(dataset, kind, name)
            yield run, Iri(PROV + "used"), own
            yield own, _A, Iri(PROV + "Entity")
            yield own, _A, Iri(RH + kind)
            yield own, property_iri("key"), Literal(name)
            yield own, property_iri("sha256"), Literal(digest)
    for stage, calls in source.calls.items():
        yield from _calls(source.scope, dataset, run, stage, calls)
    yield dataset, _A, Iri(PROV + "Entity")
    yield dataset, property_iri("scope"), Literal(source.scope)
    yield dataset, property_iri("sha256"), Literal(source.digest)
    yield dataset, Iri(PROV + "wasGeneratedBy"), freeze


def _used(dataset: Iri, kind: str, name: str) -> Iri:
    return Iri(f"{dataset}#{kind}/{part(name)}")


def _settings(activity: Iri, settings: Mapping[str, str]) -> Iterator[Triple]:
    for name, value in settings.items():
        setting = Iri(f"{activity}/{part(name)}")
        yield activity, property_iri("setting"), setting
        yield setting, property_iri("key"), Literal(name)
        yield setting, Iri(RDF + "value"), Literal(value)


def _calls(scope: str, dataset: Iri, run: Iri, stage: str, calls: Calls) -> Iterator[Triple]:
    own, model = (
        calls_iri(scope, stage),
        Iri(f"urn:realhop:model:{part(calls.model)}"),
    )
    yield own, _A, Iri(PROV + "Activity")
    yield own, _A, Iri(RH + "ModelCalls")
    yield own, property_iri("stage"), Literal(stage)
    yield own, Iri(PROV + "wasAssociatedWith"), model
    yield model, _A, Iri(PROV + "SoftwareAgent")
    yield model, property_iri("key"), Literal(calls.model)
    yield from _settings(own, calls.settings)
    for template in calls.templates:
        yield own, Iri(PROV + "used"), _used(dataset, "PromptTemplate", template)
    yield run, Iri(PROV + "wasInformedBy"), own


def read_source(dataset: Dataset) -> Source:
    """Return where a dataset comes from, of RDF that `dataset_triples` gave.

    Raises:
        InputError: if the RDF does not say it, or says it of more than one dataset.
    """
    from rdflib import Graph, URIRef

    told = Graph()
    for subject, predicate, value, _ in dataset.quads((None, None, None, None)):
        told.add((subject, predicate, value))

    def one(subject: Node, predicate: str) -> Node:
        found = list(told.objects(subject, URIRef(predicate)))
        if len(found) != 1:
            raise InputError(f"no provenance: {subject} has {len(found)} values of {predicate}")
        return found[0]

    def key(subject: Node) -> str:
        return str(one(subject, RH + "key"))

    def all_of(kind: str) -> list[Node]:
        return list(told.subjects(URIRef(_A), URIRef(RH + kind)))

    def settings(activity: Node) -> dict[str, str]:
        named = told.objects(activity, URIRef(RH + "setting"))
        return dict(sorted((key(each), str(one(each, RDF + "value"))) for each in named))

    def digests(kind: str) -> dict[str, str]:
        return dict(sorted((key(each), str(one(each, RH + "sha256"))) for each in all_of(kind)))

    runs = all_of("Construction")
    if len(runs) != 1:
        raise InputError(f"no provenance of one dataset: the RDF tells of {len(runs)} runs")
    whole = URIRef(str(runs[0]).removesuffix("#run"))
    used = URIRef(PROV + "used")
    return Source(
        scope=str(one(whole, RH + "scope")),
        software=key(one(runs[0], PROV + "wasAssociatedWith")),
        digest=str(one(whole, RH + "sha256")),
        seed=int(str(one(runs[0], RH + "seed"))),
        settings=settings(runs[0]),
        inputs=digests("Input"),
        templates=digests("PromptTemplate"),
        calls={
            str(one(each, RH + "stage")): Calls(
                model=key(one(each, PROV + "wasAssociatedWith")),
                settings=settings(each),
                templates=tuple(sorted(key(template) for template in told.objects(each, used))),
            )
            for each in all_of("ModelCalls")
        },
    )
