"""Real and hostile pages: what is kept, what is left out, and that both are counted."""

from __future__ import annotations

import gzip
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from graph_builders.kilt import build_index
from realhop_kg.errors import InputError
from realhop_kg.graph.hyperlinks.index import PageGraph
from realhop_kg.graph.hyperlinks.manifest import IndexCounts
from realhop_kg.graph.hyperlinks.places import DISAMBIGUATION, NO_LEAD, NO_TEXT, REPEATED
from tests.graph.hyperlinks.kilt_pages import built, opened, page, star, write_pages

VELL = page("Vell", "The Vell is a river.")


def counts(folder: Path, *pages: dict | bytes, **options: object) -> IndexCounts:
    return built(folder, pages, **options).manifest.counts


@pytest.mark.parametrize(
    ("place", "kept_at"),
    [
        ((1, 2, 6), 2),
        ((1, 3, 7), 2),
        ((1, 20, 24), 18),
        ((1, -5, -1), 2),
        ((1, 2, 3), 2),
        ((1, 10**12, 10**12 + 4), 18),
        ((1, 10**30, 10**30 + 4), 18),
        ((2, 0, 4), None),
        ((7, 2, 6), None),
        ((-1, 2, 6), None),
    ],
)
def test_a_place_is_checked_against_the_words(
    tmp_path: Path, place: tuple[int, int, int], kept_at: int | None
) -> None:
    ostra = page("Ostra", "A Vell, a Vellum, Vell.", "Mills.", links=[("Vell", "Vell", *place)])
    graph = opened(tmp_path, [ostra, VELL])
    found = graph.manifest.counts
    if kept_at is None:
        assert (found.misplaced_anchors, found.links) == (1, 0)
    else:
        assert graph.link(0, 1).start == kept_at
        assert found.moved_anchors == (place != (1, 2, 6))


def test_whole_words_are_preferred_to_near_ones(tmp_path: Path) -> None:
    ostra = page("Ostra", "Vell is no Vellum.", links=[("Vell", "Vell", 1, 12, 16)])
    assert opened(tmp_path, [ostra, VELL]).link(0, 1).start == 0


def test_words_that_stand_everywhere_take_no_time_without_end(tmp_path: Path) -> None:
    link = {"text": "Vell", "href": "Vell", "paragraph_id": 1, "start": 10**9, "end": 10**9 + 4}
    busy = page("Busy", "Vell " * 100_000)
    busy["anchors"] = [link] * 5_000
    begin = time.perf_counter()
    graph = opened(tmp_path, [busy, VELL])
    assert time.perf_counter() - begin < 30
    assert graph.link(0, 1).start == 5 * 99_999
    assert graph.manifest.counts.moved_anchors == 5_000


def test_links_in_title_and_sections_are_no_lead_links(tmp_path: Path) -> None:
    ostra = page(
        "Vell mill", "Section::::Vell.", "It turns.",
        links=[("Vell", "Vell", 0, 0, 4), ("Vell", "Vell", 1, 11, 15)],
    )  # fmt: skip
    found = counts(tmp_path, ostra, VELL)
    assert (found.links, found.lead_links, found.duplicates, found.without_lead) == (1, 0, 1, 1)


def test_of_duplicates_the_first_of_the_opening_is_kept(tmp_path: Path) -> None:
    ostra = page(
        "Ostra", "One.", "Two Vell, Vell.", "Section::::A.", "Vell.",
        links=[("Vell", "Vell", 4, 0, 4), ("Vell", "Vell", 2, 10, 14), ("Vell", "vell", 2, 4, 8)],
    )  # fmt: skip
    graph = opened(tmp_path, [ostra, VELL])
    link = graph.link(0, 1)
    assert (link.paragraph, link.start, link.lead) == (2, 4, True)
    assert graph.manifest.counts.duplicates == 2


def test_what_leads_to_no_page_or_to_itself_is_counted(tmp_path: Path) -> None:
    ostra = page(
        "Ostra", "Ostra, Vell, Mar, here, blank.",
        links=[("Ostra", "ostra"), ("Vell", "Vell"), ("Mar", "Mar"), ("here", "#Course"),
               ("blank", ""), (" ", "Vell", 1, 6, 7)],
    )  # fmt: skip
    found = counts(tmp_path, ostra, VELL)
    assert (found.anchors, found.links, found.self_links) == (6, 1, 2)
    assert (found.dangling, found.empty_anchors) == (2, 1)


def test_an_address_that_leads_nowhere_falls_back_on_the_noted_title(tmp_path: Path) -> None:
    ostra = page("Ostra", "By the Vell and the Mar.", links=[("Vell", "R1"), ("Mar", "Vell")])
    ostra["anchors"][0]["wikipedia_title"] = "Vell"
    ostra["anchors"][1]["wikipedia_title"] = "Ostra"
    found = counts(tmp_path, ostra, VELL)
    assert (found.by_noted_title, found.as_written, found.links, found.duplicates) == (1, 1, 1, 1)


def test_pages_are_flagged_and_counted(tmp_path: Path) -> None:
    graph = opened(
        tmp_path,
        [
            page("Ada", "Ada may refer to:"),
            page("Bare"),
            page("Late", "Section::::A.", "Text."),
            VELL,
            page("vell_", "No other."),
            page("Vell", "The Vell again."),
        ],
    )
    assert graph.flags.tolist() == [DISAMBIGUATION, NO_TEXT, NO_LEAD, 0, 0, REPEATED]
    found = graph.manifest.counts
    assert (found.disambiguation, found.without_text, found.without_lead) == (1, 1, 1)
    assert found.repeated_titles == 1
    assert graph.page("Vell") == 3


def test_redirects_are_followed_and_loops_are_cut(tmp_path: Path) -> None:
    table = tmp_path / "redirects.tsv"
    table.write_text(
        "page_id\ttitle\tredirect_to\n1\tVell River\tThe Vell\n2\tThe Vell\tVell#Course\n"
        "3\tA\tB\n4\tB\tA\n5\tC\tNowhere\n6\tOstra\tVell\n7\tOld Ostra\tOstra\n8\tshort\n"
    )
    ostra = page(
        "Ostra", "By the Vell, A, C, Old Ostra.",
        links=[("Vell", "vell_River"), ("A", "A"), ("C", "C"), ("Old Ostra", "Old_Ostra")],
    )  # fmt: skip
    graph = opened(tmp_path, [ostra, VELL], redirects=table)
    found = graph.manifest.counts
    assert graph.targets(0) == [1]
    assert (found.by_redirect, found.self_links, found.dangling) == (2, 1, 2)
    assert (found.redirects, found.redirect_loops, found.redirects_to_nothing) == (3, 2, 1)
    assert found.redirects_from_pages == 1
    assert graph.find("The Vell") == 1
    assert graph.find("A") is None


def test_a_long_chain_of_redirects_is_followed(tmp_path: Path) -> None:
    table = tmp_path / "redirects.tsv"
    rows = [f"R{n}\tR{n + 1}\n" for n in range(1000)]
    table.write_text("".join([*rows, "R1000\tVell\n"]))
    assert opened(tmp_path, [VELL], redirects=table).find("R0") == 0


def test_a_table_without_columns_is_refused(tmp_path: Path) -> None:
    table = tmp_path / "redirects.tsv"
    table.write_text("no tabs here\n")
    with pytest.raises(InputError, match="no line of two columns"):
        built(tmp_path, [VELL], redirects=table)
    assert not (tmp_path / "index").exists()


def test_broken_lines_cost_only_themselves(tmp_path: Path) -> None:
    report = built(
        tmp_path,
        [
            VELL,
            b"",
            b'{"wikipedia_title": "cut", "text": ["',
            b'{"wikipedia_title": "\xff\xfe"}',
            b"[]",
            b'{"wikipedia_title": "deep", "text": ' + b"[" * 200_000 + b"}",
            b'{"wikipedia_title": "Plain"}',
        ],
    )
    assert report.manifest.counts.pages == 2
    assert report.manifest.counts.unreadable_lines == 4
    assert [bad.line for bad in report.bad] == [3, 4, 5, 6]
    assert str(report.bad[1]) == "pages.jsonl:4: it is not UTF-8; save the file as UTF-8"


def test_a_byte_order_mark_and_dos_line_ends_are_read(tmp_path: Path) -> None:
    source = tmp_path / "pages.jsonl"
    lines = [json.dumps(entry).encode() for entry in star("AB")]
    source.write_bytes(b"\xef\xbb\xbf" + b"\r\n".join(lines))
    build_index([source], tmp_path / "index", created_by="t")
    graph = PageGraph.open(tmp_path / "index")
    assert graph.link(0, 1).sentence == "A is near B."
    assert graph.link(1, 0).sentence == "B is near A."


def test_a_file_that_is_cut_off_keeps_its_whole_pages(tmp_path: Path) -> None:
    source = tmp_path / "pages.jsonl.gz"
    pages = star(f"Town{n}" for n in range(60))
    whole = gzip.compress("".join(f"{json.dumps(p)}\n" for p in pages).encode())
    source.write_bytes(whole[: len(whole) // 2])
    report = build_index([source], tmp_path / "index", created_by="t")
    assert 5 < report.manifest.counts.pages < 60
    assert "the compressed file is cut off here" in str(report.bad[-1])
    assert report.manifest.counts.damaged_files == 1
    graph = PageGraph.open(tmp_path / "index")
    assert graph.read(len(graph) - 1).title == f"Town{len(graph) - 1}"


def test_what_a_cut_off_file_holds_replaces_no_whole_index(tmp_path: Path) -> None:
    whole = gzip.compress("".join(f"{json.dumps(p)}\n" for p in star("ABCDEFGH")).encode())
    source, out = tmp_path / "pages.jsonl.gz", tmp_path / "index"
    source.write_bytes(whole)
    build_index([source], out, created_by="t")
    source.write_bytes(whole[: len(whole) // 2])
    with pytest.raises(InputError, match=r"cut off here.*stays as it was"):
        build_index([source], out, created_by="t", force=True)
    assert len(PageGraph.open(out)) == 8
    assert sorted(path.name for path in tmp_path.iterdir()) == ["index", "pages.jsonl.gz"]


@pytest.mark.parametrize("content", [b"", b"\n\n", b"\x1f\x8b", b"\xff\xfea\0", b"no json\n"])
def test_a_file_without_any_page_is_refused_and_leaves_nothing(
    tmp_path: Path, content: bytes
) -> None:
    source = tmp_path / "pages.jsonl"
    source.write_bytes(content)
    with pytest.raises(InputError):
        build_index([source], tmp_path / "index", created_by="t")
    assert [path.name for path in tmp_path.iterdir()] == ["pages.jsonl"]


def test_a_missing_file_is_named_before_anything_is_read(tmp_path: Path) -> None:
    source = write_pages(tmp_path / "pages.jsonl", [VELL])
    with pytest.raises(InputError, match=r"gone\.jsonl cannot be read"):
        build_index([source, tmp_path / "gone.jsonl"], tmp_path / "index", created_by="t")
    with pytest.raises(InputError, match="is a folder"):
        build_index([tmp_path], tmp_path / "index", created_by="t")
    with pytest.raises(InputError, match=r"gone\.tsv cannot be read"):
        build_index([source], tmp_path / "index", created_by="t", redirects=tmp_path / "gone.tsv")


PEAK = """
import sys
from pathlib import Path
from graph_builders.kilt import build_index
found = build_index(
    [Path(sys.argv[1])], Path(sys.argv[2]), created_by="t", longest=int(sys.argv[3]) << 20
).manifest.counts
print(found.pages, found.links, found.self_links, found.too_long_lines)
# `ru_maxrss` begins with the peak of the process that started this one; VmHWM is our own.
status = Path("/proc/self/status")
own = [line.split()[1] for line in status.read_text().splitlines() if line.startswith("VmHWM")]
print(int(own[0]) // 1024)
"""


def in_process(source: Path, out: Path, longest: int = 256) -> tuple[list[int], int]:
    """Build in a fresh process; return its counts and its peak memory in MB."""
    done = subprocess.run(
        [sys.executable, "-c", PEAK, str(source), str(out), str(longest)],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    figures, peak = done.stdout.splitlines()
    return [int(figure) for figure in figures.split()], int(peak)


@pytest.mark.slow
def test_a_line_of_50_mb_and_one_of_200_mb_pass_in_bounded_memory(tmp_path: Path) -> None:
    source = tmp_path / "pages.jsonl"
    long = page("Long", "The Vell " + "x" * 50_000_000, links=[("Vell", "Vell", 1, 4, 8)])
    with source.open("wb") as file:
        file.write(json.dumps(long).encode() + b"\n")
        file.write(b'{"wikipedia_title": "Longer", "text": ["')
        for _ in range(200):
            file.write(b"y" * 1_000_000)
        file.write(b'"]}\n' + json.dumps(VELL).encode() + b"\n")
    figures, peak = in_process(source, tmp_path / "index", longest=64)
    assert figures == [2, 1, 0, 1]
    assert peak < 500


@pytest.mark.soak
@pytest.mark.slow
def test_a_million_links_to_itself_and_a_cycle_pass(tmp_path: Path) -> None:
    link = {"text": "A", "href": "A", "paragraph_id": 1, "start": 0, "end": 1}
    busy = page("A", "A is by B.", links=[("B", "B")])
    busy["anchors"] += [link] * 500_000
    other = page("B", "B is by A.", links=[("A", "A")])
    other["anchors"] += [link | {"text": "B", "href": "b"}] * 500_000
    source = write_pages(tmp_path / "pages.jsonl", [busy, other])
    figures, peak = in_process(source, tmp_path / "index")
    assert figures == [2, 2, 1_000_000, 0]
    assert peak < 600


def test_a_run_that_is_killed_leaves_no_index_and_can_be_started_again(tmp_path: Path) -> None:
    source = write_pages(tmp_path / "pages.jsonl", star(f"Town{n}" for n in range(300)))
    slow = (
        "import time\nimport graph_builders.kilt as k\nfrom pathlib import Path\n"
        f"k.build_index([Path({str(source)!r})], Path({str(tmp_path / 'index')!r}), created_by='t',"
        " progress=lambda *_: (print('reading', flush=True), time.sleep(60)))"
    )
    process = subprocess.Popen([sys.executable, "-c", slow], stdout=subprocess.PIPE)
    assert process.stdout is not None
    assert process.stdout.readline() == b"reading\n"
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    process.stdout.close()
    assert not (tmp_path / "index").exists()
    time.sleep(0.1)
    build_index([source], tmp_path / "index", created_by="t")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["index", "pages.jsonl"]


def test_the_bundled_world_is_what_its_tool_writes(tmp_path: Path) -> None:
    root = Path(__file__).parents[2]
    tool = root / "tools" / "kilt_world" / "write.py"
    subprocess.run([sys.executable, str(tool), str(tmp_path / "w.jsonl")], check=True)
    bundled = root / "realhop_kg" / "data" / "kilt_world.jsonl"
    assert (tmp_path / "w.jsonl").read_bytes() == bundled.read_bytes()


def test_the_bundled_world_has_every_habit_it_should(tmp_path: Path) -> None:
    bundled = Path(__file__).parents[2] / "realhop_kg" / "data" / "kilt_world.jsonl"
    build_index([bundled], tmp_path / "index", created_by="t")
    found = PageGraph.open(tmp_path / "index").manifest.counts
    assert (found.pages, found.dangling, found.disambiguation) == (79, 1, 1)
    assert (found.misplaced_anchors, found.moved_anchors, found.self_links) == (0, 0, 0)
    assert found.lead_links > 400
