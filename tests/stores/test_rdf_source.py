"""Where a dataset comes from, in RDF: what its manifest says, model calls too, and back."""

from __future__ import annotations

from pathlib import Path

import pytest
from rdflib import Dataset, Graph, URIRef

from realhop_kg.cli.loading import source_of
from realhop_kg.errors import InputError
from realhop_kg.freeze.manifest import read_manifest
from realhop_kg.graph.build import CONSTRUCTED
from realhop_kg.graph.schema import ItemNode
from realhop_kg.settings import ModelsConfig, StageModel
from realhop_kg.stores.rdf import item_triples
from realhop_kg.stores.rdf_read import parse_dataset
from realhop_kg.stores.rdf_source import Calls, Source, dataset_triples, read_source
from realhop_kg.stores.rdf_terms import PROV, RDF, RH, quads
from tests.freeze.samples import write_dataset
from tests.stores.conftest import Graphs
from tests.stores.test_load import HOSTILE

PLAIN = Source(scope="set", software="realhop-kg 1", digest="d1", seed=3)
ASKED = Source(
    scope="set",
    software="realhop-kg 1",
    digest="d1",
    seed=3,
    settings={"dataset": "musique", "limit": "null"},
    inputs={"questions.jsonl": "f1"},
    templates={"construct/plan.v1": "t1", "construct/realize.v1": "t2", "construct/reask.v1": "t3"},
    calls={
        "plan": Calls(
            model="openai/gpt-4o-mini",
            settings={"json_mode": "schema", "temperature": "0"},
            templates=("construct/plan.v1", "construct/reask.v1"),
        ),
        "realize": Calls(
            model="openai/gpt-4o",
            settings={"json_mode": "off"},
            templates=("construct/realize.v1", "construct/reask.v1"),
        ),
    },
)


def _back(source: Source) -> Source:
    return read_source(parse_dataset("\n".join(quads(dataset_triples(source)))))


@pytest.mark.parametrize("source", [PLAIN, ASKED], ids=["rules", "models"])
def test_the_provenance_comes_back_whole(source: Source) -> None:
    back = _back(source)
    assert back == source
    assert sorted(quads(dataset_triples(back))) == sorted(quads(dataset_triples(source)))


def test_calls_are_activities_by_a_model_with_prompts_that_the_run_was_informed_by() -> None:
    told = Graph().parse(data="\n".join(quads(dataset_triples(ASKED))), format="nt")
    (run,) = told.subjects(URIRef(RH + "seed"))
    models = {}
    for calls in told.objects(run, URIRef(PROV + "wasInformedBy")):
        (stage,) = told.objects(calls, URIRef(RH + "stage"))
        (agent,) = told.objects(calls, URIRef(PROV + "wasAssociatedWith"))
        prompts = {
            str(digest)
            for used in told.objects(calls, URIRef(PROV + "used"))
            for digest in told.objects(used, URIRef(RH + "sha256"))
        }
        models[str(stage)] = (str(told.value(agent, URIRef(RH + "key"))), prompts)
    assert models == {
        "plan": ("openai/gpt-4o-mini", {"t1", "t3"}),
        "realize": ("openai/gpt-4o", {"t2", "t3"}),
    }


def test_calls_that_went_into_an_item_are_part_of_those_of_their_stage(some: Graphs) -> None:
    key, graph = next(iter(some.items()))
    assert not any("ModelCall" in line for line in quads(item_triples("set", key, graph)))
    asked = graph.copy()
    replies = ["plan: k1", "realize: k2"]
    asked.add(asked.get(CONSTRUCTED, ItemNode).model_copy(update={"replies": replies}))
    lines = [*quads(item_triples("set", key, asked)), *quads(dataset_triples(ASKED))]
    told = Graph().parse(data="\n".join(lines), format="nt")
    kinds = {}
    for call in told.subjects(URIRef(RDF + "type"), URIRef(RH + "ModelCall")):
        (stage,) = told.objects(told.value(call, URIRef(RH + "partOf")), URIRef(RH + "stage"))
        (informed,) = told.subjects(URIRef(PROV + "wasInformedBy"), call)
        kind = set(told.objects(informed, URIRef(RDF + "type"))) - {URIRef(PROV + "Activity")}
        kinds[str(told.value(call, URIRef(RH + "key")))] = (str(stage), kind)
    assert kinds == {
        "k1": ("plan", {URIRef(RH + "Planning")}),
        "k2": ("realize", {URIRef(RH + "Realization")}),
    }


@pytest.mark.parametrize("text", HOSTILE[:-1], ids=range(len(HOSTILE) - 1))
def test_hostile_names_stay_names(text: str) -> None:
    hostile = Source(
        scope=text,
        software=text,
        digest="d",
        seed=0,
        settings={text: text},
        inputs={text: text},
        templates={text: text},
        calls={text: Calls(model=text, settings={text: text}, templates=(text,))},
    )
    assert _back(hostile) == hostile


def test_what_a_manifest_says_of_models_is_what_rdf_says(tmp_path: Path) -> None:
    write_dataset(tmp_path / "set", items=1, excluded=0)
    manifest = read_manifest(tmp_path / "set")
    assert source_of(manifest, "set").calls == {}
    config = ModelsConfig(
        dataset="musique",
        backend={"plan": "llm"},
        stages={"plan": StageModel(model="openai/x", parameters={"temperature": 0.5})},
    ).model_dump(mode="json")
    asked = manifest.model_copy(update={"config": config, "templates": ASKED.templates})
    source = source_of(asked, "set")
    assert source.calls == {
        "plan": Calls(
            model="openai/x",
            settings={"json_mode": "off", "temperature": "0.5"},
            templates=("construct/plan.v1", "construct/reask.v1"),
        )
    }
    assert source.settings["backend"] == '{"plan": "llm"}'
    assert _back(source) == source
    broken = manifest.model_copy(update={"config": {"stages": {"plan": 3}}})
    with pytest.raises(InputError, match="'plan'"):
        source_of(broken, "set")


def test_rdf_without_provenance_is_refused() -> None:
    with pytest.raises(InputError, match="0 runs"):
        read_source(Dataset())
    lines = [*quads(dataset_triples(PLAIN))]
    with pytest.raises(InputError, match="seed"):
        read_source(parse_dataset("\n".join(line for line in lines if "seed" not in line)))
