from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from graph_builders.base import Excluded, builder, builder_names
from realhop_kg.cli.app import app
from realhop_kg.errors import InputError
from realhop_kg.freeze.reader import FrozenDataset
from realhop_kg.freeze.verify import verify
from realhop_kg.model.item import SourceItem


def settings(folder: Path, text: str) -> Path:
    path = folder / "worlds.yaml"
    path.write_text(text, encoding="utf-8")
    return path


def test_the_builder_is_known_by_name_and_streams_the_items_that_are_asked_for(
    tmp_path: Path,
) -> None:
    assert "fictional" in builder_names()
    path = settings(tmp_path, "items: 1000000\nhops: [2]\n")
    read = builder("fictional").read(path, 2)
    found = [next(read), next(read)]
    assert next(read, None) is None
    assert [item.id for item in found] == ["w000001", "w000002"]
    assert all(isinstance(item, SourceItem) and item.line for item in found)


def test_a_shape_that_cannot_be_drawn_is_listed_and_the_rest_goes_on(tmp_path: Path) -> None:
    path = settings(tmp_path, 'items: 2\nshapes: ["1>5,2>5,3>5,4>5", "1>2"]\n')
    first, second = builder("fictional").read(path)
    assert isinstance(first, Excluded)
    assert (first.code, first.field, first.line) == ("Q2", "shapes", 1)
    assert isinstance(second, SourceItem)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("items: 0\n", "items: Input should be greater"),
        ("item: 3\n", "item: Extra inputs"),
        ("hops: [7]\n", "numbers from 2 to 6"),
        ("hops: []\n", "name `hops` or `shapes`"),
        ('shapes: ["1>1"]\n', "is no edge|from a hop to a later one|none left out"),
        ("- 1\n", "has no settings of worlds"),
        ("a: [\n", "is no YAML"),
        ("!!python/object/apply:os.system ['true']\n", "is no YAML"),
        ("", "has no settings of worlds"),
    ],
)
def test_a_settings_file_that_is_wrong_is_told_in_one_sentence(
    tmp_path: Path, text: str, told: str
) -> None:
    with pytest.raises(InputError, match=told):
        next(builder("fictional").read(settings(tmp_path, text)))


def test_a_file_that_is_no_text_or_not_there_is_told(tmp_path: Path) -> None:
    path = tmp_path / "worlds.yaml"
    path.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(InputError, match="is no YAML"):
        next(builder("fictional").read(path))
    with pytest.raises(InputError, match="cannot be read"):
        next(builder("fictional").read(tmp_path / "none.yaml"))


def test_worlds_are_constructed_frozen_and_verified_by_the_usual_commands(tmp_path: Path) -> None:
    path = settings(tmp_path, "items: 4\nseed: 7\nhops: [2, 4]\n")
    out = tmp_path / "worlds"
    command = ["construct", str(path), "--dataset", "fictional", "--json", "--out"]
    run = CliRunner().invoke(app, [*command, str(out)])
    assert run.exit_code == 0, run.output
    assert json.loads(run.stdout)["constructed"] == 4
    assert verify(out).ok
    assert {item.dataset for item in FrozenDataset.open(out).items()} == {"fictional"}
    again = CliRunner().invoke(app, [*command, str(tmp_path / "again")])
    assert json.loads(again.stdout)["digest"] == json.loads(run.stdout)["digest"]
