"""Writes graphs in the forms that other tools read, item by item, nothing held."""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import IO, Any
from xml.sax.saxutils import escape, quoteattr

from realhop_kg.errors import InputError
from realhop_kg.graph.reasoning import ReasoningGraph
from realhop_kg.graph.schema import EDGES, NODES, PathKind
from realhop_kg.graph.views import with_relates
from realhop_kg.jsonl import canonical
from realhop_kg.stores.rdf import item_iri, item_triples
from realhop_kg.stores.rdf_source import Source, dataset_triples
from realhop_kg.stores.rdf_terms import PREFIXES, quads, turtle
from realhop_kg.stores.rows import Row, pack_graph
from realhop_kg.stores.schema import ADDED, LABELS, TRIPLES, Triple

__all__ = ["TEXT_FORMATS", "export_csv", "export_text"]

Graphs = Iterable[tuple[str, ReasoningGraph]]

ARRAY = "\x1f"
"""Separates the texts of a list in a CSV cell: no text that people write holds it."""

_CSV_TYPES = {
    "STRING": "string",
    "INTEGER": "long",
    "BOOLEAN": "boolean",
    "LIST<STRING>": "string[]",
}


def _nquads(graphs: Graphs, source: Source) -> Iterator[str]:
    for line in quads(dataset_triples(source)):
        yield f"{line}\n"
    for item, graph in graphs:
        base = item_iri(source.scope, item)
        for line in quads(item_triples(source.scope, item, graph), base):
            yield f"{line}\n"


def _turtle(graphs: Graphs, source: Source) -> Iterator[str]:
    """Yield one graph of everything: Turtle knows no named graphs."""
    for prefix, space in PREFIXES.items():
        yield f"@prefix {prefix}: <{space}> .\n"
    yield "\n"
    yield from turtle(dataset_triples(source))
    for item, graph in graphs:
        yield "\n"
        yield from turtle(item_triples(source.scope, item, graph))


def _json(graphs: Graphs, source: Source) -> Iterator[str]:
    """Yield one JSON list of node-link graphs, which `networkx.node_link_graph` reads."""
    yield "["
    for number, (item, graph) in enumerate(graphs):
        data = {"id": item, "scope": source.scope, **with_relates(graph).to_node_link()}
        yield (",\n" if number else "\n") + canonical(data)
    yield "\n]\n"


_XML_FORBIDDEN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")


def _xml(item: str, value: object) -> str:
    text = json.dumps(value, ensure_ascii=False) if isinstance(value, list) else str(value)
    text = text.lower() if isinstance(value, bool) else text
    if _XML_FORBIDDEN.search(text):
        raise InputError(f"{item}: holds a character that XML cannot; export it as json instead")
    # A carriage return would be read back as a newline.
    return escape(text, {"\r": "&#13;"})


def _graphml(graphs: Graphs, source: Source) -> Iterator[str]:
    """Yield one GraphML graph; ids start with the number of their item, lists are JSON."""
    yield '<?xml version="1.0" encoding="UTF-8"?>\n'
    yield '<graphml xmlns="http://graphml.graphdrawing.org/xmlns">\n'
    kinds = {str: "string", int: "long", bool: "boolean"}
    for name in _node_fields():
        yield f'<key id="n_{name}" for="node" attr.name="{name}" attr.type="string"/>\n'
    fields = {name: kind for spec in EDGES.values() for name, kind in spec.properties.items()}
    for name, kind in {"kind": str, **fields}.items():
        yield f'<key id="e_{name}" for="edge" attr.name="{name}" attr.type="{kinds[kind]}"/>\n'
    yield f'<graph id={quoteattr(_xml(source.scope, source.scope))} edgedefault="directed">\n'
    for number, (item, graph) in enumerate(graphs, 1):
        yield from _graphml_item(number, item, graph)
    yield "</graph>\n</graphml>\n"


def _node_fields() -> list[str]:
    found = dict.fromkeys(["item", "node", "kind"])
    for model in NODES.values():
        found |= dict.fromkeys(name for name in model.model_fields if name != "id")
    return list(found)


def _graphml_item(number: int, item: str, graph: ReasoningGraph) -> Iterator[str]:
    data = with_relates(graph).to_node_link()
    ids = {node["id"]: f"{number}.{place}" for place, node in enumerate(data["nodes"], 1)}
    for node in data["nodes"]:
        values = {"item": item, "node": node["id"]} | {k: node[k] for k in node if k != "id"}
        cells = "".join(f'<data key="n_{k}">{_xml(item, v)}</data>' for k, v in values.items())
        yield f'<node id="{ids[node["id"]]}">{cells}</node>\n'
    for edge in data["edges"]:
        values = {k: v for k, v in edge.items() if k not in ("source", "target", "key")}
        cells = "".join(f'<data key="e_{k}">{_xml(item, v)}</data>' for k, v in values.items())
        ends = f'source="{ids[edge["source"]]}" target="{ids[edge["target"]]}"'
        yield f"<edge {ends}>{cells}</edge>\n"


_COLOURS = {
    PathKind.GOLD: "#1f6feb",
    PathKind.STRICT: "#d9730d",
    PathKind.FLEXIBLE: "#d9730d",
}


def _dot_text(text: str) -> str:
    plain = "".join(char if char.isprintable() else " " for char in text)
    return '"' + plain.replace("\\", "\\\\").replace('"', '\\"') + '"'


def _dot(graphs: Graphs, source: Source) -> Iterator[str]:
    """Yield one picture: entities joined by what facts say, an item a cluster, gold in blue."""
    yield f"digraph {_dot_text(source.scope)} {{\n  rankdir=LR;\n"
    yield '  node [shape=box, style=rounded, fontname="Helvetica"];\n'
    for number, (item, graph) in enumerate(graphs, 1):
        yield f"  subgraph cluster_{number} {{\n    label={_dot_text(item)};\n"
        yield from _dot_item(number, graph)
        yield "  }\n"
    yield "}\n"


def _dot_item(number: int, graph: ReasoningGraph) -> Iterator[str]:
    rows = pack_graph("dot", "dot", graph)
    related = {t: edges for t, edges in rows.edges.items() if t.kind == "RELATES"}
    places = {row["id"]: f"n{number}_{place}" for place, row in enumerate(rows.nodes["Entity"], 1)}
    used = {
        edge[end] for edges in related.values() for edge in edges for end in Triple._fields[::2]
    }
    for row in rows.nodes["Entity"]:
        if row["id"] in used:
            yield f"    {places[row['id']]} [label={_dot_text(row['properties']['surface'])}];\n"
    status = {row["properties"]["node"]: row["properties"] for row in rows.nodes["Fact"]}
    for edges in related.values():
        for edge in edges:
            fact = status[edge["properties"]["fact"]]
            gold = fact["status"] == "gold"
            colour = _COLOURS[PathKind.GOLD if gold else PathKind.STRICT]
            style = "dashed" if fact["status"] == "break" else "solid"
            yield (
                f"    {places[edge['source']]} -> {places[edge['target']]} "
                f'[label={_dot_text(fact["predicate"])}, color="{colour}", style={style}];\n'
            )


TEXT_FORMATS: dict[str, Callable[[Graphs, Source], Iterator[str]]] = {
    "graphml": _graphml,
    "json": _json,
    "turtle": _turtle,
    "nquads": _nquads,
    "dot": _dot,
}
"""Writer by name of each format that is one text."""


def export_text(form: str, graphs: Graphs, source: Source, stream: IO[str]) -> None:
    """Write graphs in a format that is one text.

    Raises:
        InputError: if the format is unknown, or cannot hold what a graph says.
    """
    if form not in TEXT_FORMATS:
        raise InputError(f"unknown format {form!r}; there are {', '.join(sorted(TEXT_FORMATS))}")
    for piece in TEXT_FORMATS[form](graphs, source):
        stream.write(piece)


def export_csv(graphs: Graphs, source: Source, folder: Path) -> None:
    """Write a folder of CSV files for `neo4j-admin database import`, with the command to run.

    Raises:
        InputError: if a text holds the character that separates the texts of a list.
    """
    folder.mkdir(parents=True, exist_ok=True)
    with ExitStack() as files:
        writers: dict[str | Triple, Any] = {}

        def writer(key: str | Triple, head: list[str]) -> Any:  # noqa: ANN401 - csv has no name for it
            if key not in writers:
                path = folder / _csv_name(key)
                stream = files.enter_context(path.open("w", encoding="utf-8", newline=""))
                writers[key] = csv.writer(stream, quoting=csv.QUOTE_NONNUMERIC)
                writers[key].writerow(head)
            return writers[key]

        for item, graph in graphs:
            packed = pack_graph(source.scope, item, graph)
            for label, rows in packed.nodes.items():
                writer(label, _node_head(label)).writerows(_node_row(label, row) for row in rows)
            for triple, rows in packed.edges.items():
                writer(triple, _edge_head(triple)).writerows(_edge_row(triple, r) for r in rows)
        names = list(writers)
    (folder / "import.txt").write_text(_command(names), encoding="utf-8")


def _csv_name(key: str | Triple) -> str:
    return f"nodes_{key}.csv" if isinstance(key, str) else f"edges_{'_'.join(key)}.csv"


def _node_properties(label: str) -> dict[str, str]:
    added = {name: prop.cypher_type for name, prop in ADDED.items() if name != "id"}
    own = {name: prop.cypher_type for name, prop in LABELS[label].properties.items()}
    return {**added, **own}


def _node_head(label: str) -> list[str]:
    cells = [f"{name}:{_CSV_TYPES[kind]}" for name, kind in _node_properties(label).items()]
    return ["id:ID", *cells]


def _node_row(label: str, row: Row) -> list[object]:
    return [row["id"], *(_cell(row["properties"].get(name)) for name in _node_properties(label))]


def _edge_head(triple: Triple) -> list[str]:
    kinds: dict[type, str] = {str: "string", int: "long", bool: "boolean"}
    properties = [f"{name}:{kinds[python]}" for name, python in TRIPLES[triple].items()]
    return [":START_ID", ":END_ID", *properties]


def _edge_row(triple: Triple, row: Row) -> list[object]:
    cells = [_cell(row["properties"][name]) for name in TRIPLES[triple]]
    return [row["source"], row["target"], *cells]


def _cell(value: object) -> object:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, list):
        if any(ARRAY in text for text in value):
            raise InputError("a text holds U+001F, which separates lists in CSV; export json")
        return ARRAY.join(value)
    return value


def _command(keys: list[str | Triple]) -> str:
    # The database comes first: after a list of files it would count as one more file.
    lines = [
        "neo4j-admin database import full neo4j",
        "  --multiline-fields=true --array-delimiter=U+001F",
    ]
    for key in keys:
        option = f"--nodes={key}" if isinstance(key, str) else f"--relationships={key.kind}"
        lines.append(f"  {option}={_csv_name(key)}")
    return " \\\n".join(lines) + "\n"
