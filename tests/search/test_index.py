"""Indexes: what they find, and what becomes of broken ones."""

from __future__ import annotations

import json
import math
import random
from collections import Counter
from pathlib import Path

import bm25s
import pytest
from hypothesis import given, settings
from hypothesis import strategies as some

from realhop_kg.errors import InputError, OutputExistsError
from realhop_kg.search.bm25 import index_bm25, tokens
from realhop_kg.search.index import SearchIndex, build_search_index
from tests.search.small import PASSAGES, dpr_file, index_of


def bm25(query: str, texts: list[str]) -> list[float]:
    """Lucene's BM25, written out."""
    words = [tokens(text) for text in texts]
    average = sum(map(len, words)) / len(words)
    scores = [0.0] * len(texts)
    for word in tokens(query):
        holding = sum(word in each for each in words)
        idf = math.log(1 + (len(texts) - holding + 0.5) / (holding + 0.5))
        for at, each in enumerate(words):
            count = Counter(each)[word]
            length = 1.5 * (1 - 0.75 + 0.75 * len(each) / average)
            scores[at] += idf * count / (count + length)
    return scores


def test_scores_are_those_of_lucene_and_equal_ones_come_in_order(tmp_path: Path) -> None:
    index = index_of(tmp_path)
    texts = [f"{title} {text}" for _, title, text in PASSAGES]
    for query in ("town", "river Imbrel", "Kestrane lakes seat", "Imbrel Imbrel"):
        expected = bm25(query, texts)
        ranked = sorted(range(4), key=lambda at: (-expected[at], at))
        [found] = index.retriever.search([query], 4)
        assert [each.id for each in found] == [PASSAGES[at][0] for at in ranked if expected[at] > 0]
        assert [each.score for each in found] == pytest.approx(
            [expected[at] for at in ranked if expected[at] > 0], rel=1e-5
        )


def test_scores_are_those_of_bm25s_to_the_last_bit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    draw = random.Random(5)
    words = [f"w{draw.randint(1, 300) ** 2 // 90}" for _ in range(4000)]
    texts = [" ".join(words[at : at + draw.randint(0, 60)]) for at in range(0, 4000, 9)]
    texts[7] = "Of the and it"  # stop words alone
    monkeypatch.setattr("realhop_kg.search.scores._BLOCK", 500)  # so that many blocks meet
    index_bm25(texts, tmp_path)
    vocabulary: dict[str, int] = {}
    numbers = [[vocabulary.setdefault(w, len(vocabulary)) for w in tokens(text)] for text in texts]
    engine = bm25s.BM25(k1=1.5, b=0.75, method="lucene", backend="numpy")
    engine.index((numbers, vocabulary), create_empty_token=False, show_progress=False)
    ours = bm25s.BM25.load(str(tmp_path / "bm25"), load_vocab=False, show_progress=False)
    assert ours.scores["num_docs"] == len(texts)
    for part in ("data", "indices", "indptr"):
        assert ours.scores[part].dtype == engine.scores[part].dtype
        assert ours.scores[part].tobytes() == engine.scores[part].tobytes()


WORDS = some.sampled_from(["orm", "tal", "vik", "dun", "esk"])


@settings(max_examples=25, deadline=None)
@given(
    some.lists(some.lists(WORDS, min_size=1, max_size=8), min_size=2, max_size=12),
    some.lists(WORDS, min_size=1, max_size=4),
    some.integers(1, 14),
)
def test_the_best_are_the_best_of_all_scores(
    tmp_path_factory: pytest.TempPathFactory, texts: list[list[str]], query: list[str], k: int
) -> None:
    folder = tmp_path_factory.mktemp("corpus")
    rows: list[tuple[str, ...]] = [(str(at), "", " ".join(text)) for at, text in enumerate(texts)]
    build_search_index(dpr_file(folder, rows), folder / "index", "dpr", created_by="test")
    [found] = SearchIndex(folder / "index").retriever.search([" ".join(query)], k)
    expected = bm25(" ".join(query), [" ".join(text) for text in texts])
    best = sorted((score for score in expected if score > 0), reverse=True)[:k]
    assert [each.score for each in found] == pytest.approx(best, rel=1e-4)


def test_a_query_without_known_words_finds_nothing(tmp_path: Path) -> None:
    index = index_of(tmp_path)
    assert index.retriever.search(["zzz", "", "the of", "\ud83d"], 3) == [[], [], [], []]


def test_titles_are_known_whatever_their_first_letter(tmp_path: Path) -> None:
    retriever = index_of(tmp_path).retriever
    known = [retriever.has_title(title) for title in ("Korrum", "korrum", "Kor_rum", "Sethra")]
    assert known == [True, True, False, False]


def test_the_manifest_counts_what_was_left_out(tmp_path: Path) -> None:
    path = dpr_file(tmp_path, [*PASSAGES, PASSAGES[0], ("9", "x", " ")])
    report = build_search_index(path, tmp_path / "index", "dpr", created_by="test")
    manifest = report.manifest
    assert (manifest.passages, manifest.unreadable, manifest.repeated_ids) == (5, 1, 1)
    assert manifest.titles == 4
    assert str(report.bad[0]) == "psgs.tsv:7: no text"
    other = report.manifest.model_copy(update={"created_by": "other"})
    assert manifest.digest == other.digest


def test_the_same_corpus_gives_the_same_bytes(tmp_path: Path) -> None:
    path = dpr_file(tmp_path)
    for name in "ab":
        build_search_index(path, tmp_path / name, "dpr", created_by="test")
    for file in sorted((tmp_path / "a").rglob("*")):
        if file.is_file():
            other = tmp_path / "b" / file.relative_to(tmp_path / "a")
            assert file.read_bytes() == other.read_bytes(), file


def test_a_corpus_without_passages_leaves_no_folder(tmp_path: Path) -> None:
    path = dpr_file(tmp_path, [("1", "x", " ")])
    with pytest.raises(InputError, match="holds no passage"):
        build_search_index(path, tmp_path / "index", "dpr", created_by="test")
    wordless = dpr_file(tmp_path, [("1", "", "!!! ???")])
    with pytest.raises(InputError, match="has a word"):
        build_search_index(wordless, tmp_path / "index", "dpr", created_by="test")
    assert [each.name for each in tmp_path.iterdir()] == ["psgs.tsv"]


def test_an_index_is_only_replaced_when_asked(tmp_path: Path) -> None:
    index_of(tmp_path)
    path = tmp_path / "psgs.tsv"
    with pytest.raises(OutputExistsError):
        build_search_index(path, tmp_path / "index", "dpr", created_by="test")
    build_search_index(path, tmp_path / "index", "dpr", created_by="test", force=True)
    with pytest.raises(InputError, match="is not empty"):
        build_search_index(path, tmp_path, "dpr", created_by="test", force=True)
    (tmp_path / "index" / "notes.txt").write_text("mine")
    with pytest.raises(InputError, match=r"it holds notes\.txt"):
        build_search_index(path, tmp_path / "index", "dpr", created_by="test", force=True)


def damage(folder: Path, name: str) -> None:
    if name == "gone":
        (folder / "search.json").unlink()
    elif name == "format":
        data = json.loads((folder / "search.json").read_text())
        (folder / "search.json").write_text(json.dumps({**data, "format": 9}))
    elif name == "json":
        (folder / "search.json").write_text("[")
    elif name == "scores":
        (folder / "bm25" / "data.csc.index.npy").write_bytes(b"no")
    elif name == "texts":
        (folder / "texts.npy").write_bytes(b"no")
    else:
        data = json.loads((folder / "search.json").read_text())
        (folder / "search.json").write_text(json.dumps({**data, "passages": 3}))


@pytest.mark.parametrize("name", ["gone", "format", "json", "scores", "texts", "count"])
def test_a_damaged_index_is_one_clear_error(tmp_path: Path, name: str) -> None:
    index_of(tmp_path)
    damage(tmp_path / "index", name)
    with pytest.raises(InputError, match=r"index"):
        SearchIndex(tmp_path / "index")
