from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from pydantic import ValidationError

from graph_builders.base import Excluded, builder, builder_names
from realhop_kg.errors import InputError
from realhop_kg.model.finding import Code

ROOT = Path(__file__).resolve().parents[2]
GONE = Excluded(
    dataset="musique", file="a.jsonl", line=3, id="q\n1", code=Code.B2, field="answer", message="m"
)


@pytest.mark.parametrize("name", builder_names())
def test_every_builder_is_found_by_its_name(name: str):
    assert builder(name).name == name


def test_an_unknown_dataset_is_refused_with_the_names_there_are():
    with pytest.raises(InputError, match=r'no dataset "squad" .* one of distractors, .*, twowiki$'):
        builder("squad")


def test_the_names_are_known_without_loading_a_builder_or_anything_heavy():
    script = (
        "import sys, graph_builders.base as base; base.builder_names(); "
        "print(*[name for name in ('networkx', 'numpy', 'graph_builders.musique') "
        "if name in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == []


def test_an_exclusion_reads_as_one_line():
    assert GONE.sentence == 'a.jsonl:3 "q\\n1": B2 m'
    assert GONE.model_copy(update={"id": ""}).sentence == "a.jsonl:3: B2 m"


def test_an_exclusion_survives_json_and_is_closed():
    assert Excluded.model_validate_json(GONE.model_dump_json()) == GONE
    with pytest.raises(ValidationError):
        Excluded.model_validate({**GONE.model_dump(), "more": 1})
