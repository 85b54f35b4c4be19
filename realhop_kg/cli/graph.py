"""`realhop graph`: graphs of a dataset in a store, asked by Cypher, and written for other tools."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from realhop_kg.cli.changed import refuse_changed, warn_changed
from realhop_kg.cli.graph_options import (
    AsCsv,
    AsIs,
    Beside,
    Params,
    Scope,
    StoreAddress,
    address_beside,
    address_of,
    is_embedded,
    json_or_text,
    pairs_of,
)
from realhop_kg.cli.graph_trials import RunOption, load_run
from realhop_kg.cli.options import AsJson, DatasetFolder
from realhop_kg.cli.output import echo, echo_json, tracked
from realhop_kg.cli.tables import print_table

if TYPE_CHECKING:
    from realhop_kg.freeze.reader import FrozenDataset
    from realhop_kg.graph.reasoning import ReasoningGraph
    from realhop_kg.stores.rdf_source import Source

__all__ = ["graph_app"]

graph_app = typer.Typer(
    help="Load graphs into a store, ask them by Cypher, export them.",
    no_args_is_help=True,
    rich_markup_mode=None,
)


@graph_app.command("load")
def load_command(
    folder: DatasetFolder,
    store: StoreAddress = None,
    run: RunOption = None,
    scope: Scope = None,
    as_is: AsIs = False,
    as_json: AsJson = False,
) -> None:
    """Load the graphs or questions of a dataset, and a run's answers; what is unchanged is skipped.

    A dataset of refusal questions is loaded as such.
    """
    from realhop_kg.cli.loading import load_dataset
    from realhop_kg.freeze.manifest import read_manifest
    from realhop_kg.stores.address import open_store
    from realhop_kg.stores.load import check_scope

    # Read before the store is opened: a wrong folder should not leave an empty store behind.
    manifest = read_manifest(folder)
    # A store outlives any warning, so what was changed does not go into one unasked.
    refuse_changed(folder, as_is)
    audited = _opened(folder) if run else None
    address = store or address_beside(folder)
    name = check_scope(folder.resolve().name if scope is None else scope)
    with open_store(address) as opened:
        report = load_dataset(opened, name, folder, manifest)
        answers = load_run(opened, name, audited, run) if run and audited else {}
    counts = {
        "loaded": report.loaded,
        "replaced": report.replaced,
        "unchanged": report.unchanged,
        "removed": report.removed,
        **answers,
    }
    if as_json:
        echo_json({"store": address, "scope": name, **counts})
        return
    said = ", ".join(f"{count} {what.replace('_', ' ')}" for what, count in counts.items())
    echo(f"{address}, scope {name}: {said}")


@graph_app.command("query")
def query_command(
    name: Annotated[str, typer.Argument(help="Name of a query; `realhop graph queries`.")],
    param: Params = None,
    store: StoreAddress = None,
    dataset: Beside = None,
    as_json: AsJson = False,
    as_csv: AsCsv = False,
) -> None:
    """Run a query of the library."""
    from realhop_kg.stores.address import open_store
    from realhop_kg.stores.narrowing import check_known
    from realhop_kg.stores.queries import answer, bound, load_query

    # Checked before the store is opened: a typing error should not cost a connection.
    query = load_query(name)
    values = bound(query, pairs_of(param))
    with open_store(address_of(store, dataset), writing=False) as opened:
        table = answer(opened, query, values)
        if not table.rows:
            check_known(opened, values)
        print_table(table, as_json, as_csv)


@graph_app.command("cypher")
def cypher_command(
    text: Annotated[str, typer.Argument(metavar="CYPHER", help="The statement.")],
    param: Params = None,
    write: Annotated[bool, typer.Option("--write", help="Let the statement write.")] = False,
    store: StoreAddress = None,
    dataset: Beside = None,
    as_json: AsJson = False,
    as_csv: AsCsv = False,
) -> None:
    """Run a Cypher statement; parameters are text, or JSON where they parse as it."""
    from realhop_kg.stores.address import open_store
    from realhop_kg.stores.dialect import apart
    from realhop_kg.stores.store import Statement

    values = {key: json_or_text(value) for key, value in pairs_of(param).items()}
    address = address_of(store, dataset)
    for difference in apart(text) if is_embedded(address) else ():
        typer.echo(f"note: other rows than on Neo4j: {difference}", err=True)
    with open_store(address, writing=write) as opened:
        statement = Statement(text, values)
        table = opened.write([statement])[0] if write else opened.run(*statement)
        print_table(table, as_json, as_csv)


@graph_app.command("queries")
def queries_command(as_json: AsJson = False) -> None:
    """List the queries of the library with what they answer, take and return."""
    from realhop_kg.stores.queries import load_query, query_names

    queries = [load_query(name) for name in query_names()]
    if as_json:
        echo_json(
            [
                {
                    "name": query.name,
                    "answers": query.answers,
                    "params": [param._asdict() for param in query.params],
                    "columns": [column._asdict() for column in query.columns],
                }
                for query in queries
            ]
        )
        return
    for query in queries:
        echo(f"{query.name}\n    {query.answers}")
        for param in query.params:
            default = "" if param.default is None else f" = {param.default}"
            mark = "?" if not param.required and param.default is None else ""
            echo(f"    --param {param.name}{mark}{default} ({param.kind}): {param.says}")
        echo(f"    returns {', '.join(column.name for column in query.columns)}\n")


@graph_app.command("scopes")
def scopes_command(
    store: StoreAddress = None, dataset: Beside = None, as_json: AsJson = False
) -> None:
    """List the datasets that a store holds."""
    from realhop_kg.stores.address import open_store
    from realhop_kg.stores.load import scopes
    from realhop_kg.stores.store import Table

    with open_store(address_of(store, dataset), writing=False) as opened:
        rows: list[tuple[Any, ...]] = [*scopes(opened)]
    print_table(Table(("scope", "items"), rows), as_json, as_csv=False)


@graph_app.command("export")
def export_command(
    folder: DatasetFolder,
    form: Annotated[
        str,
        typer.Option("--format", help="graphml, json, csv-neo4j-admin, turtle, nquads or dot."),
    ],
    out: Annotated[
        Path | None, typer.Option("--out", help="File (csv: folder) to write; default: stdout.")
    ] = None,
    item: Annotated[str | None, typer.Option("--item", help="Only this item.")] = None,
    scope: Scope = None,
) -> None:
    """Write the graphs of a dataset in a form that other tools read."""
    from realhop_kg.cli.loading import source_of
    from realhop_kg.errors import InputError
    from realhop_kg.stores.export import TEXT_FORMATS, export_text
    from realhop_kg.view.soundness import differing

    formats = sorted([*TEXT_FORMATS, "csv-neo4j-admin"])
    if form not in formats:
        raise InputError(f"unknown format {form!r}; there are {', '.join(formats)}")
    dataset, changed = _opened(folder), differing(folder)
    source = source_of(dataset.manifest, scope or folder.resolve().name)
    graphs = tracked(_graphs(dataset, item), "exporting", dataset.manifest.counts.constructed)
    if form == "csv-neo4j-admin" and out is None:
        raise InputError("csv-neo4j-admin writes many files; name a folder with --out")
    if out is None:
        # Half a character in a text would stop print; our formats refuse or escape it.
        sys.stdout.reconfigure(encoding="utf-8", newline="\n")  # type: ignore[union-attr]
        export_text(form, graphs, source, sys.stdout)
    else:
        _export_to(out, form, graphs, source)
    _warn(changed)


def _export_to(
    out: Path, form: str, graphs: Iterator[tuple[str, ReasoningGraph]], source: Source
) -> None:
    from realhop_kg.errors import InputError
    from realhop_kg.stores.export import export_csv, export_text

    partial = out.with_name(f".{out.name}.partial")
    try:
        if form == "csv-neo4j-admin":
            export_csv(graphs, source, out)
            return
        # Beside its place first: an export that fails leaves what stood there.
        with partial.open("w", encoding="utf-8", newline="\n") as stream:
            export_text(form, graphs, source, stream)
        partial.replace(out)
    except OSError as error:
        raise InputError(
            f"{out} cannot be written: {error.strerror}; name another --out"
        ) from error
    finally:
        with suppress(OSError):  # its folder may be none
            partial.unlink(missing_ok=True)


@graph_app.command("shapes")
def shapes_command(
    folder: DatasetFolder,
    item: Annotated[str | None, typer.Option("--item", help="Only this item.")] = None,
    as_json: AsJson = False,
) -> None:
    """Check the RDF of a dataset against the SHACL shapes; exit 1 if something breaks one."""
    from realhop_kg.stores.shacl import check_shapes
    from realhop_kg.view.soundness import differing

    dataset, changed = _opened(folder), differing(folder)
    found = []
    graphs = tracked(_graphs(dataset, item), "checking", dataset.manifest.counts.constructed)
    for key, graph in graphs:
        for finding in check_shapes(key, graph):
            found.append(finding.model_dump(mode="json"))
            if not as_json:
                echo(f"{key}: {finding.code} {', '.join(finding.nodes)}: {finding.message}")
    if as_json:
        echo_json(found)
    elif not found:
        echo("ok: every shape holds")
    _warn(changed)
    raise typer.Exit(1 if found else 0)


def _warn(changed: Sequence[str]) -> None:
    """Say what of a dataset was changed, and end with 1 where anything was, as `view` does."""
    warn_changed(changed)
    if changed:
        raise typer.Exit(1)


def _opened(folder: Path) -> FrozenDataset:
    from realhop_kg.freeze.reader import FrozenDataset

    return FrozenDataset.open(folder)


def _graphs(dataset: FrozenDataset, item: str | None) -> Iterator[tuple[str, ReasoningGraph]]:
    if item is None:
        yield from dataset.graphs()
        return
    yield dataset.item(item).id, dataset.graph(item)
