"""`realhop kilt` and `realhop refusal`, run by the words that a user writes."""

from __future__ import annotations

import json
from pathlib import Path

import networkx as nx
import pytest

from realhop_kg.resources import resource_folder
from tests.graph.hyperlinks.kilt_pages import page, star, write_pages
from tests.processes import realhop


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("world") / "index"
    done = realhop("kilt", "index", resource_folder("data") / "kilt_world.jsonl", "--out", out)
    assert done.returncode == 0, done.stderr
    assert "pages" in done.stdout
    return out


def test_info_prints_every_count_and_checks_the_files(index: Path) -> None:
    done = realhop("kilt", "info", index, "--verify", "--json")
    assert done.returncode == 0
    said = json.loads(done.stdout)
    assert (said["counts"]["pages"], said["broken"]) == (79, [])
    assert "every checksum holds" in realhop("kilt", "info", index, "--verify").stdout


def test_info_names_a_file_that_changed(tmp_path: Path) -> None:
    source = write_pages(tmp_path / "p.jsonl", [page("A", "A.")])
    assert realhop("kilt", "index", source, "--out", tmp_path / "i").returncode == 0
    path = tmp_path / "i" / "text_offset.npy"
    path.write_bytes(path.read_bytes()[:-1] + b"\1")
    done = realhop("kilt", "info", tmp_path / "i", "--verify")
    assert done.returncode == 1
    assert "text_offset.npy has changed" in done.stdout


def test_info_reads_the_pages_too(tmp_path: Path) -> None:
    source = write_pages(tmp_path / "p.jsonl", [page("A", "A."), page("B", "B.")])
    assert realhop("kilt", "index", source, "--out", tmp_path / "i").returncode == 0
    source.write_bytes(source.read_bytes().replace(b"B.", b"C."))
    assert realhop("kilt", "info", tmp_path / "i").returncode == 0
    done = realhop("kilt", "info", tmp_path / "i", "--verify", "--json")
    assert done.returncode == 1
    [fault] = json.loads(done.stdout)["broken"]
    assert fault.startswith("p.jsonl has changed since it was indexed")
    source.unlink()
    done = realhop("kilt", "info", tmp_path / "i", "--verify")
    assert done.returncode == 1
    assert "  p.jsonl cannot be read: No such file" in done.stdout
    done = realhop("kilt", "info", tmp_path / "nothing", "--verify")
    assert done.returncode == 2
    assert "is no hyperlink index" in done.stderr


def test_nothing_walks_on_a_damaged_index(tmp_path: Path) -> None:
    source = write_pages(tmp_path / "p.jsonl", star("ABC"))
    assert realhop("kilt", "index", source, "--out", tmp_path / "i").returncode == 0
    path = tmp_path / "i" / "out_pages.npy"
    path.write_bytes(path.read_bytes()[:-8] + b"\xff" * 8)
    done = realhop("kilt", "walk", "A", "--index", tmp_path / "i", "--suffix", 1, "--low", 0)
    assert done.returncode == 2
    assert "out_pages.npy has changed; index the pages again" in done.stderr
    assert done.stderr.count("\n") == 1


def test_broken_lines_are_named_and_give_exit_code_1(tmp_path: Path) -> None:
    source = write_pages(tmp_path / "p.jsonl", [page("A", "A."), b"{"])
    done = realhop("kilt", "index", source, "--out", tmp_path / "i")
    assert done.returncode == 1
    assert "realhop: p.jsonl:2: it is no JSON" in done.stderr
    assert "unreadable lines" in done.stdout


def test_a_walk_is_printed_and_exported(index: Path, tmp_path: Path) -> None:
    store, graphml = tmp_path / "w.kgl", tmp_path / "w.graphml"
    done = realhop(
        "kilt", "walk", "tamsin_Dray", "--index", index, "--prefix", 2, "--suffix", 1, "--json",
        "--store", f"embedded:{store}", "--graphml", graphml,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    said = json.loads(done.stdout)
    assert [link["part"] for link in said["links"]] == ["prefix", "prefix", "suffix"]
    assert said["links"][1]["target"] == said["links"][2]["source"] == "Tamsin Dray"
    assert said["settings"]["high"] == 200
    assert nx.read_graphml(graphml).number_of_edges() == 3
    asked = realhop(
        "graph", "cypher", "MATCH (:Page)-[l:LINKS_TO]->(:Page) RETURN l.sentence AS s ORDER BY s",
        "--store", f"embedded:{store}", "--json",
    )  # fmt: skip
    assert sorted(row["s"] for row in json.loads(asked.stdout)) == sorted(
        link["sentence"] for link in said["links"]
    )


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["Nowhere", "--prefix", 1], "no page 'Nowhere'"),
        (["Kestrane"], "no way to walk"),
        (["Kestrane", "--prefix", 1, "--low", 9, "--high", 3], "--low 9 is above --high 3"),
        (["Kestrane", "--prefix", 1, "--degree", "both"], "none of total, in, out"),
    ],
)
def test_a_call_that_cannot_be_met_says_so_in_one_line(
    index: Path, words: list[object], said: str
) -> None:
    done = realhop("kilt", "walk", *words, "--index", index)
    assert done.returncode == 2
    assert said in done.stderr
    assert done.stderr.count("\n") == 1


def test_a_walk_that_no_draw_finishes_gives_exit_code_1(index: Path) -> None:
    done = realhop("kilt", "walk", "Lanthorn", "--index", index, "--prefix", 1, "--tries", 3)
    assert done.returncode == 1
    assert "W1: none of 3 prefix walks could be finished at 'Lanthorn'" in done.stderr


SEEDS = [
    {"question": "Who sank it?", "cause": "AU", "licence": "CC0-1.0"},
    {"question": "Who sank it twice?", "cause": "FP"},
    {"question": "Where is Korrum?", "cause": None},
]


def test_seeds_are_counted_and_written(tmp_path: Path) -> None:
    source = tmp_path / "own.jsonl"
    source.write_text("".join(f"{json.dumps(seed)}\n" for seed in SEEDS))
    out = tmp_path / "seeds.jsonl"
    done = realhop("refusal", "seeds", source, "--out", out, "--json")
    assert done.returncode == 0, done.stderr
    [row] = json.loads(done.stdout)["sources"]
    assert (row["source"], row["AU"], row["FP"], row["UC"], row["control"]) == ("plain", 1, 1, 0, 1)
    assert [json.loads(line)["cause"] for line in out.read_text().splitlines()] == ["AU", "FP"]
    written = json.loads(realhop("refusal", "seeds", out, "--json").stdout)["sources"]
    assert written == [{key: row[key] for key in written[0]}]
    again = realhop("refusal", "seeds", source, "--out", out)
    assert again.returncode == 2
    assert "--force" in again.stderr
    done = realhop("refusal", "seeds", f"plain={source}", "--free-only", "--out", out, "--force")
    assert done.stdout.endswith("1 seeds\n")
    assert [json.loads(line)["cause"] for line in out.read_text().splitlines()] == ["AU"]


def test_an_unreadable_seed_is_named_and_gives_exit_code_1(tmp_path: Path) -> None:
    source = tmp_path / "own.jsonl"
    source.write_text(f"{json.dumps(SEEDS[0])}\nno json\n")
    done = realhop("refusal", "seeds", source)
    assert done.returncode == 1
    assert "own.jsonl:2: unreadable" in done.stderr
