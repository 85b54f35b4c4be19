"""`realhop kilt`: the hyperlink graph of a Wikipedia, built once, then walked on."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from realhop_kg.cli.options import AsJson
from realhop_kg.cli.output import counting, echo, echo_json

if TYPE_CHECKING:
    from random import Random

    from realhop_kg.graph.hyperlinks.index import PageGraph
    from realhop_kg.graph.hyperlinks.manifest import IndexManifest
    from realhop_kg.graph.hyperlinks.walk import Walk
    from realhop_kg.model.refusal import WalkSettings

__all__ = ["kilt_app"]

kilt_app = typer.Typer(
    help="Index the hyperlinks of KILT's Wikipedia pages, and walk on them.",
    no_args_is_help=True,
    rich_markup_mode=None,
)

_CHECKED = 1 << 28
"""Bytes of an index that are read and compared before a walk; of a larger one, `info` does."""

IndexFolder = Annotated[Path, typer.Argument(metavar="INDEX", help="Folder of an index.")]


@kilt_app.command("index")
def index_command(
    pages: Annotated[
        list[Path],
        typer.Argument(metavar="PAGES...", help="KILT pages as JSON lines, plain or gzipped."),
    ],
    out: Annotated[Path, typer.Option("--out", metavar="INDEX", help="Folder to write.")],
    redirects: Annotated[
        Path | None,
        typer.Option("--redirects", metavar="TSV", help="Redirects: title, tab, target."),
    ] = None,
    copy: Annotated[
        bool, typer.Option("--copy", help="Keep the texts in the index; PAGES may then go.")
    ] = False,
    force: Annotated[bool, typer.Option("--force", help="Replace an index that is there.")] = False,
    longest: Annotated[
        int, typer.Option("--longest", metavar="MB", min=1, help="Leave out longer pages.")
    ] = 256,
    as_json: AsJson = False,
) -> None:
    """Read pages into an index. A run that is stopped leaves nothing; start it again.

    Exit code 1: some lines held no page, or a file ends early; the rest was indexed.
    """
    import realhop_kg
    from graph_builders.kilt import build_index

    with counting("reading pages (MB)") as advance:
        report = build_index(
            pages,
            out,
            created_by=f"realhop-kg {realhop_kg.__version__}",
            redirects=redirects,
            copy=copy,
            force=force,
            longest=longest << 20,
            progress=lambda done, total: advance(done >> 20, total >> 20),
        )
    for bad in report.bad:
        typer.echo(f"realhop: {bad}", err=True)
    omitted = report.manifest.counts.unreadable_lines - len(report.bad)
    if omitted:
        typer.echo(f"realhop: and {omitted} more lines that hold no page", err=True)
    _print_counts(out, report.manifest, as_json)
    raise typer.Exit(1 if report.bad else 0)


@kilt_app.command("info")
def info_command(
    index: IndexFolder,
    verify: Annotated[
        bool,
        typer.Option(
            "--verify", help="Read the index and its pages, and say what differs (exit code 1)."
        ),
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Print what an index holds, and what was moved or left out."""
    from realhop_kg.graph.hyperlinks.manifest import IndexManifest
    from realhop_kg.graph.hyperlinks.verify import broken_index

    manifest, broken = IndexManifest.read(index), list[str]()
    if verify:
        with counting("checking index and pages (MB)") as advance:
            broken = list(
                broken_index(
                    index,
                    manifest,
                    progress=lambda done, total: advance(done >> 20, total >> 20),
                )
            )
    _print_counts(index, manifest, as_json, broken if verify else None)
    raise typer.Exit(1 if broken else 0)


def _print_counts(
    folder: Path, manifest: IndexManifest, as_json: bool, broken: list[str] | None = None
) -> None:
    if as_json:
        said = {"index": str(folder), **manifest.model_dump(mode="json")}
        echo_json(said if broken is None else {**said, "broken": broken})
        return
    echo(f"{folder}: {', '.join(source.file for source in manifest.sources)}")
    for name, count in manifest.counts:
        echo(f"  {name.replace('_', ' '):<22} {count:>13,}")
    for line in broken or ():
        echo(f"  {line}")
    if broken == []:
        echo("  every checksum holds, of the index and of its pages")


@kilt_app.command("walk")
def walk_command(
    title: Annotated[str, typer.Argument(help="Page to walk to and from.")],
    index: Annotated[
        Path, typer.Option("--index", metavar="INDEX", envvar="REALHOP_INDEX", help="The index.")
    ],
    prefix: Annotated[int, typer.Option("--prefix", min=0, max=4, help="Hops to it.")] = 0,
    suffix: Annotated[int, typer.Option("--suffix", min=0, max=4, help="Hops from it.")] = 0,
    seed: Annotated[int, typer.Option("--seed", help="Seed of every draw.")] = 0,
    low: Annotated[int, typer.Option("--low", min=0, help="Least degree.")] = 10,
    high: Annotated[int, typer.Option("--high", min=0, help="Greatest degree.")] = 200,
    degree: Annotated[str, typer.Option("--degree", help="total, in or out.")] = "total",
    lead_degree: Annotated[
        bool, typer.Option("--lead-degree", help="Count links of the opening paragraphs only.")
    ] = False,
    any_link: Annotated[
        bool, typer.Option("--any-link", help="Take links outside the opening paragraphs too.")
    ] = False,
    no_disambiguation: Annotated[
        bool, typer.Option("--no-disambiguation", help="Enter no disambiguation page.")
    ] = False,
    top: Annotated[int, typer.Option("--top", min=1, help="Draw one of the best.")] = 5,
    tries: Annotated[
        int, typer.Option("--tries", min=1, help="Draw again if a walk ends early.")
    ] = 100,
    store: Annotated[
        str | None,
        typer.Option("--store", metavar="STORE", help="Load the walk: neo4j://... or embedded:F."),
    ] = None,
    graphml: Annotated[
        Path | None, typer.Option("--graphml", metavar="FILE", help="Write the walk as GraphML.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Walk links of opening paragraphs to a page and on from it, with the sentences that link."""
    from realhop_kg.errors import InputError
    from realhop_kg.graph.hyperlinks.coherence import Bm25Coherence
    from realhop_kg.graph.hyperlinks.index import PageGraph
    from realhop_kg.graph.hyperlinks.manifest import IndexManifest
    from realhop_kg.graph.hyperlinks.walk import Walker
    from realhop_kg.model.refusal import WalkSettings

    if degree not in ("total", "in", "out"):
        raise InputError(f"--degree {degree!r} is none of total, in, out")
    if low > high:
        raise InputError(f"--low {low} is above --high {high}; swap them")
    if not prefix and not suffix:
        raise InputError("no way to walk; give --prefix N, --suffix N or both")
    kind: Literal["total", "in", "out"] = degree  # type: ignore[assignment]
    settings = WalkSettings(
        low=low,
        high=high,
        degree=kind,
        degree_over="lead" if lead_degree else "all",
        lead_only=not any_link,
        disambiguation=not no_disambiguation,
        top=top,
    )
    small = sum(file.bytes for file in IndexManifest.read(index).files) < _CHECKED
    with PageGraph.open(index, verify=small) as graph:
        page = graph.page(title)
        walker = Walker(graph, Bm25Coherence(), settings)
        walks = []
        visited: tuple[int, ...] = ()
        for hops, walk in ((prefix, walker.prefix), (suffix, walker.suffix)):
            if hops:
                drawn = partial(walk, page, hops, visited=visited)
                title = graph.titles[page]
                walks.append(_completed(drawn, walk.__name__, title, seed, tries))
                visited = walks[-1].pages
        _print_walks(graph, walks, settings, as_json)
        _export(graph, walks, index, store, graphml)


def _completed(
    walk: Callable[[Random], Walk], kind: str, title: str, seed: int, tries: int
) -> Walk:
    from realhop_kg.errors import ContractError
    from realhop_kg.graph.hyperlinks.walk import INCOMPLETE, WalkTally, distinct_walks

    tally = WalkTally()
    found = next(distinct_walks(walk, seed, f"{kind}/{title}", tries, tally), None)
    if found is None:
        raise ContractError(
            INCOMPLETE,
            f"none of {tally.incomplete} {kind} walks could be finished at {title!r}; ask for "
            "fewer hops, other degrees or --any-link",
            (title,),
        )
    return found


def _print_walks(
    graph: PageGraph, walks: Sequence[Walk], settings: WalkSettings, as_json: bool
) -> None:
    if as_json:
        links = [
            {"part": walk.kind, **link.model_dump(mode="json")}
            for walk in walks
            for link in walk.links
        ]
        echo_json({"settings": settings.model_dump(mode="json"), "links": links})
        return
    for walk in walks:
        titles = " -> ".join(f"{graph.titles[page]} ({graph.degree(page)})" for page in walk.pages)
        echo(f"{walk.kind}: {titles}")
        for link in walk.links:
            echo(f"  {link.source} -> {link.target} [{link.anchor}]: {link.sentence}")


def _export(
    graph: PageGraph, walks: Sequence[Walk], index: Path, store: str | None, graphml: Path | None
) -> None:
    import networkx as nx

    from realhop_kg.errors import InputError
    from realhop_kg.graph.hyperlinks.walk import walked_graph
    from realhop_kg.stores.address import open_store
    from realhop_kg.stores.refusal import Link, load_pages
    from realhop_kg.stores.refusal_schema import PageNode

    walked = walked_graph(graph, walks)
    if graphml:
        try:
            nx.write_graphml(walked, graphml)
        except OSError as error:
            raise InputError(f"{graphml} cannot be written: {error.strerror}") from error
    if store:
        nodes = [
            PageNode(id=str(page), page_title=data["page_title"], degree=data["degree"])
            for page, data in walked.nodes(data=True)
        ]
        links = [
            Link(str(source), str(target), data["lead"], data["sentence"])
            for source, target, data in walked.edges(data=True)
        ]
        with open_store(store) as opened:
            load_pages(opened, index.resolve().name, nodes, links)
