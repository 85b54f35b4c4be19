"""A scene as text for other tools to lay out: Graphviz DOT and Mermaid."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from realhop_kg.view.chains import Chains
from realhop_kg.view.palette import BREAK, KINDS
from realhop_kg.view.scene import Line, Scene

__all__ = ["Captions", "captions_of", "dot_text", "mermaid_text"]


def _named(scene: Scene) -> dict[str, str]:
    """Return a plain name for every node, in drawing order."""
    ids = [*(box.id for box in scene.boxes), *(key.id for key in scene.keys)]
    return {node: f"n{at}" for at, node in enumerate(ids)}


@dataclass(frozen=True, slots=True)
class Captions:
    """Whole texts of a scene, of which the scene has wrapped lines."""

    nodes: Mapping[str, str]
    """By id of box or key."""
    lines: Mapping[str, str]
    """By id of line: the relation, where it enters the value."""


def captions_of(chains: Chains, scene: Scene) -> Captions:
    """Return the texts of the scene of an item."""
    nodes = {box.id: chains.entities[box.entity].surface for box in scene.boxes}
    nodes |= {key.id: chains.entities[key.id.split("|", 1)[1]].surface for key in scene.keys}
    return Captions(nodes, {line.id: _words(chains, line) for line in scene.lines})


def _words(chains: Chains, line: Line) -> str:
    fact = chains.facts.get(line.fact)
    if fact is None or not line.arrow:
        return ""
    cross = f"{BREAK} " if line.broken else ""
    shared = f" (shared by {', '.join(line.shared)})" if line.shared else ""
    return f"{cross}{fact.words}{shared}"


def _plain(text: str) -> str:
    return " ".join("".join(char if char.isprintable() else " " for char in text).split())


def dot_text(captions: Captions, scene: Scene) -> str:
    """Return a scene as a Graphviz digraph, hops from left to right.

    Args:
        captions: its texts.
        scene: what to show of it; places are left to Graphviz, columns kept.
    """
    names = _named(scene)
    lines = [
        "digraph item {",
        '  graph [rankdir=LR, fontname="Helvetica", nodesep=0.2, ranksep=0.6];',
        '  node [shape=box, fontname="Helvetica", fontsize=11, margin="0.1,0.05"];',
        '  edge [fontname="Helvetica", fontsize=9, arrowsize=0.7];',
    ]
    for box in scene.boxes:
        look = _dot_look(box.kind, is_node=True)
        label = _dot_quoted(_plain(captions.nodes[box.id]))
        lines.append(f"  {names[box.id]} [label={label}, {look}];")
    for key in scene.keys:
        label = _dot_quoted(_plain(captions.nodes[key.id]))
        lines.append(f"  {names[key.id]} [shape=hexagon, fontsize=9, label={label}];")
    for x in sorted({box.x for box in scene.boxes}):
        column = "; ".join(names[box.id] for box in scene.boxes if box.x == x)
        lines.append(f"  {{ rank=same; {column}; }}")
    for line in scene.lines:
        look = _dot_look(line.kind, is_node=False)
        words = _plain(captions.lines.get(line.id, ""))
        label = f", label={_dot_quoted(words)}" if words else ""
        aside = ", constraint=false" if line.id.startswith("rebinds:") else ""
        head = "" if line.arrow else ", dir=none"
        lines.append(
            f"  {names[line.source]} -> {names[line.target]} [{look}{label}{head}{aside}];"
        )
    return "\n".join([*lines, "}"]) + "\n"


def _dot_quoted(text: str) -> str:
    for char, escaped in (("\\", "\\\\"), ('"', '\\"'), ("&", "&amp;")):
        text = text.replace(char, escaped)
    return f'"{text}"'


def _dot_look(kind: str, *, is_node: bool) -> str:
    look = KINDS[kind]
    wide = f"penwidth={look.width * 1.2:g}"
    if not is_node:
        style = ', style="dashed"' if look.dash else ""
        return f'color="{look.stroke}", fontcolor="{look.text}", {wide}{style}'
    style = "filled,rounded,dashed" if look.dash else "filled,rounded"
    colors = f'color="{look.stroke}", fillcolor="{look.fill}", fontcolor="{look.text}"'
    return f'style="{style}", {colors}, {wide}'


_THICK, _DASHED = ("gold", "prefix"), ("flexible", "suffix")


def _stroke_of(kind: str, *, arrow: bool) -> str:
    if kind in _THICK:
        return "==>" if arrow else "==="
    if kind in _DASHED:
        return "-.->" if arrow else "-.-"
    return "-->" if arrow else "---"


def mermaid_text(captions: Captions, scene: Scene) -> str:
    """Return a scene as a Mermaid flowchart.

    Args:
        captions: its texts.
        scene: what to show of it; places are left to Mermaid.
    """
    names = _named(scene)
    lines = ["flowchart LR"]
    for box in scene.boxes:
        label = _mermaid_quoted(captions.nodes[box.id])
        lines.append(f"  {names[box.id]}({label}):::{box.kind}")
    for key in scene.keys:
        label = _mermaid_quoted(captions.nodes[key.id])
        lines.append(f"  {names[key.id]}{{{{{label}}}}}:::key")
    lines += (f"  {_mermaid_edge(captions, line, names)}" for line in scene.lines)
    lines += _mermaid_looks(scene)
    return "\n".join(lines) + "\n"


def _mermaid_edge(captions: Captions, line: Line, names: dict[str, str]) -> str:
    rebinds = line.id.startswith("rebinds:")
    arrow = "-.-" if rebinds else _stroke_of(line.kind, arrow=line.arrow)
    words = captions.lines.get(line.id, "")
    label = f"|{_mermaid_quoted(words)}|" if words else ""
    return f"{names[line.source]} {arrow}{label} {names[line.target]}"


def _mermaid_quoted(text: str) -> str:
    """Return text as a Mermaid string: all that is not a letter, digit or space as its number."""
    safe = (char if char.isalnum() or char in " .,'" else f"#{ord(char)};" for char in _plain(text))
    return f'"{"".join(safe)}"'


def _mermaid_looks(scene: Scene) -> Iterator[str]:
    present = {box.kind for box in scene.boxes}
    for kind, look in KINDS.items():
        if kind not in present:
            continue
        dash = ",stroke-dasharray:5 3" if look.dash else ""
        wide = f"stroke-width:{look.width * 1.2:g}px"
        colors = f"fill:{look.fill},stroke:{look.stroke},color:{look.text}"
        yield f"  classDef {kind} {colors},{wide}{dash}"
    yield "  classDef key fill:#ffffff,stroke:#57606a,color:#57606a"
    for at, line in enumerate(scene.lines):
        yield f"  linkStyle {at} stroke:{KINDS[line.kind].stroke}"
