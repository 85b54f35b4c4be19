"""Drops of a REALHOP dataset are asked with the passages that they leave."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from realhop_kg.cli.app import app
from realhop_kg.cli.refusal_asked import read_questions
from realhop_kg.errors import InputError
from realhop_kg.refusal.drops_dataset import freeze_drops
from realhop_kg.refusal.drops_reader import DropsDataset
from realhop_kg.resources import resource_folder
from tests.freeze.samples import write_dataset


@pytest.fixture(scope="module")
def drops(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("drops")
    write_dataset(folder / "sample", items=2, excluded=0)
    freeze_drops(folder / "sample", folder / "set")
    return folder / "set"


def test_a_prompt_holds_every_passage_that_is_left_and_no_word_of_refusing(drops: Path) -> None:
    settings, questions = read_questions(drops, False, None, None)
    assert settings.template.startswith("refusal/grounded.v1 ")
    kept = list(DropsDataset.open(drops).items())
    assert [each.item for each in questions] == [each.id for each in kept]
    for asked, drop in zip(questions, kept, strict=True):
        assert asked.prompt.endswith(f"Question: {drop.question}")
        parts = [f"{passage.title}\n{passage.text}\n" for passage in drop.passages]
        places = [asked.prompt.index(part) for part in parts]
        assert places == sorted(places)
        bare = asked.prompt.replace(drop.question, "")
        for part in parts:
            bare = bare.replace(part, "")
        told = "Read the passages and answer the question from what they say. Passages: Question:"
        assert " ".join(bare.split()) == told


def test_drops_are_run_judged_and_reported_like_other_questions(
    drops: Path, tmp_path: Path
) -> None:
    out, states = tmp_path / "runs", {"halts-right": "TACH", "answers": "SHD"}
    for name in states:
        words = ["refusal", "run", str(drops), "--model", f"scripted/{name}", "--out", str(out)]
        assert CliRunner().invoke(app, words).exit_code == 0
    assert CliRunner().invoke(app, ["refusal", "judge", str(out)]).exit_code == 0
    judged = [json.loads(line) for line in (out / "judged.jsonl").read_text().splitlines()]
    assert {(each["model"], each["state"]["state"]) for each in judged} == {
        (f"scripted/{name}", state) for name, state in states.items()
    }
    done = CliRunner().invoke(app, ["refusal", "report", str(out), "--resamples", "0"])
    assert done.exit_code == 0
    assert "scripted/halts-right  no_search" in done.stdout
    assert (out / "report.html").is_file()


def test_drops_are_not_searched_for(drops: Path) -> None:
    with pytest.raises(InputError, match="asked with their passages"):
        read_questions(drops, True, None, None)


def test_a_template_of_ones_own_is_one_message_of_the_user(drops: Path, tmp_path: Path) -> None:
    text = (resource_folder("prompts") / "refusal" / "grounded.v1.jinja").read_text()
    own = tmp_path / "grounded.v2.jinja"
    own.write_text(text.replace("version: 1", "version: 2").replace("from what", "by what"))
    settings, [first, *_] = read_questions(drops, False, tmp_path, 1)
    assert settings.template.startswith("refusal/grounded.v2 ")
    assert "by what they say" in first.prompt
    own.write_text(own.read_text().replace("[user]", "[system]\nBe brief.\n[user]"))
    with pytest.raises(InputError, match="one part"):
        read_questions(drops, False, tmp_path, 1)
