"""Verifying records line by line, where someone changed them and mended the hashes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from realhop_kg.freeze.manifest import (
    EXCLUDED,
    GRAPHS,
    ITEMS,
    MANIFEST,
    RELATIONS,
)
from realhop_kg.freeze.verify import verify
from tests.freeze.damage import KEYS, edit, found, lines_of, reseal

# Items and graphs, changed by someone who mends the hashes


def test_an_item_that_its_graph_does_not_give_is_named_with_the_field(folder: Path) -> None:
    edit(folder / ITEMS, 2, lambda item: item["hops"][0].update(answer="Elsewhere"))
    reseal(folder)
    [discrepancy] = found(verify(folder), file=ITEMS)
    assert (discrepancy.line, discrepancy.item) == (2, KEYS[1])
    assert (discrepancy.trouble, discrepancy.field) == ("differs", "hops.0.answer")
    assert discrepancy.message.startswith('is "Elsewhere", its graph gives "')


def test_an_item_laid_out_otherwise_is_named(folder: Path) -> None:
    lines = lines_of(folder / ITEMS)
    lines[0] = lines[0].replace(b'":', b'": ', 1)
    (folder / ITEMS).write_bytes(b"".join(lines))
    reseal(folder)
    [discrepancy] = found(verify(folder), file=ITEMS)
    assert discrepancy.message == "is not the canonical JSON that was written"


def test_a_contract_that_a_graph_breaks_is_named_with_its_code(folder: Path) -> None:
    def unroute(graph: dict[str, Any]) -> None:
        routed = [edge for edge in graph["edges"] if edge["kind"] == "ROUTED_TO"]
        graph["edges"].remove(routed[0])

    edit(folder / GRAPHS, 3, unroute)
    reseal(folder)
    codes = {
        d.code for d in found(verify(folder), trouble="contract", file=GRAPHS, line=3, item=KEYS[2])
    }
    assert "H1" in codes


def test_swapped_items_are_noticed(folder: Path) -> None:
    one, two, three = lines_of(folder / ITEMS)
    (folder / ITEMS).write_bytes(two + one + three)
    reseal(folder)
    report = verify(folder)
    assert [(d.file, d.line, d.item) for d in found(report, trouble="differs") if d.line] == [
        (GRAPHS, 1, KEYS[0]),
        (ITEMS, 2, KEYS[0]),
    ]


@pytest.mark.parametrize(("name", "other"), [(ITEMS, GRAPHS), (GRAPHS, ITEMS)])
def test_a_record_without_its_partner_is_named(folder: Path, name: str, other: str) -> None:
    lines = lines_of(folder / name)
    (folder / name).write_bytes(lines[0] + lines[2])
    reseal(folder)
    report = verify(folder)
    [discrepancy] = [d for d in report.discrepancies if d.line]
    assert (discrepancy.file, discrepancy.line, discrepancy.item) == (other, 2, KEYS[1])
    assert found(report, trouble="unchecked", file=MANIFEST)


def test_a_repeated_id_is_named(folder: Path) -> None:
    for name in (ITEMS, GRAPHS):
        lines = lines_of(folder / name)
        (folder / name).write_bytes(b"".join([*lines, lines[0]]))
    reseal(folder)
    [discrepancy] = [d for d in verify(folder).discrepancies if d.line]
    assert (discrepancy.line, discrepancy.item) == (4, KEYS[0])
    assert discrepancy.message == "the id is repeated"


@pytest.mark.parametrize(
    "line",
    [
        b"{",
        b"",
        b"[]",
        b"7",
        b"{}",
        b'{"id":7}',
        b'{"id":"musique/2hop__2"}',
        b'{"id":"musique/2hop__2","graph":{"schema_version":1},"nodes":[7],"edges":[]}',
        b'{"id":"musique/2hop__2","graph":{"schema_version":1},"nodes":[],"edges":[]}',
        b"\xff\xfe",
        b"[" * 100_000,
        b'{"id":"\\ud83d"}',
    ],
)
def test_a_line_that_is_no_graph_is_a_finding(folder: Path, line: bytes) -> None:
    lines = lines_of(folder / GRAPHS)
    (folder / GRAPHS).write_bytes(lines[0] + line + b"\n" + lines[2])
    reseal(folder)
    report = verify(folder)
    assert found(report, file=GRAPHS, line=2)
    assert not found(report, item=KEYS[0])
    assert not found(report, item=KEYS[2])


def test_a_line_end_that_was_lost_costs_two_items_only(folder: Path) -> None:
    one, two, three = lines_of(folder / GRAPHS)
    (folder / GRAPHS).write_bytes(one.removesuffix(b"\n") + b" " + two + three)
    report = verify(folder)
    assert found(report, file=GRAPHS, line=1, trouble="unreadable")
    assert [d.item for d in found(report, file=ITEMS)] == KEYS[:2]


def test_a_predicate_that_is_not_declared_is_named(folder: Path) -> None:
    relations = json.loads((folder / RELATIONS).read_text())
    gone = relations["predicates"].pop()["id"]
    (folder / RELATIONS).write_text(json.dumps(relations))
    reseal(folder)
    report = verify(folder)
    named = [d for d in report.discrepancies if repr(gone) in d.message]
    assert {d.file for d in named} <= {GRAPHS, RELATIONS}
    assert named


def test_unreadable_relations_leave_the_records_to_be_compared(folder: Path) -> None:
    (folder / RELATIONS).write_text("[]")
    edit(folder / ITEMS, 1, lambda item: item.update(answer="Elsewhere"))
    report = verify(folder)
    assert found(report, file=RELATIONS, trouble="unreadable")
    assert found(report, file=ITEMS, field="answer")
    assert len(found(report, file=GRAPHS, trouble="unchecked")) == 3


# Excluded records


def test_an_excluded_record_under_no_code_is_named(folder: Path) -> None:
    edit(folder / EXCLUDED, 2, lambda record: record.update(code="Z9"))
    reseal(folder)
    report = verify(folder)
    [discrepancy] = found(report, file=EXCLUDED)
    assert (discrepancy.line, discrepancy.code, discrepancy.field) == (2, "Z9", "code")
    assert [d.field for d in found(report, trouble="counts")] == [
        "counts.excluded_by_code.Q4",
        "counts.excluded_by_code.Z9",
    ]


@pytest.mark.parametrize("line", [b"{", b"", b"[]", b"{}", b"\xff"])
def test_an_excluded_line_that_is_no_record_is_a_finding(folder: Path, line: bytes) -> None:
    lines = lines_of(folder / EXCLUDED)
    (folder / EXCLUDED).write_bytes(line + b"\n" + lines[1])
    reseal(folder)
    assert found(verify(folder), file=EXCLUDED, line=1, trouble="unreadable")
