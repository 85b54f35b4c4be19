from __future__ import annotations

import pytest

from realhop_kg.resources import load_yaml, resource_folder


@pytest.mark.parametrize("name", ["cypher", "prompts", "relations", "construct", "data"])
def test_bundled_folders_are_found(name: str) -> None:
    folder = resource_folder(name)
    assert folder.is_dir()
    assert folder.name == name
    assert any(folder.iterdir())


def test_a_missing_folder_is_named() -> None:
    with pytest.raises(FileNotFoundError, match="lacks its resource folder 'recipes'"):
        resource_folder("recipes")


def test_a_yaml_resource_is_parsed_once() -> None:
    assert load_yaml("relations", "types.yaml")["thing"] == {"noun": "thing"}
    assert load_yaml("relations", "types.yaml") is load_yaml("relations", "types.yaml")
