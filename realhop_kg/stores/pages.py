"""Writes the pages of `cypher/` that are made from code: `python -m realhop_kg.stores.pages`."""

from __future__ import annotations

from pathlib import Path

from realhop_kg.resources import resource_folder
from realhop_kg.stores.queries import Query, load_query, query_names
from realhop_kg.stores.schema import schema_cypher, schema_page
from realhop_kg.stores.vocabulary import vocabulary_turtle

__all__ = ["pages", "write_pages"]

_HEAD = """\
# Cypher: ask the graph

The files of `queries/` run on Neo4j 5 and on the embedded engine, with the same rows. `realhop
graph query NAME --param k=v` runs one; so does pasting it into Neo4j Browser with its parameters
set. Every file starts with a header that says what it answers, what it takes and what it returns.
This page and `schema.cypher` are made from the headers and the schema table by
`python -m realhop_kg.stores.pages`; a test compares them.

A parameter that ends in `?` may be left out. A query of your own becomes part of the library by
being put into `queries/`: keep to the subset that both engines run (`realhop_kg/stores/dialect.py`
names what is left out, and the tests check it), return named scalars, and end with `ORDER BY`.
"""

_FREE = """\
## Cypher of your own

`realhop graph cypher "MATCH (p:Passage) RETURN p.page_title AS page LIMIT 5" --dataset DIR` runs
any statement that reads; `--write` lets it write, `--param k=v` takes JSON or text. A property
that a node lacks is null, and any name may stand in backticks.
The engines differ in this:

- `p.name`, `p.title`, `p.type` and `p.label` are null on Neo4j, as no node has them; the embedded
  engine makes them up. Ask for `page_title`, `surface`, `entity_type`, `type(r)` or `labels(n)`.
- `keys(n)` and `properties(n)` hold what is made up, too. Name the properties.
- `-[:DEPENDS_ON*]->` stops at ten edges on the embedded engine. Write how far: `*1..10`.
- `id(n)`, `elementId(n)`, `=~` and the `size()` of a text are each engine's own. Use `n.id`,
  `CONTAINS`.
- The embedded engine reserves `end` and `order` as names of variables: `` WITH s.end AS `end` ``,
  `` RETURN `end` ``. The properties are read without backticks by both.
- `COLLECT {}`, shortest and quantified paths, `/* */` and APOC are Neo4j's alone;
  `realhop_kg/stores/dialect.py` has the whole list.

Where the embedded engine answers with other rows than Neo4j would, the command says so on standard
error.
"""


_RDF = """\
## RDF

`realhop graph export DATASET --format nquads` writes one named graph per item (`turtle`: one graph
of everything). Classes are the labels above and properties their properties, in the vocabulary of
`vocabulary.ttl`; an edge is a property too (`DEPENDS_ON` is `rh:dependsOn`), and where it carries
something, an `rdf:Statement` about it does. Lists are RDF lists. Beside these stand

- spans as Web Annotations: `oa:hasBody` is what is stated, `oa:hasTarget` points by
  `oa:TextPositionSelector` and `oa:TextQuoteSelector` into the `rh:RealizedText` of a passage;
- provenance in PROV-O: spans and insertions come from the `rh:Realization`, facts, premises, paths
  and virtual entities from the `rh:Planning`, both from the `rh:Construction` of the dataset, which
  used its inputs and prompt templates (by SHA-256) and led to the `rh:Freeze`; a virtual entity
  was derived from the source entity whose place it takes. Where models filled a stage, the
  `rh:ModelCalls` of that stage name model, parameters and templates, and each `rh:ModelCall` whose
  reply went into an item bears the key under which `realhop replies` has it.

`realhop_kg/stores/shapes.ttl` states contracts R1, R2, S3, F3, H1, H2, H3 and T2 in SHACL;
`realhop graph shapes DATASET` checks them.
"""


def _kind(query: Query) -> str:
    parts = []
    for param in query.params:
        mark = "" if param.required else "?" if param.default is None else f" = {param.default}"
        parts.append(f"`{param.name}: {param.kind}{mark}` {param.says}")
    return "; ".join(parts) or "none"


def _entry(query: Query) -> str:
    columns = ", ".join(f"`{column.name}`" for column in query.columns)
    return f"### {query.name}\n\n{query.answers}\n\n- takes: {_kind(query)}\n- returns: {columns}\n"


def pages() -> dict[str, str]:
    """Return the content of each made page by its name in `cypher/`."""
    queries = "\n".join(_entry(load_query(name)) for name in query_names())
    readme = f"{_HEAD}\n## Queries\n\n{queries}\n{_FREE}\n## Schema\n\n{schema_page()}\n{_RDF}"
    return {
        "README.md": readme,
        "schema.cypher": schema_cypher(),
        "vocabulary.ttl": vocabulary_turtle(),
    }


def write_pages(folder: Path) -> None:
    """Write the made pages into a folder."""
    for name, content in pages().items():
        (folder / name).write_text(content, encoding="utf-8")


if __name__ == "__main__":
    write_pages(resource_folder("cypher"))
