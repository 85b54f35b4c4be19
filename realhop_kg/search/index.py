"""The folder of a search index: built whole or not at all, opened in milliseconds."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

import xxhash
from pydantic import Field, JsonValue, ValidationError

from realhop_kg.errors import InputError
from realhop_kg.folder import Replaceable, atomic_folder, stranger
from realhop_kg.graph.hyperlinks.manifest import file_digest
from realhop_kg.model.record import Record
from realhop_kg.search import bm25, passages
from realhop_kg.search import dense as dense_search
from realhop_kg.search.bm25 import SETTINGS, Bm25, index_bm25
from realhop_kg.search.corpora import BadPassage, Form, Passage, read_passages
from realhop_kg.search.dense import Dense, DenseSettings, index_dense
from realhop_kg.search.encoders import Encoder, open_encoder
from realhop_kg.search.passages import Passages, PassageWriter

__all__ = ["BuildReport", "SearchIndex", "SearchManifest", "build_search_index"]

MANIFEST = "search.json"
FORMAT = 1
_SHOWN = 100

Progress = Callable[[int], None]


class SearchManifest(Record):
    """What an index says of itself."""

    format: int = FORMAT
    created_by: str
    kind: Literal["bm25", "dense"]
    corpus: str
    """Name of the corpus file."""
    corpus_bytes: int
    corpus_xxh3: str
    form: Form
    words: int
    """Longest passage that KILT pages were cut into."""
    passages: int
    titles: int
    """Different titles."""
    unreadable: int
    """Places of the corpus that hold no passage."""
    repeated_ids: int
    """Passages whose id an earlier one has."""
    settings: dict[str, JsonValue] = Field(default_factory=dict)
    """Of the retriever."""

    @property
    def digest(self) -> str:
        """Digest of everything that decides the results of a search."""
        whole = self.model_dump_json(exclude={"created_by"})
        return xxhash.xxh3_128_hexdigest(whole.encode())


@dataclass
class BuildReport:
    """What became of a corpus."""

    manifest: SearchManifest
    bad: list[BadPassage] = field(default_factory=list)
    """The first places that hold no passage."""


class SearchIndex:
    """An index, open for searches.

    Attributes:
        folder: where it lies.
        manifest: what it says of itself.
        passages: what it holds.
        retriever: searches it.
    """

    def __init__(self, folder: Path, model: str = "") -> None:
        """Open an index; passages and scores are mapped, and read where they are used.

        Args:
            folder: of the index.
            model: the encoder, where it lies elsewhere than when the index was written.

        Raises:
            InputError: if it is none, of another format, or not whole.
        """
        self.folder = folder
        self.manifest = _read_manifest(folder)
        self.passages = Passages(folder)
        if len(self.passages) != self.manifest.passages:
            raise InputError(f"{folder} is not whole; index the corpus again")
        self.retriever: Bm25 | Dense
        if self.manifest.kind == "bm25":
            self.retriever = Bm25(folder, self.passages)
        else:
            settings = _dense_settings(self.manifest, folder)
            encoder = open_encoder(model or settings.model)
            self.retriever = Dense(folder, self.passages, encoder, settings)


def build_search_index(
    corpus: Path,
    out: Path,
    form: Form,
    *,
    created_by: str,
    words: int = 100,
    dense: DenseSettings | None = None,
    encoder: Encoder | None = None,
    force: bool = False,
    progress: Progress = lambda done: None,
) -> BuildReport:
    """Index a corpus; a run that is stopped leaves nothing.

    Args:
        corpus: KILT pages, DPR's passages or JSON lines, plain or gzipped.
        out: folder to write.
        form: of the corpus.
        created_by: program and version.
        words: longest passage that KILT pages are cut into.
        dense: for vectors; None for BM25.
        encoder: turns texts into vectors; opened from `dense.model` where it is None.
        force: replace an index that is there.
        progress: told passages read.

    Raises:
        InputError: if the corpus cannot be read, or holds no passage.
    """
    if dense is not None and encoder is None:
        encoder = open_encoder(dense.model)
    with atomic_folder(out, force, Replaceable("search index", _why_not)) as folder:
        bad: list[BadPassage] = []
        counts: Counter[str] = Counter()
        with PassageWriter(folder) as writer:
            for passage in _sound(read_passages(corpus, form, words), bad, counts):
                writer.write(passage)
                progress(writer.count)
        if not writer.count:
            told = f" ({bad[0]})" if bad else ""
            raise InputError(f"{corpus} holds no passage{told}; name another file or --form")
        texts = _texts(Passages(folder))
        settings: dict[str, JsonValue] = dict(SETTINGS)
        if dense is not None and encoder is not None:
            dense = index_dense(texts, folder, encoder, dense)
            settings = dense.model_dump(mode="json")
        else:
            index_bm25(texts, folder)
        manifest = SearchManifest(
            created_by=created_by,
            kind="bm25" if dense is None else "dense",
            corpus=corpus.name,
            corpus_bytes=corpus.stat().st_size,
            corpus_xxh3=file_digest(corpus),
            form=form,
            words=words,
            passages=writer.count,
            titles=writer.titles,
            unreadable=counts["unreadable"],
            repeated_ids=counts["repeated_ids"],
            settings=settings,
        )
        (folder / MANIFEST).write_text(manifest.model_dump_json(indent=2) + "\n", encoding="utf-8")
    return BuildReport(manifest, bad)


def _sound(
    found: Iterator[Passage | BadPassage], bad: list[BadPassage], counts: Counter[str]
) -> Iterator[Passage]:
    seen: set[int] = set()
    for each in found:
        if isinstance(each, BadPassage):
            counts["unreadable"] += 1
            if len(bad) < _SHOWN:
                bad.append(each)
            continue
        # Eight bytes an id: a corpus has tens of millions.
        key = xxhash.xxh3_64_intdigest(each.id.encode("utf-8", "surrogatepass"))
        counts["repeated_ids"] += key in seen
        seen.add(key)
        yield each


def _texts(passages: Passages) -> Iterator[str]:
    for place in range(len(passages)):
        yield f"{passages.title(place)} {passages.text(place)}"


def _read_manifest(folder: Path) -> SearchManifest:
    path = folder / MANIFEST
    try:
        data = json.loads(path.read_bytes())
        if isinstance(data, dict) and data.get("format", FORMAT) != FORMAT:
            raise InputError(f"{folder} is of format {data['format']}; index the corpus again")
        return SearchManifest.model_validate(data)
    except OSError as error:
        raise InputError(
            f"{folder} is no search index: it has no readable {MANIFEST}; `realhop search index` "
            "writes one"
        ) from error
    except (ValueError, RecursionError) as error:
        raise InputError(f"{path} cannot be read: {error}; index the corpus again") from error


def _why_not(folder: Path) -> str:
    """Return why a folder is no index that may be replaced; nothing if it is one."""
    try:
        SearchManifest.model_validate_json((folder / MANIFEST).read_bytes())
    except (OSError, ValueError):
        return f"it is not empty and has no {MANIFEST} of one"
    files = {MANIFEST, *passages.FILES, *bm25.FILES, *dense_search.FILES}
    return stranger(folder, files, {bm25.FOLDER})


def _dense_settings(manifest: SearchManifest, folder: Path) -> DenseSettings:
    try:
        return DenseSettings.model_validate(manifest.settings)
    except ValidationError as error:
        raise InputError(f"{folder / MANIFEST} lacks the settings of its model") from error
