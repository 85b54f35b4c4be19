"""What the script of an item page knows: the picture, the facts, and what each Drop leaves."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from realhop_kg.graph.certificates import Certificates
from realhop_kg.graph.reasoning import ReasoningGraph
from realhop_kg.graph.schema import EdgeKind
from realhop_kg.model.finding import CONTRACTS, Code
from realhop_kg.view.chains import Chains, Fact, path_name
from realhop_kg.view.palette import BREAK
from realhop_kg.view.scene import Line, Point, Scene

__all__ = ["drawn_scene", "page_data"]


def page_data(
    graph: ReasoningGraph, chains: Chains, proved: Certificates, scene: Scene
) -> dict[str, Any]:
    """Return the data of an item page, as JSON can hold it.

    Args:
        graph: the item's graph.
        chains: the same, read for drawing.
        proved: its certificates.
        scene: its picture.
    """
    codes = {code for fact in chains.facts.values() for code in fact.contracts} | {Code.S3}
    return {
        **drawn_scene(scene),
        "facts": {fact.id: _fact(chains, fact) for fact in chains.facts.values()},
        "contracts": {str(code): CONTRACTS[code].holds_when for code in sorted(codes)},
        "drops": {str(hop): _drop(graph, chains, proved, hop) for hop in proved.dropped},
        "paths": {
            path.name: {
                "kind": str(path.kind),
                "endpoint": path.endpoint,
                "facts": [*path.own, *path.inherited],
            }
            for path in chains.paths
        },
    }


def drawn_scene(scene: Scene) -> dict[str, Any]:
    """Return a picture as the script draws it."""
    return {
        "elements": [*_nodes(scene), *_edges(scene)],
        "width": round(scene.width),
        "height": round(scene.height),
        "font": scene.font,
    }


def _round(value: float) -> float:
    return round(value, 2)


def _node(kind: str, key: str, x: float, y: float, **data: object) -> dict[str, Any]:
    return {
        "group": "nodes",
        "classes": kind,
        "position": {"x": _round(x), "y": _round(y)},
        "data": {"id": f"{kind}:{key}", **data},
    }


def _nodes(scene: Scene) -> Iterator[dict[str, Any]]:
    for at, band in enumerate(scene.bands):
        x, y = band.x + band.width / 2, band.y + band.height / 2
        yield _node("band", str(at), x, y, w=_round(band.width), h=_round(band.height))
    for box in scene.boxes:
        yield _node(
            f"box {box.kind}{' answer' if box.is_answer else ''}",
            box.id,
            box.x,
            box.y,
            id=f"box:{box.id}",
            w=_round(box.width),
            h=_round(box.height),
            label="\n".join(box.lines),
            fact=box.fact,
            path=box.path,
        )
    for key in scene.keys:
        name = f"box:{key.id}"
        yield _node(f"key {key.kind}", key.id, key.x, key.y, id=name, fact=key.fact, path=key.path)
    for mark in scene.marks:
        yield _node(
            f"mark {mark.kind}", mark.fact, mark.x, mark.y,
            label=BREAK, fact=mark.fact, path=mark.path,
        )  # fmt: skip
    for at, label in enumerate(scene.labels):
        yield _node(
            f"label on-{label.role} {label.kind}{'' if label.centred else ' start'}".rstrip(),
            str(at),
            label.x,
            label.y,
            id=f"label:{at}",
            label="\n".join(label.lines),
            fact=label.fact,
            path=label.path,
        )


def _edges(scene: Scene) -> list[dict[str, Any]]:
    centres = {box.id: (box.x, box.y) for box in scene.boxes}
    centres |= {key.id: (key.x, key.y) for key in scene.keys}
    return [_edge(line, centres) for line in scene.lines]


def _edge(line: Line, centres: dict[str, Point]) -> dict[str, Any]:
    first, last = line.points[0], line.points[-1]
    bends = [_relative(point, first, last) for point in line.points[1:-1]]
    rebinds = " rebinds" if line.id.startswith("rebinds:") else ""
    return {
        "group": "edges",
        "classes": f"{line.kind}{' arrow' if line.arrow and not line.joins else ''}{rebinds}"
        f"{' bent' if bends else ''}",
        "data": {
            "id": f"line:{line.id}",
            "source": f"box:{line.source}",
            "target": f"box:{line.target}",
            "fact": line.fact,
            "part": line.part,
            "path": line.path,
            "shared": list(line.shared),
            "out": _offset(first, centres[line.source]),
            "in": _offset(last, centres[line.target]),
            "weights": [weight for weight, _ in bends],
            "distances": [distance for _, distance in bends],
        },
    }


def _offset(point: Point, centre: Point) -> str:
    """Return where a line meets a node, from the node's centre, as cytoscape takes it."""
    return f"{_round(point[0] - centre[0])}px {_round(point[1] - centre[1])}px"


def _relative(point: Point, first: Point, last: Point) -> tuple[float, float]:
    """Return how far along the straight way a bend lies (0 to 1), and how far beside it."""
    ax, ay = last[0] - first[0], last[1] - first[1]
    px, py = point[0] - first[0], point[1] - first[1]
    length = (ax * ax + ay * ay) ** 0.5
    along = (px * ax + py * ay) / (length * length)
    beside = (px * -ay + py * ax) / length
    return round(along, 5), _round(beside)


def _fact(chains: Chains, fact: Fact) -> dict[str, Any]:
    names = chains.entities
    return {
        "hop": fact.hop,
        "path": fact.path,
        "kind": str(fact.kind),
        "status": str(fact.status),
        "words": fact.words,
        "subjects": [names[subject].surface for subject in fact.subjects],
        "value": names[fact.value].surface,
        "parts": [part.id for part in fact.parts],
        "hosts": sorted({span.passage for part in fact.parts for span in part.spans}),
        "contracts": [str(code) for code in fact.contracts],
        "shared": list(chains.sharing(fact.id)),
    }


def _drop(graph: ReasoningGraph, chains: Chains, proved: Certificates, hop: int) -> dict[str, Any]:
    passages = set(proved.dropped[hop])
    lost = [
        stated
        for fact in chains.facts.values()
        for stated in dict.fromkeys((fact.id, *(part.id for part in fact.parts)))
        if passages.intersection(graph.targets(stated, EdgeKind.ROUTED_TO))
    ]
    return {
        "passages": sorted(int(passage.removeprefix("p")) for passage in passages),
        "lost": lost,
        "derivable": proved.gold_derivable_after_drop[hop],
        "complete": [path_name(path) for path in proved.complete_paths[hop]],
        "orphans": [path_name(path) for path in proved.orphans[hop]],
    }
