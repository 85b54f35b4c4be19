from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from graph_builders.base import Excluded, builder
from realhop_kg.audit.auditable import from_source, source_side
from realhop_kg.audit.intervene import drop
from realhop_kg.cli.app import app
from realhop_kg.frames.assemble import Article, FramesQuestion
from realhop_kg.frames.chains import ChainItem, chain_items
from realhop_kg.freeze.reader import FrozenDataset
from realhop_kg.freeze.verify import verify
from realhop_kg.jsonl import RawRecord
from realhop_kg.model.item import SourceItem
from tests.frames.worlds import QUESTIONS, write_world

TEXT = "Ann was born in Orm. Bo met Ann in Orm. Orm is a town.\n\nThe mayor of Orm is Bo Hask."
QUESTION = FramesQuestion(
    id="1", question="Who is the mayor of the town where Ann was born?", answer="Bo Hask",
    passages=(Article(title="Ann", text=TEXT), Article(title="Other", text="Nothing.")),
)  # fmt: skip
STEPS: list[dict[str, Any]] = [
    {"question": "Ann >> place of birth", "answer": "Orm", "quote": "Ann was born in Orm."},
    {"question": "Who is the mayor of #1?", "answer": "Bo Hask",
     "quote": "The mayor of Orm is Bo Hask.", "title": "Ann"},
]  # fmt: skip


def outcome(*steps: dict[str, Any], question: str = "1") -> ChainItem | Excluded:
    [found] = chain_items(
        {"1": QUESTION}, [RawRecord("c.jsonl", 4, {"id": question, "hops": list(steps)})], "c.jsonl"
    )
    return found


def test_an_article_that_two_steps_quote_is_cut_between_their_quotes() -> None:
    found = outcome(*STEPS)
    assert isinstance(found, ChainItem)
    assert [passage.text for passage in found.passages] == [*TEXT.split("\n\n"), "Nothing."]
    assert [(hop.support, hop.quote) for hop in found.hops] == [
        (0, STEPS[0]["quote"]), (1, STEPS[1]["quote"])
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("change", "at", "code", "field", "told"),
    [
        ({"quote": ""}, 0, "B2", "hops[0].quote", "is empty"),
        ({"answer": " "}, 1, "B2", "hops[1].answer", "is empty"),
        ({"quote": "Ann was born in ORM."}, 0, "B2", "hops[0].quote", "word for word"),
        ({"title": "Other"}, 1, "B2", "hops[1].quote", "'Other' does not hold"),
        ({"question": "Who is the mayor of Orm?"}, 1, "D1", "hops[1].question", "refer to #1"),
        ({"question": "#1 >> place of birth"}, 0, "D1", "hops[0].question", "refer to no step"),
        ({"question": "Who is mayor of #2?"}, 1, "D1", "hops[1].question", "refer to #1"),
        ({"answer": "1911"}, 0, "Q6", "hops[0].answer", "is a value"),
        ({"answer": "Cy"}, 1, "B2", "hops[1].answer", "the answer is 'Bo Hask'"),
        ({"quote": "in Orm."}, 1, "D2", "hops[1].quote", "quote one sentence"),
    ],
)
def test_a_chain_that_does_not_hold_is_refused_with_code_and_field(
    change: dict[str, str], at: int, code: str, field: str, told: str
) -> None:
    steps = [{**step, **(change if n == at else {})} for n, step in enumerate(STEPS)]
    found = outcome(*steps)
    assert isinstance(found, Excluded)
    assert (found.code, found.field, found.line, found.id) == (code, field, 4, "1")
    assert told in found.message


def test_chains_of_no_question_of_one_step_or_twice_are_refused() -> None:
    assert isinstance(outcome(*STEPS, question="9"), Excluded)
    assert isinstance(outcome(STEPS[0]), Excluded)
    twice = [RawRecord("c", n, {"id": "1", "hops": STEPS}) for n in (1, 2)]
    assert [type(each) for each in chain_items({"1": QUESTION}, twice, "c")] == [
        ChainItem,
        Excluded,
    ]


def realhop(*words: object) -> tuple[int, str]:
    result = CliRunner().invoke(app, [str(word) for word in words])
    if result.exception and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result.exit_code, result.stdout


@pytest.fixture(scope="module")
def items(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("frames")
    table, pages, chains = write_world(folder)
    articles, out = folder / "articles.jsonl", folder / "items.jsonl"
    code, said = realhop("frames", "assemble", table, "--pages", pages, "--out", articles, "--json")
    assert (code, json.loads(said)["assembled"]) == (0, len(QUESTIONS))
    code, said = realhop("frames", "chains", articles, chains, "--out", out, "--json")
    assert (code, json.loads(said)["kept"]) == (0, len(QUESTIONS))
    return out


def test_at_least_five_items_are_constructed_verified_and_answered_end_to_end(
    items: Path, tmp_path: Path
) -> None:
    out, run = tmp_path / "dataset", tmp_path / "run"
    code, said = realhop("construct", items, "--dataset", "frames", "--out", out, "--json")
    figures = json.loads(said)
    assert (code, figures["constructed"]) == (0, 6), figures
    assert verify(out).ok
    words = ("--model", "scripted/reader", "--side", "constructed", "--closure")
    code, said = realhop("audit", out, *words, "--conditions", "full,drop", "--out", run)
    assert code == 0
    trials = [json.loads(line) for line in (run / "trials.jsonl").read_text().splitlines()]
    verdicts = {(each["condition"], each["verdict"]) for each in trials}
    assert verdicts == {("full", "correct"), ("drop", "incorrect")}
    code, said = realhop("frames", "check", out, "--json")
    left = json.loads(said)
    assert (code, left["verified"], left["follows"]) == (0, True, 0)
    assert left["drops"] == 2 * sum(len(hops) for _, _, hops in QUESTIONS)
    last = {each[1]: f"h{len(each[2])}" for each in QUESTIONS}
    assert left["named"] == sum(each["named"] > 0 for each in left["residuals"]) > 0
    answers = {f"frames/{number}": each[1] for number, each in enumerate(QUESTIONS)}
    ends = {
        each["item"]: each["named"]
        for each in left["residuals"]
        if (each["side"], each["target"]) == ("constructed", last[answers[each["item"]]])
    }
    assert set(ends.values()) == {0}
    assert "gold follows     0" in realhop("frames", "check", out, "--no-closure")[1]
    # The source side of the frozen dataset drops what its builder dropped: the quotes alone.
    dataset = FrozenDataset.open(out)
    for frozen, source in zip(dataset.items(), builder("frames").read(items), strict=True):
        assert isinstance(source, SourceItem)
        assert source_side(frozen).units == from_source(source).units


def test_a_source_drop_removes_the_quote_and_closure_sentences_with_both_ends(items: Path) -> None:
    found = [item for item in builder("frames").read(items) if isinstance(item, SourceItem)]
    assert len(found) == len(QUESTIONS)
    language = from_source(found[5])
    first, second, _ = (drop(language, unit).apply(language.context) for unit in language.units)
    assert "The mother of Dara Vell is Ruta Vell." in language.context.text
    assert "The mother of Dara Vell is Ruta Vell." not in first
    # The quote alone is taken; the rest of its sentence stays.
    assert "Ruta Vell was born in Sandrovia" not in second
    assert "and Ruta Vell lived there" in second
    town = from_source(found[0])
    unit = town.units[1].model_copy(update={"endpoints": ("Henrike Sollas", "novelist")})
    closed = drop(town, unit, closure=True).apply(town.context)
    assert "Henrike Sollas was a novelist." not in closed
    assert "In 1921 Henrike Sollas bought" in closed


@pytest.mark.parametrize("quote", [None, "", "said nowhere"])
def test_an_item_whose_quote_is_gone_is_excluded(
    items: Path, tmp_path: Path, quote: str | None
) -> None:
    first = json.loads(items.read_text(encoding="utf-8").splitlines()[0])
    first["hops"][1]["quote"] = quote
    path = tmp_path / "items.jsonl"
    path.write_text(json.dumps(first), encoding="utf-8")
    [found] = builder("frames").read(path)
    assert isinstance(found, Excluded)
    assert found.field == "hops[1].quote"
