"""`realhop search`: passages, indexed and searched."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from realhop_kg.cli.options import AsJson
from realhop_kg.cli.output import echo, echo_json, running

if TYPE_CHECKING:
    from realhop_kg.search.dense import DenseSettings
    from realhop_kg.search.index import SearchIndex
    from realhop_kg.search.retriever import Retriever

__all__ = ["opened", "search_app"]

search_app = typer.Typer(
    help="Index passages, and search them as agents do.",
    no_args_is_help=True,
    rich_markup_mode=None,
)

_SHOWN = 300

Encoder = Annotated[
    str,
    typer.Option(
        "--encoder",
        help="Model of dense vectors: a folder with model.onnx and tokenizer.json, or a name that "
        "sentence-transformers knows.",
    ),
]
Where = Annotated[
    str, typer.Argument(metavar="INDEX", help="Folder of an index, or address of a /retrieve.")
]


@search_app.command("index")
def index_command(
    corpus: Annotated[
        Path, typer.Argument(metavar="CORPUS", help="KILT pages, psgs_w100.tsv, or JSON lines.")
    ],
    out: Annotated[Path, typer.Option("--out", metavar="INDEX", help="Folder to write.")],
    form: Annotated[
        str, typer.Option("--form", help="kilt, dpr or jsonl; told by the first record if empty.")
    ] = "",
    kind: Annotated[str, typer.Option("--kind", help="bm25 or dense.")] = "bm25",
    encoder: Encoder = "",
    query_prefix: Annotated[
        str, typer.Option("--query-prefix", help="Put before queries (dense).")
    ] = "query: ",
    passage_prefix: Annotated[
        str, typer.Option("--passage-prefix", help="Put before passages (dense).")
    ] = "passage: ",
    faiss: Annotated[
        bool, typer.Option("--faiss", help="Search the vectors with a flat FAISS index.")
    ] = False,
    words: Annotated[
        int, typer.Option("--words", min=10, help="Longest passage that KILT pages are cut into.")
    ] = 100,
    force: Annotated[bool, typer.Option("--force", help="Replace an index that is there.")] = False,
    as_json: AsJson = False,
) -> None:
    """Index a corpus for BM25 or dense search. A run that is stopped leaves nothing."""
    import realhop_kg
    from realhop_kg.errors import InputError
    from realhop_kg.search.corpora import FORMS, detect_form
    from realhop_kg.search.index import build_search_index

    chosen = next((each for each in FORMS if each == form), None) if form else detect_form(corpus)
    if chosen is None:
        raise InputError(f"--form {form!r}: choose of {', '.join(FORMS)}")
    dense = _dense(kind, encoder, query_prefix, passage_prefix, faiss)
    with running("indexing passages") as show:
        report = build_search_index(
            corpus,
            out,
            chosen,
            created_by=f"realhop-kg {realhop_kg.__version__}",
            words=words,
            dense=dense,
            force=force,
            progress=lambda done: show(done, "") if done % 1000 == 0 else None,
        )
    for bad in report.bad:
        typer.echo(f"realhop: {bad}; left out", err=True)
    manifest = report.manifest
    if as_json:
        echo_json({"out": str(out), **manifest.model_dump(mode="json")})
    else:
        echo(
            f"{manifest.passages} passages of {manifest.titles} titles in {out} ({manifest.kind}); "
            f"{manifest.unreadable} places hold none, {manifest.repeated_ids} ids repeat"
        )
    raise typer.Exit(1 if report.bad else 0)


@search_app.command("query")
def query_command(
    where: Where,
    queries: Annotated[list[str], typer.Argument(metavar="QUERY...", help="What to look for.")],
    k: Annotated[int, typer.Option("--top-k", min=1, help="Passages per query.")] = 3,
    encoder: Encoder = "",
    as_json: AsJson = False,
) -> None:
    """Print the passages that fit queries best."""
    found = opened(where, encoder)[0].search(queries, k)
    if as_json:
        echo_json(
            [
                {"query": query, "documents": [each.model_dump(mode="json") for each in documents]}
                for query, documents in zip(queries, found, strict=True)
            ]
        )
        return
    for query, documents in zip(queries, found, strict=True):
        echo(f"{query}: {len(documents) or 'no'} passages")
        for rank, each in enumerate(documents, 1):
            text = each.text if len(each.text) <= _SHOWN else f"{each.text[:_SHOWN]} ..."
            echo(f"  {rank}. {each.title} [{each.id}] {each.score:.4f}")
            echo(f"     {' '.join(text.split())}")


@search_app.command("check")
def check_command(
    where: Where,
    dataset: Annotated[
        Path | None,
        typer.Option("--dataset", help="Refusal dataset whose pages the corpus should have."),
    ] = None,
    k: Annotated[int, typer.Option("--top-k", min=1, help="Passages per query.")] = 3,
    encoder: Encoder = "",
    as_json: AsJson = False,
) -> None:
    """Try a retriever, and look for the pages of a dataset's chains; exit 1 if it is broken."""
    from realhop_kg.refusal.reader import RefusalDataset
    from realhop_kg.search.check import check_search, coverage, known_queries

    retriever, index = opened(where, encoder)
    items = list(RefusalDataset.open(dataset).items()) if dataset else []
    queries = known_queries(index) if index else []
    queries += [(item.question, "") for item in items[:32]]
    findings = check_search(retriever, queries, k)
    pages = coverage(retriever, (page for item in items for page in item.chain.pages))
    if as_json:
        echo_json(
            {
                "checks": [each.model_dump(mode="json") for each in findings],
                "coverage": pages.model_dump(mode="json") if dataset else None,
            }
        )
    else:
        for each in findings:
            echo(f"{'ok ' if each.ok else 'NOT'} {each.name:<15} {each.message}")
        if dataset:
            echo(f"{pages.found} of {pages.pages} pages of the chains are in the corpus")
            for title in pages.missing[:20]:
                echo(f"  missing: {title}")
    raise typer.Exit(0 if all(each.ok for each in findings) else 1)


def opened(where: str, encoder: str = "") -> tuple[Retriever, SearchIndex | None]:
    """Return the retriever of an index folder, with its index, or of an address.

    Raises:
        InputError: if it is neither.
    """
    from realhop_kg.search.index import SearchIndex
    from realhop_kg.search.remote import Remote

    if where.startswith(("http://", "https://")):
        return Remote(where), None
    index = SearchIndex(Path(where), encoder)
    return index.retriever, index


def _dense(
    kind: str, encoder: str, query_prefix: str, passage_prefix: str, faiss: bool
) -> DenseSettings | None:
    from realhop_kg.errors import InputError
    from realhop_kg.search.dense import DenseSettings

    if kind not in ("bm25", "dense"):
        raise InputError(f"--kind {kind!r}: choose bm25 or dense")
    if kind == "bm25":
        if encoder or faiss:
            raise InputError("--encoder and --faiss are for --kind dense")
        return None
    if not encoder:
        raise InputError("--kind dense needs a model; name one with --encoder")
    return DenseSettings(
        model=encoder, query_prefix=query_prefix, passage_prefix=passage_prefix, faiss=faiss
    )
