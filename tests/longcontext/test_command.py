from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from realhop_kg.audit.choices import choices_of
from realhop_kg.audit.folder import RunFolder
from realhop_kg.audit.measures.bnr import bnr
from realhop_kg.audit.reporting.records import read_run
from realhop_kg.audit.sources import frozen_items
from realhop_kg.cli.app import app
from realhop_kg.errors import InputError, OutputExistsError
from realhop_kg.freeze.reader import FrozenDataset
from realhop_kg.longcontext.choices import read_choices
from realhop_kg.longcontext.generated import generated_documents
from realhop_kg.model.text import Insertion, restore


def long(*words: object) -> tuple[int, str]:
    result = CliRunner().invoke(app, ["long", *map(str, words)])
    if result.exception and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result.exit_code, result.stdout


@pytest.fixture(scope="module")
def dataset(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("long") / "dataset"
    code, said = long(
        "construct", "--out", out, "--items", 5, "--target-tokens", "11k-14k", "--json"
    )
    assert code == 0
    assert json.loads(said)["constructed"] == 5
    return out


def test_generated_carriers_hold_what_the_check_asks_for(dataset: Path) -> None:
    code, said = long("check", dataset, "--json")
    found = json.loads(said)
    assert (code, found["problems"]) == (0, [])
    assert (found["reader"]["full"], found["reader"]["bnr"]) == (1.0, 1.0)
    assert (found["recaller"]["full"], found["recaller"]["bnr"]) == (1.0, 0.0)
    assert 10_000 < found["spread"]["least_tokens"] <= found["spread"]["most_tokens"] < 15_000


def test_a_changed_carrier_fails_the_check(dataset: Path, tmp_path: Path) -> None:
    damaged = tmp_path / "damaged"
    damaged.mkdir()
    for file in dataset.iterdir():
        text = file.read_bytes()
        (damaged / file.name).write_bytes(
            text.replace(b"telescope", b"telescop3", 1) if file.name == "items.jsonl" else text
        )
    code, said = long("check", damaged)
    assert code == 1
    assert "NOT verified" in said


def test_spread_and_options_are_printed(dataset: Path, tmp_path: Path) -> None:
    code, said = long("spread", dataset)
    assert code == 0
    assert "between hops" in said
    out = tmp_path / "choices.jsonl"
    code, said = long("choices", dataset, "--out", out, "--json")
    assert code == 0
    assert json.loads(said)["feasible"] == len(out.read_text(encoding="utf-8").splitlines()) == 5
    with pytest.raises(OutputExistsError, match="--force"):
        long("choices", dataset, "--out", out)


def test_a_run_is_the_same_with_two_workers_and_carriers_of_the_user(tmp_path: Path) -> None:
    text = tmp_path / "text"
    text.mkdir()
    line = "Chibaji Dogara lent Gabachola Nirura a telescope in 1811. "
    for number in range(12):
        (text / f"{number}.txt").write_text(line * 120 + "\n\n" + line * 90, encoding="utf-8")
    (text / "bad.txt").write_bytes(b"\xff")
    digests = []
    for workers in (1, 2):
        out = tmp_path / f"out{workers}"
        words = ("--items", 3, "--target-tokens", "11k", "--workers", workers, "--json")
        code, said = long("construct", text, "--out", out, *words)
        assert code == 0
        digests.append(json.loads(said[said.index("{") :])["digest"])
    assert digests[0] == digests[1]


def test_each_longbench_row_is_a_carrier_where_no_length_is_asked_for(tmp_path: Path) -> None:
    rows = tmp_path / "rows.jsonl"
    texts = ["\n\n".join(each.text for each in generated_documents(9_000, seed)) for seed in (1, 2)]
    with rows.open("w", encoding="utf-8") as lines:
        for number, text in enumerate(texts):
            row = {"_id": str(number), "context": text, "question": "q", "answer": "A"}
            lines.write(json.dumps(row) + "\n")
    out = tmp_path / "out"
    assert long("construct", rows, "--out", out, "--items", 2)[0] == 0
    for item, text in zip(FrozenDataset.open(out).items(), texts, strict=True):
        added: dict[int, list[Insertion]] = {}
        for insertion in item.insertions:
            added.setdefault(insertion.passage, []).append(insertion)
        restored = [restore(each.text, added.get(each.index, [])) for each in item.passages]
        assert "\n\n".join(restored) == text


def test_carriers_that_are_too_short_are_listed_with_what_to_do(tmp_path: Path) -> None:
    text = tmp_path / "short.txt"
    text.write_text("Dorian Hask sold a mill.", encoding="utf-8")
    out = tmp_path / "out"
    code, said = long("construct", text, "--out", out, "--items", 2, "--target-tokens", "50k")
    assert code == 0
    assert "1 document with 6 tokens in all do not fill 50,000; add text" in said
    lines = [json.loads(line) for line in (out / "excluded.jsonl").read_text().splitlines()]
    assert [each["code"] for each in lines] == ["H1", "H1"]
    assert lines[0]["message"].endswith("or lower --target-tokens")


def test_a_document_longer_than_the_target_is_said_to_be_taken_whole(tmp_path: Path) -> None:
    text = tmp_path / "long.txt"
    text.write_text("Dorian Hask sold a mill.\n\n" * 50, encoding="utf-8")
    words = ("construct", text, "--items", 2, "--target-tokens", "100")
    _, said = long(*words, "--out", tmp_path / "out")
    reason = (
        "longbench/w000001: even the shortest of 1 document with 300 tokens in all is longer than "
        "100: it has 300, and documents are taken whole; split long documents into several files, "
        "or change --target-tokens"
    )
    assert f"H1           {reason}\n" in said
    _, said = long(*words, "--out", tmp_path / "other", "--json")
    assert json.loads(said)["reasons"] == {"H1": reason}


def test_documents_that_do_not_add_up_to_the_target_are_said_to_be_taken_whole(
    tmp_path: Path,
) -> None:
    for name, times in (("a.txt", 10), ("b.txt", 40)):
        (tmp_path / name).write_text("Dorian Hask sold a mill.\n\n" * times, encoding="utf-8")
    words = ("construct", tmp_path, "--items", 1, "--target-tokens", "100")
    _, said = long(*words, "--out", tmp_path / "out")
    assert "of 2 documents with 300 tokens in all no choice comes near 100, and documents" in said


def test_text_is_not_generated_without_a_length(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="--target-tokens"):
        long("construct", "--out", tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_frozen_options_reach_the_prompts_of_an_audit(dataset: Path, tmp_path: Path) -> None:
    out = tmp_path / "choices.jsonl"
    long("choices", dataset, "--out", out)
    frozen = {each.id: each.options for each in read_choices(out).values()}
    asked = list(frozen_items(FrozenDataset.open(dataset), ["constructed"], choices=frozen))
    assert [choices_of(item) for item in asked] == list(frozen.values())
    drawn = list(frozen_items(FrozenDataset.open(dataset), ["constructed"]))
    assert [sorted(choices_of(item)) for item in drawn] != [[]] * len(drawn)


def audit(*words: object) -> dict[str, Any]:
    result = CliRunner().invoke(app, ["audit", *map(str, words), "--json"])
    if result.exception and not isinstance(result.exception, SystemExit):
        raise result.exception
    assert result.exit_code == 0
    found: dict[str, Any] = json.loads(result.stdout)
    return found


def test_an_audit_takes_frozen_options_and_leaves_out_items_without(
    dataset: Path, tmp_path: Path
) -> None:
    options, run = tmp_path / "choices.jsonl", tmp_path / "run"
    long("choices", dataset, "--out", options)
    lines = [json.loads(line) for line in options.read_text(encoding="utf-8").splitlines()]
    lines[0] |= {"options": [], "letter": "", "paths": [], "infeasible": "mcq-infeasible: few"}
    options.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    words = (dataset, "--model", "scripted/reader", "--model", "scripted/recaller")
    found = audit(*words, "--choices", options, "--out", run, "--conditions", "drop")
    assert (found["excluded"], found["failed"], found["optionless"]) == (1, 0, 0)
    assert json.loads((run / "excluded.jsonl").read_text())["reason"] == "mcq-infeasible: few"
    settings = json.loads((run / "run.json").read_text())["settings"]
    assert (settings["unit"], settings["sides"]) == ("spans", ["constructed"])
    assert list(settings["templates"]) == [
        "audit/choice.v1",
        "audit/closed_book.v1",
        "audit/judge.v1",
    ]
    records = read_run(RunFolder.open(run))
    assert {trial.judged_by for trial in records.trials} == {"choice"}
    reader, recaller = records.panels
    assert len(reader.items) == 4
    assert (bnr(reader).value(), bnr(recaller).value()) == (1, 0)
    with pytest.raises(InputError, match="choices"):
        audit(*words, "--out", run, "--conditions", "drop", "--side", "constructed")


def test_bare_carriers_are_not_audited(dataset: Path, tmp_path: Path) -> None:
    run = tmp_path / "run"
    audit(dataset, "--model", "scripted/recaller", "--out", run, "--conditions", "full")
    assert RunFolder.open(run).settings.sides == ("constructed",)
    words = ["audit", str(dataset), "--model", "scripted/recaller", "--side", "source"]
    refused = CliRunner().invoke(app, [*words, "--out", str(tmp_path / "other")])
    assert isinstance(refused.exception, InputError)
    assert not (tmp_path / "other").exists()


def test_options_of_other_questions_are_refused(dataset: Path, tmp_path: Path) -> None:
    options = tmp_path / "choices.jsonl"
    long("choices", dataset, "--out", options)
    words = (dataset, "--model", "scripted/recaller", "--out", tmp_path / "run")
    with pytest.raises(InputError, match="constructed questions"):
        audit(*words, "--choices", options, "--side", "both")
    with pytest.raises(InputError, match="shows no options"):
        audit(*words, "--choices", options, "--template", "solver=multihop.v1")
    text = options.read_text(encoding="utf-8")
    options.write_text(text.replace('"question":"', '"question":"Once: '), encoding="utf-8")
    with pytest.raises(InputError, match="another question"):
        audit(*words, "--choices", options)


def test_a_drop_of_spans_may_take_sentences_that_name_both_ends(dataset: Path) -> None:
    [item, *_] = frozen_items(FrozenDataset.open(dataset), ["constructed"], "spans")
    assert [unit.endpoints[-1] for unit in item.units][-1] == item.answer
    whole = next(frozen_items(FrozenDataset.open(dataset), ["constructed"], "passage"))
    assert [unit.endpoints for unit in whole.units] == [()] * len(whole.units)
