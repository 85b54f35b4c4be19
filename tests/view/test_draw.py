"""Figures for papers: every format, the width of a column, and names that are never markup."""

from __future__ import annotations

import io
import re
import shutil
import subprocess
from itertools import combinations
from pathlib import Path
from xml.etree import ElementTree

import pytest

from realhop_kg.errors import InputError
from realhop_kg.freeze.reader import FrozenDataset
from realhop_kg.graph.schema import EntityNode
from realhop_kg.view.draw import Form, Picture, picture
from realhop_kg.view.figure import COLUMN, PAGE, SMALLEST
from realhop_kg.view.notebook import svg_of
from tests.view.hostile import hostile_graph
from tests.view.test_layout import areas, overlap
from tests.view.test_lines import struck

SVG = "{http://www.w3.org/2000/svg}"


def drawn(dataset: FrozenDataset, name: str, **how: object) -> Picture:
    item = dataset.item(name)
    return picture(dataset.graph(item.id), dataset.predicates_of(item.id), **how)  # type: ignore[arg-type]


def test_every_item_fits_a_column_or_a_page_in_type_that_can_be_read(
    bundled: FrozenDataset,
) -> None:
    for item in bundled.items():
        made = drawn(bundled, item.id)
        named = [box for box in made.scene.boxes if box.kind == "gold" and not box.fact]
        easy = item.topology == "2hop" and len(named) == 1
        assert made.scene.width <= (COLUMN if easy else PAGE), item.id
        assert made.scene.font >= SMALLEST
        placed = list(areas(made.scene).items())
        for at, (one, first) in enumerate(placed):
            for other, second in placed[at + 1 :]:
                assert not overlap(first, second), f"{item.id}: {one} lies on {other}"


@pytest.mark.parametrize("name", ["3hop2__fict_013", "4hop2__fict_019", "diamond__fict_024"])
def test_more_hops_than_a_column_holds_go_on_below(name: str, bundled: FrozenDataset) -> None:
    item = bundled.item(name)
    made = drawn(bundled, item.id, width=COLUMN)
    scene = made.scene
    assert scene.width <= COLUMN
    assert scene.font >= SMALLEST
    assert list(struck(scene)) == []
    for (one, first), (other, second) in combinations(areas(scene).items(), 2):
        assert not overlap(first, second), f"{one} lies on {other}"
    shown = {" ".join(box.lines) for box in scene.boxes if box.is_answer}
    assert shown >= {item.answer, *(path.endpoint for path in item.competitors)}
    for whole, folded in ((made.whole.lines, scene.lines), (made.whole.marks, scene.marks)):
        assert {each.fact for each in whole} == {each.fact for each in folded}
    # Other tools lay out the whole of it themselves.
    assert made.write("dot") == drawn(bundled, item.id).write("dot")


def test_a_long_answer_is_written_whole(bundled: FrozenDataset) -> None:
    graph = bundled.graph("2hop__fict_001")
    answer = graph.get("e:h2", EntityNode)
    words = [f"word{at}" for at in range(40)]
    graph.add(answer.model_copy(update={"surface": " ".join(words)}))
    for width in (COLUMN, PAGE):
        boxes = picture(graph, width=width).scene.boxes
        assert any(" ".join(box.lines).split() == words for box in boxes)


def test_an_svg_says_what_it_shows_and_holds_its_text_as_text(bundled: FrozenDataset) -> None:
    item = bundled.item("2hop__fict_001")
    root = ElementTree.fromstring(drawn(bundled, item.id).write(Form.SVG))
    title = root.find(f"{SVG}title")
    assert title is not None
    assert title.text == (f"{item.question} {item.answer}: the gold path and 6 competitor paths")
    texts = [element.text for element in root.iter(f"{SVG}text")]
    for name in (item.answer, *(path.endpoint for path in item.competitors), "source", "gold"):
        assert name in texts
    assert "was proofread by" in texts
    sizes = {float(element.attrib["font-size"]) for element in root.iter(f"{SVG}text")}
    assert min(sizes) >= 5
    dashed = [element for element in root.iter() if "stroke-dasharray" in element.attrib]
    assert dashed


def test_png_and_pdf_are_the_same_every_time(bundled: FrozenDataset, pictures: Path) -> None:
    from PIL import Image

    made = drawn(bundled, "2hop__fict_001")
    png, pdf = made.write("png"), made.write("pdf")
    assert png == made.write("png")
    assert pdf == made.write("pdf")
    assert pdf.startswith(b"%PDF-")
    image = Image.open(io.BytesIO(png)).convert("RGB")
    assert image.width == pytest.approx(made.scene.width / 72 * 300, abs=2)
    colors = {color for _, color in image.getcolors(image.width * image.height) or ()}
    assert {(0x1D, 0x5F, 0xBF), (0xC2, 0x57, 0x0C), (0xEE, 0xF0, 0xF2)} <= colors
    (pictures / "figure-2hop.png").write_bytes(png)
    (pictures / "figure-4hop2.png").write_bytes(drawn(bundled, "4hop2__fict_019").write("png"))


def test_dot_is_what_graphviz_reads(bundled: FrozenDataset) -> None:
    item = bundled.item("3hop2__fict_013")
    text = drawn(bundled, item.id).write("dot").decode()
    edges = re.findall(r"^  (n\d+) -> (n\d+) \[", text, re.MULTILINE)
    nodes = set(re.findall(r"^  (n\d+) \[", text, re.MULTILINE))
    assert {end for edge in edges for end in edge} == nodes
    assert text.count('label="× ') == sum(path.break_hop > 0 for path in item.competitors)
    if shutil.which("dot") is None:
        pytest.skip("no Graphviz here")
    graph = picture(hostile_graph(bundled.graph(item.id)))
    for content in (text.encode(), graph.write("dot")):
        result = subprocess.run(["dot", "-Tsvg"], input=content, capture_output=True)
        assert result.returncode == 0, result.stderr
        shown = "".join(ElementTree.fromstring(result.stdout).itertext())
        assert "Petra Norini" in shown
    assert "<script>window.hit=1</script>" in shown


def test_mermaid_has_a_node_for_every_entity_and_no_markup(bundled: FrozenDataset) -> None:
    item = bundled.item("2hop__fict_001")
    text = drawn(bundled, item.id).write("mermaid").decode()
    assert text.startswith("flowchart LR\n")
    assert text.count(":::gold") == 3
    assert text.count(":::flexible") == 3
    assert '-->|"#215; was proofread by"|' in text
    hostile = picture(hostile_graph(bundled.graph(item.id))).write("mermaid").decode()
    for line in hostile.splitlines():
        for quoted in re.findall(r'"([^"]*)"', line):
            assert not set("<>[]{}|`\\&") & set(quoted)


def test_names_are_never_taken_for_markup_or_formulas(bundled: FrozenDataset) -> None:
    made = picture(hostile_graph(bundled.graph("2hop__fict_001")))
    text = made.write("svg").decode()
    root = ElementTree.fromstring(text)
    assert {element.tag for element in root.iter()} == {
        f"{SVG}{name}" for name in ("svg", "title", "rect", "polyline", "polygon", "text")
    }
    assert "<script" not in text
    with (
        pytest.warns(UserWarning, match="no font here has them")
        if "\ufffd" in text
        else (pytest.MonkeyPatch.context())
    ):
        assert made.write("png").startswith(b"\x89PNG")


def test_what_is_shown_can_be_chosen(bundled: FrozenDataset) -> None:
    few = drawn(bundled, "4hop1__fict_016", paths=["s1a", "f4a"], source=False, premises=False)
    assert {box.path for box in few.scene.boxes} == {"g", "s1a", "f4a"}
    assert few.scene.keys == ()
    with pytest.raises(InputError, match="there is no path 'x9'; there are f1a, "):
        drawn(bundled, "2hop__fict_001", paths=["x9"])
    with pytest.raises(InputError, match="does not fit 60 points"):
        drawn(bundled, "4hop1__fict_016", width=60)


def test_a_notebook_shows_graphs_and_pictures(bundled: FrozenDataset) -> None:
    nbformat = pytest.importorskip("nbformat")
    nbclient = pytest.importorskip("nbclient")
    graph = bundled.graph("2hop__fict_001")
    assert (svg_of(graph) or "").startswith("<svg")
    cells = (
        "%load_ext realhop_kg.view.notebook\n"
        "from realhop_kg.freeze.reader import FrozenDataset\n"
        f"dataset = FrozenDataset.open({str(bundled.folder)!r})\n"
        "graph = dataset.graph('2hop__fict_001')\n"
        "graph",
        "from realhop_kg.view.draw import picture\n"
        "picture(graph, dataset.predicates_of('2hop__fict_001'), paths=['s1a'])",
        "from realhop_kg.graph.reasoning import ReasoningGraph\nReasoningGraph()",
        "%unload_ext realhop_kg.view.notebook\ngraph",
    )
    book = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in cells])
    nbclient.NotebookClient(book, timeout=120, kernel_name="python3").execute()
    shown = [cell.outputs[-1].data for cell in book.cells]
    assert "graduation" in shown[0]["image/svg+xml"]
    assert "the sequel to … was" in shown[1]["image/svg+xml"]
    assert "image/svg+xml" not in shown[2]
    assert "image/svg+xml" not in shown[3]
