"""`realhop view` and `realhop draw`: what is written, what is said, how they end."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

from tests.processes import realhop as run


def test_view_writes_a_page_and_replaces_it_by_force_only(dataset: Path, tmp_path: Path) -> None:
    out = tmp_path / "pages" / "item.html"
    words = ("view", dataset, "2hop__fict_001", "--out", out)
    result = run(*words, "--json")
    assert result.returncode == 0, result.stderr
    said = json.loads(result.stdout)
    assert said == {
        "out": str(out),
        "item": "musique/2hop__fict_001",
        "bytes": out.stat().st_size,
        "differs": [],
    }
    assert out.read_text(encoding="utf-8").startswith("<!doctype html>")
    before = out.read_bytes()
    refused = run(*words)
    assert refused.returncode == 2
    assert "--force" in refused.stderr
    assert run(*words, "--force").returncode == 0
    assert out.read_bytes() == before
    assert run("view", dataset, "nothing").returncode == 2


def test_view_without_an_item_writes_a_site(dataset: Path, tmp_path: Path) -> None:
    site = tmp_path / "site"
    result = run("view", dataset, "--out", site, "--json")
    assert result.returncode == 0, result.stderr
    assert json.loads(result.stdout)["items"] == 4
    assert len(list((site / "items").iterdir())) == 4
    assert (site / "index.html").is_file()
    assert run("view", dataset).returncode == 2
    assert run("view", dataset, "--out", dataset, "--force").returncode == 2
    assert run("verify", dataset).returncode == 0


def test_draw_prints_text_and_writes_files(dataset: Path, tmp_path: Path) -> None:
    words = ("draw", dataset, "2hop__fict_001")
    printed = run(*words)
    assert printed.returncode == 0, printed.stderr
    assert printed.stdout.startswith("<svg ")
    assert run(*words, "--format", "dot").stdout.startswith("digraph item {")
    assert run(*words, "--format", "mermaid", "--paths", "s1a").stdout.count(":::strict") == 2
    out = tmp_path / "figure.pdf"
    assert run(*words, "--format", "pdf", "--out", out, "--width", "300").returncode == 0
    assert out.read_bytes().startswith(b"%PDF-")
    for wrong, said in (
        (("--format", "gif"), "there are: svg, png, pdf, dot, mermaid"),
        (("--width", "wide"), "points such as 345"),
        (("--width", "20"), "does not fit 20 points"),
        (("--paths", "s9z"), "there is no path 's9z'"),
        (("--format", "pdf", "--out", out), "--force"),
    ):
        refused = run(*words, *wrong)
        assert refused.returncode == 2
        assert said in refused.stderr
        assert len(refused.stderr.strip().splitlines()) == 1


def test_draw_says_in_a_plain_line_that_no_font_has_a_character(
    dataset: Path, tmp_path: Path
) -> None:
    copy, out = tmp_path / "copy", tmp_path / "figure.png"
    shutil.copytree(dataset, copy)
    cuneiform = "\\ud808\\udc00"
    for path in copy.glob("*.jsonl"):
        text = path.read_text(encoding="utf-8")
        path.write_text(text.replace("Besmouth", cuneiform), encoding="utf-8")
    drawn = run("draw", copy, "2hop__fict_001", "--format", "png", "--out", out)
    assert out.read_bytes().startswith(b"\x89PNG")
    told = [line for line in drawn.stderr.splitlines() if not line.startswith("changed since")]
    assert told == [
        "some characters are drawn as boxes, since no font here has them; an SVG keeps them"
    ]


def test_view_shows_the_answers_of_an_audit(dataset: Path, tmp_path: Path) -> None:
    record = {"item": "musique/2hop__fict_001", "side": "constructed", "condition": "full"}
    record |= {"model": "m1", "trial": 1, "response": "Besmouth", "verdict": "correct"}
    (tmp_path / "trials.jsonl").write_text(f"{json.dumps(record)}\nnot json\n", encoding="utf-8")
    out = tmp_path / "item.html"
    words = ("view", dataset, "2hop__fict_001", "--out", out)
    result = run(*words, "--audit", tmp_path)
    assert result.returncode == 0
    assert "trials.jsonl, line 2: not JSON" in result.stderr
    assert "✓ correct" in out.read_text(encoding="utf-8")
    refused = run(*words, "--force", "--audit", dataset)
    assert refused.returncode == 2
    assert "is no audit run" in refused.stderr


def test_what_was_changed_after_the_freeze_is_shown_with_a_warning(
    dataset: Path, tmp_path: Path
) -> None:
    copy = tmp_path / "copy"
    shutil.copytree(dataset, copy)
    lines = (copy / "items.jsonl").read_text(encoding="utf-8")
    (copy / "items.jsonl").write_text(lines.replace("Besmouth", "Besmouse"), encoding="utf-8")
    out, site = tmp_path / "item.html", tmp_path / "site"
    for words in (
        ("view", copy, "2hop__fict_001", "--out", out),
        ("view", copy, "--out", site),
        ("draw", copy, "2hop__fict_001", "--format", "mermaid"),
    ):
        result = run(*words)
        assert result.returncode == 1
        assert "changed since it was frozen: items.jsonl: does not match" in result.stderr
    for page in (out, site / "index.html", *(site / "items").iterdir()):
        assert "Changed since it was frozen." in page.read_text(encoding="utf-8")
    sound = tmp_path / "sound.html"
    assert run("view", dataset, "2hop__fict_001", "--out", sound).returncode == 0
    assert "Changed since it was frozen." not in sound.read_text(encoding="utf-8")


def test_a_run_of_another_kind_or_dataset_is_one_clean_line(dataset: Path, tmp_path: Path) -> None:
    settings = {"form": "frozen", "source_digest": "f" * 64}
    (tmp_path / "run.json").write_text(json.dumps({"settings": settings}), encoding="utf-8")
    (tmp_path / "trials.jsonl").write_text("", encoding="utf-8")
    words = ("view", dataset, "2hop__fict_001", "--out", tmp_path / "item.html")
    for option, said in (
        ("--run", "does not hold the settings of refusal runs"),
        ("--audit", "name the dataset that was audited"),
    ):
        refused = run(*words, option, tmp_path)
        assert refused.returncode == 2
        assert said in refused.stderr
        assert len(refused.stderr.strip().splitlines()) == 1
