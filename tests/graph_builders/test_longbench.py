from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from graph_builders.base import Excluded, builder
from realhop_kg.audit.auditable import from_source
from realhop_kg.audit.choices import choices_of, read_choice
from realhop_kg.cli.app import app
from realhop_kg.model.item import SourceItem

ROW: dict[str, Any] = {
    "_id": "r1", "question": "Who sold the mill?", "choice_A": "Ann", "choice_B": "Bo",
    "choice_C": "Cy", "choice_D": "Di", "answer": "B", "context": "Bo Hask sold the mill.",
}  # fmt: skip


def test_all_rows_of_the_sample_are_read_with_their_options(shared_data: Path) -> None:
    [path] = (shared_data / "multihop" / "longbench_v2").glob("*.jsonl")
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    found = list(builder("longbench").read(path))
    assert len(found) == len(rows) == 10
    for row, item in zip(rows, found, strict=True):
        assert isinstance(item, SourceItem)
        assert item.id == row["_id"]
        assert item.answer == row[f"choice_{row['answer']}"].strip()
        assert item.choices[0] == row["choice_A"].strip()


@pytest.mark.parametrize(
    ("field", "value"),
    [("answer", "E"), ("answer", "b"), ("answer", None), ("choice_C", ""), ("context", "  "),
     ("question", None), ("_id", None), ("choice_D", ["x"])],
)  # fmt: skip
def test_a_row_that_cannot_be_asked_is_excluded_by_field(
    write_lines: Callable[..., Path], field: str, value: object
) -> None:
    path = write_lines({**ROW, field: value}, {**ROW, "_id": "r2"})
    first, second = builder("longbench").read(path)
    assert isinstance(first, Excluded)
    assert (first.code, first.field, first.line) == ("B2", field, 1)
    assert isinstance(second, SourceItem)


def test_options_keep_the_order_of_the_row_and_letters_are_read_as_longbench_reads_them(
    write_lines: Callable[..., Path],
) -> None:
    [item] = builder("longbench").read(write_lines(ROW))
    assert isinstance(item, SourceItem)
    options = choices_of(from_source(item))
    assert options == ("Ann", "Bo", "Cy", "Di")
    for response, option in (
        ("The correct answer is (B)", "Bo"), ("**The correct answer is C**", "Cy"),
        ("The correct answer is (A) or The correct answer is (B)", "Ann"),
        ("the correct answer is (B)", ""), ("B", ""), ("", ""),
        ("The correct answer is Apple", "Ann"), ("The correct answer is (E)", ""),
    ):  # fmt: skip
        assert read_choice(response, options) == option


def test_rows_are_audited_with_full_and_masks(
    write_lines: Callable[..., Path], tmp_path: Path
) -> None:
    path = write_lines({**ROW, "context": "Bo Hask sold the mill. " * 40})
    words = ["audit", path, "--dataset", "longbench", "--model", "scripted/recaller", "--json",
             "--conditions", "full,mask", "--out", tmp_path / "run"]  # fmt: skip
    result = CliRunner().invoke(app, [str(word) for word in words])
    assert result.exit_code == 0, result.output
    assert json.loads(result.stdout)["asked"] == 4
