"""Each source maps its own field to a cause, and its controls are never taken for seeds."""

from __future__ import annotations

import bz2
import gzip
import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from graph_builders.seeds import (
    LeftOut,
    NotSeed,
    detect,
    distinct,
    seed_builder,
    seed_sources,
)
from graph_builders.seeds_worldsense import without_options
from realhop_kg.errors import InputError
from realhop_kg.model.refusal import Cause, Seed, SeedTerms

Write = Callable[..., Path]


def read(source: str, path: Path) -> list[Seed | NotSeed]:
    return list(seed_builder(source).read(path))


def tally(outcomes: list[Seed | NotSeed]) -> dict[str, int]:
    return dict(Counter(str(o.cause if isinstance(o, Seed) else o.why) for o in outcomes))


SAMPLES = {
    "coconot/coconot_eval.sample.jsonl": {"AU": 18, "FP": 16, "UC": 16, "other cause": 10},
    "coconot/coconot_contrast_eval.sample.jsonl": {"control": 10},
    "bigbench_known_unknowns/task.sample.json": {"AU": 15, "control": 15},
    "kuq/knowns_unknowns.sample.jsonl": {
        "AU": 24, "FP": 14, "UC": 12, "other cause": 6, "control": 4
    },
    "falseqa/train.sample.csv": None,
    "falseqa/test.sample.csv": None,
    "qaqa/paper_table5_record.json": {"FP": 1},
    "worldsense/trials_10k.sample.jsonl": None,
    "worldsense/test_trials.sample.jsonl": None,
}  # fmt: skip


@pytest.mark.parametrize("name", SAMPLES)
def test_public_samples_are_told_apart_and_counted(shared_data: Path, name: str) -> None:
    path = shared_data / "refusal" / name
    found = detect(path)
    assert found.name == name.split("/")[0].removesuffix("_known_unknowns")
    outcomes = list(found.read(path))
    if SAMPLES[name] is not None:
        assert tally(outcomes) == SAMPLES[name]
    for outcome in outcomes:
        if isinstance(outcome, Seed):
            assert outcome.question
            assert outcome.terms == found.terms
            assert (outcome.source, outcome.file) == (found.name, path.name)


def test_a_sample_of_falseqa_agrees_with_its_labels(shared_data: Path) -> None:
    for name, reasons in (("train", 1), ("test", 3)):
        outcomes = read("falseqa", shared_data / "refusal" / "falseqa" / f"{name}.sample.csv")
        seeds = [outcome for outcome in outcomes if isinstance(outcome, Seed)]
        assert 2 * len(seeds) >= len(outcomes)
        assert {seed.cause for seed in seeds} == {Cause.FP}
        assert {len(seed.rationales) for seed in seeds} == {reasons}


def test_a_sample_of_worldsense_loses_its_options(shared_data: Path) -> None:
    folder = shared_data / "refusal" / "worldsense"
    for name in ("trials_10k.sample.jsonl", "test_trials.sample.jsonl"):
        outcomes = read("worldsense", folder / name)
        assert tally(outcomes).keys() == {"UC", "control"}
        for seed in outcomes:
            if isinstance(seed, Seed):
                assert "impossible to decide" in seed.original
                assert "(1)" not in seed.question
                assert "impossible" not in seed.question
                assert seed.question.endswith("?")


ASKED = {"question": "Who sank the Grey Heron?", "answer": ["nobody knows"]}


def test_coconot_takes_three_subcategories_and_nothing_of_the_contrast_set(
    write_lines: Write, tmp_path: Path
) -> None:
    rows = [
        {"id": str(n), "category": "c", "subcategory": sub, "prompt": f"Ask {n}", "response": ""}
        for n, sub in enumerate(
            ["universal unknowns", "false presuppositions", "underspecified", "incomprehensible"]
        )
    ]
    outcomes = read("coconot", write_lines(*rows, name="eval.jsonl"))
    assert tally(outcomes) == {"AU": 1, "FP": 1, "UC": 1, "other cause": 1}
    assert outcomes[0].id == "coconot/0"  # type: ignore[union-attr]
    assert tally(read("coconot", write_lines(*rows, name="contrast_eval.jsonl"))) == {"control": 4}
    (tmp_path / "contrast").mkdir()
    inside = tmp_path / "contrast" / "test.jsonl"
    inside.write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    assert tally(read("coconot", inside)) == {"control": 4}


def test_kuq_reads_causes_and_knowns_without_a_category(write_lines: Write) -> None:
    rows = [
        ASKED | {"unknown": True, "category": "unsolved problem"},
        ASKED | {"unknown": True, "category": "ambiguous"},
        ASKED | {"unknown": True, "category": "controversial"},
        ASKED | {"unknown": False},
        ASKED | {"unknown": "maybe"},
    ]
    outcomes = read("kuq", write_lines(*rows))
    assert tally(outcomes) == {"AU": 1, "UC": 1, "other cause": 1, "control": 1, "unreadable": 1}
    assert outcomes[0].rationales == ("nobody knows",)  # type: ignore[union-attr]
    assert outcomes[0].category == "unsolved problem"  # type: ignore[union-attr]


def test_falseqa_reads_one_answer_and_a_list_written_as_text(tmp_path: Path) -> None:
    path = tmp_path / "test.csv"
    path.write_text(
        "question,answer,label\r\n"
        'Why do stones sing?,"[""They don\'t."", \'No stone sings.\']",1\r\n'
        '"Why, of all, do\nmills bark?",They do not.,1\r\n'
        "Why do [dogs] bark?,[They like it],1\r\n"
        "What is corn?,A plant.,0\r\n"
        "What?,Odd.,2\r\n"
        "Short\r\n"
    )
    outcomes = read("falseqa", path)
    assert tally(outcomes) == {"FP": 3, "control": 1, "unreadable": 2}
    assert [o.rationales for o in outcomes if isinstance(o, Seed)] == [
        ("They don't.", "No stone sings."), ("They do not.",), ("[They like it]",)
    ]  # fmt: skip
    assert [o.line for o in outcomes] == [2, 3, 5, 6, 7, 8]
    assert outcomes[1].question == "Why, of all, do mills bark?"  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("valid", "expected"),
    [("has_invalid", "FP"), ("False", "FP"), ("all_valid", "control"), ("?", "unreadable")],
)
def test_qaqa_reads_the_released_file_and_the_papers_record(
    tmp_path: Path, write_lines: Write, valid: str, expected: str
) -> None:
    row = {
        "question": "who sank the grey heron",
        "abstractive_answer": "It was broken up.",
        "all_assumptions_valid": valid,
        "questionable_assumption": "someone sank the grey heron",
    }
    path = tmp_path / "set.csv"
    path.write_text(f"{','.join(row)}\n{','.join(row.values())}\n")
    for found in (read("qaqa", path), read("qaqa", write_lines(row))):
        assert tally(found) == {expected: 1}
        if isinstance(found[0], Seed):
            assert found[0].question == "who sank the grey heron?"
            assert found[0].premise == "someone sank the grey heron"
            assert found[0].rationales == ("It was broken up.",)


def test_known_unknowns_are_read_from_the_task_and_from_its_copy(
    tmp_path: Path, write_lines: Write
) -> None:
    examples = [
        {"input": "What did Marit Osk dream?", "target_scores": {"Tea": 0, "Unknown": 1}},
        {"input": "When was she born?", "target_scores": {"1719": 1, "Unknown": 0}},
        {"input": 7},
    ]
    task = tmp_path / "task.json"
    task.write_text(json.dumps({"name": "known_unknowns", "examples": examples}, indent=2))
    outcomes = read("bigbench", task)
    assert tally(outcomes) == {"AU": 1, "control": 1, "unreadable": 1}
    copy = write_lines(
        {
            "inputs": "Q: What did Marit Osk dream?\n  choice: Tea\n  choice: Unknown\nA:",
            "multiple_choice_targets": ["Tea", "Unknown"],
            "multiple_choice_scores": [0, 1],
        }
    )
    assert detect(copy).name == "bigbench"
    copied = read("bigbench", copy)
    assert copied[0].question == outcomes[0].question  # type: ignore[union-attr]
    assert outcomes[0].question == "What did Marit Osk dream?"  # type: ignore[union-attr]


TRIAL = (
    "Three ships came in: the Heron before the Orla. \n"
    "Choose one of the following alternatives: (1) The Lady came first, (2) The Lady came last, "
    "or (3) it is impossible to decide.\nOnly respond with (1), (2) or (3)."
)


def test_worldsense_reads_both_forms_also_bzipped(tmp_path: Path) -> None:
    def trained(gold: str) -> dict:
        messages = [{"role": "user", "content": TRIAL}]
        return {"dialog_history": {"messages": messages}, "target_message": gold}

    rows = [
        trained("3"), trained("1"), trained("POSSIBLE"), trained("x"),
        {"Key": -7, "text": TRIAL, "goldresp_obfusc": "Yoda", "problemname": "Compl.normal"},
        {"Key": 8, "text": "Is it?", "goldresp_obfusc": "Yoda"},
        {"Key": 9, "text": TRIAL, "goldresp_obfusc": "Mark"},
    ]  # fmt: skip
    lines = "".join(f"{json.dumps(row)}\n" for row in rows).encode()
    for name, packed in (("a.jsonl", lines), ("b.bz2", bz2.compress(lines)),
                         ("c.gz", gzip.compress(lines))):  # fmt: skip
        path = tmp_path / name
        path.write_bytes(packed)
        assert detect(path).name == "worldsense"
        outcomes = read("worldsense", path)
        assert tally(outcomes) == {"UC": 2, "control": 3, "unreadable": 2}
    assert outcomes[4].id == "worldsense/-7"  # type: ignore[union-attr]


def test_options_become_a_question_without_the_third() -> None:
    assert without_options(TRIAL) == (
        "Three ships came in: the Heron before the Orla. Which is true: The Lady came first, or "
        "The Lady came last?"
    )
    assert without_options("Is it (1) or (2)?") == ""


def test_seeds_of_ones_own_are_read_and_broken_ones_named(write_lines: Write) -> None:
    path = write_lines(
        {"id": "a", "question": "Who sank it?", "cause": "AU", "rationales": "Nobody knows.",
         "anchor": "Grey Heron", "bridge": "Ludwen", "licence": "CC0-1.0"},
        {"question": "Who sank it twice", "cause": "FP", "premise": "It sank twice."},
        {"id": "a", "question": "Again?", "cause": "UC"},
        {"question": "What?", "cause": "XX"},
        {"question": "", "cause": "UC"},
        {"question": "Where is Korrum?", "cause": None},
        "no json",
    )  # fmt: skip
    assert detect(path).name == "plain"
    outcomes = read("plain", path)
    assert tally(outcomes) == {"AU": 1, "FP": 1, "control": 1, "unreadable": 4}
    first, second = outcomes[:2]
    assert isinstance(first, Seed)
    assert isinstance(second, Seed)
    assert (first.anchor, first.bridge, first.rationales) == (
        "Grey Heron", "Ludwen", ("Nobody knows.",)
    )  # fmt: skip
    assert (first.terms.licence, first.terms.redistributable) == ("CC0-1.0", True)
    assert (second.question, second.terms.redistributable) == ("Who sank it twice?", False)
    assert outcomes[3].sentence == (  # type: ignore[union-attr]
        "records.jsonl:4: unreadable: field `cause` is 'XX', none of AU, FP and UC"
    )


def test_seeds_that_were_written_read_back_as_they_were(write_lines: Write) -> None:
    terms = {"licence": "none stated", "redistributable": False, "note": "for research"}
    seed = Seed(
        id="falseqa/test-3", source="falseqa", source_id="test-3", file="test.csv", line=3,
        cause=Cause.FP, question="Why is the Moon square?", premise="the Moon is square",
        rationales=("It is round.",), category="label 1", terms=SeedTerms(**terms),
    )  # fmt: skip
    other = seed.model_copy(update={"id": "kuq/9", "source": "kuq", "question": "Who won it?"})
    strange = [{**seed.model_dump(mode="json"), **change} for change in (
        {"id": "x/4"}, {"source": "mine", "id": "mine/4"}, {"id": "falseqa/5", "line": 0},
    )]  # fmt: skip
    path = write_lines(*(s.model_dump(mode="json") for s in (seed, other)), *strange)
    assert detect(path).name == "plain"
    outcomes = read("plain", path)
    assert outcomes[:2] == [seed, other]
    assert [o.why for o in outcomes[2:] if isinstance(o, NotSeed)] == [LeftOut.UNREADABLE] * 3
    assert "field `line`" in outcomes[4].message  # type: ignore[union-attr]


def test_questions_that_ask_the_same_are_taken_once(write_lines: Write) -> None:
    path = write_lines(
        {"question": "Who sank it?", "cause": "AU"}, {"question": "who sank  it", "cause": "UC"}
    )
    outcomes = list(distinct(read("plain", path)))
    assert tally(outcomes) == {"AU": 1, "duplicate": 1}
    assert outcomes[1].message == "asks what plain/records-1 asks"  # type: ignore[union-attr]


def test_a_form_of_no_source_is_refused(write_lines: Write, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="the form of none of coconot"):
        detect(write_lines({"a": 1}))
    with pytest.raises(InputError, match="no source of seeds"):
        seed_builder("nope")
    for name, content in (("e", b""), ("f", b"\xff\xfe\0\0")):
        (tmp_path / name).write_bytes(content)
        with pytest.raises(InputError):
            detect(tmp_path / name)
    with pytest.raises(InputError, match="is a folder"):
        detect(tmp_path)
    assert set(seed_sources()) >= {"coconot", "bigbench", "kuq", "falseqa", "qaqa", "worldsense"}


@pytest.mark.parametrize("source", ["coconot", "kuq", "falseqa", "qaqa", "worldsense", "bigbench"])
def test_hostile_rows_are_named_and_stop_nothing(write_lines: Write, source: str) -> None:
    rows = ["{}", "[]", "7", "null", '{"a": ', '{"question": 7, "prompt": [], "text": {}}']
    outcomes = read(source, write_lines(*rows))
    assert len(outcomes) == 6
    assert {outcome.why for outcome in outcomes if isinstance(outcome, NotSeed)} == {
        LeftOut.UNREADABLE
    }


def test_a_damaged_bzip_keeps_what_came_before(tmp_path: Path) -> None:
    row = json.dumps({"Key": 1, "text": TRIAL, "goldresp_obfusc": "Yoda"})
    packed = bz2.compress(f"{row}\n".encode() * 4_000)
    (tmp_path / "a.bz2").write_bytes(packed[:-20])
    outcomes = read("worldsense", tmp_path / "a.bz2")
    assert isinstance(outcomes[-1], NotSeed)
    assert "damaged here" in outcomes[-1].message
