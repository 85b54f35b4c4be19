"""Dense search with a tiny model that is built here."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from realhop_kg.errors import InputError
from realhop_kg.search.check import check_search, known_queries
from realhop_kg.search.dense import DenseSettings
from realhop_kg.search.encoders import OnnxEncoder, open_encoder, unit
from realhop_kg.search.index import SearchIndex, build_search_index
from tests.search.small import PASSAGES, dpr_file, tiny_encoder

WORDS = sorted({word.strip(".;").lower() for row in PASSAGES for word in row[2].split()})


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tiny_encoder(tmp_path_factory.mktemp("models") / "tiny-e5", [*WORDS, "query", "passage"])


def built(folder: Path, model: Path, **changed: object) -> SearchIndex:
    settings = DenseSettings.model_validate({"model": str(model), **changed})
    build_search_index(dpr_file(folder), folder / "index", "dpr", created_by="t", dense=settings)
    return SearchIndex(folder / "index")


def test_vectors_are_means_over_tokens_without_padding_at_length_one(model: Path) -> None:
    encoder = open_encoder(str(model))
    assert isinstance(encoder, OnnxEncoder)
    alone, padded = encoder.encode(["korrum"]), encoder.encode(["korrum", "a river of lakes"])
    assert np.allclose(alone[0], padded[0])
    assert np.allclose(np.linalg.norm(padded, axis=1), 1)
    one, other = encoder.encode(["korrum korrum", "korrum"])
    assert np.allclose(one, other)


def test_prefixes_go_before_queries_and_passages(tmp_path: Path, model: Path) -> None:
    index = built(tmp_path, model)
    encoder = open_encoder(str(model))
    texts = [f"passage: {title} {text}" for _, title, text in PASSAGES]
    expected = encoder.encode(["query: town of glass"]) @ encoder.encode(texts).T
    ranked = np.argsort(-expected[0], kind="stable")
    [found] = index.retriever.search(["town of glass"], 4)
    assert [each.id for each in found] == [PASSAGES[at][0] for at in ranked]
    assert [each.score for each in found] == pytest.approx(sorted(expected[0], reverse=True))
    assert index.retriever.settings["dimensions"] == 8
    assert index.retriever.settings["query_prefix"] == "query: "


def test_faiss_finds_what_numpy_finds(tmp_path: Path, model: Path) -> None:
    for name in ("plain", "faiss"):
        (tmp_path / name).mkdir()
    plain = built(tmp_path / "plain", model)
    flat = built(tmp_path / "faiss", model, faiss=True)
    queries = ["town of glass", "river", "seat of a region"]
    for ours, theirs in zip(
        plain.retriever.search(queries, 3), flat.retriever.search(queries, 3), strict=True
    ):
        assert [each.id for each in ours] == [each.id for each in theirs]
        assert [e.score for e in ours] == pytest.approx([e.score for e in theirs], abs=1e-5)


def test_another_model_is_refused(tmp_path: Path, model: Path) -> None:
    built(tmp_path, model)
    wide = tiny_encoder(tmp_path / "wide", WORDS, dimensions=16)
    index = SearchIndex(tmp_path / "index", str(wide))
    with pytest.raises(InputError, match="16 numbers, the index has 8"):
        index.retriever.search(["town"], 1)


def test_a_sound_index_passes_and_vectors_of_other_lengths_do_not(
    tmp_path: Path, model: Path
) -> None:
    index = built(tmp_path, model)
    assert all(each.ok for each in check_search(index.retriever, known_queries(index)))
    path = tmp_path / "index" / "vectors.npy"
    vectors = np.load(path)
    np.save(path, vectors * 3)
    broken = SearchIndex(tmp_path / "index")
    failed = [
        each.name for each in check_search(broken.retriever, known_queries(broken)) if not each.ok
    ]
    assert failed == ["norms"]


def test_one_vector_for_everything_is_caught(tmp_path: Path, model: Path) -> None:
    built(tmp_path, model)
    path = tmp_path / "index" / "vectors.npy"
    vectors = np.load(path).reshape(-1, 8)
    vectors[:] = vectors[0]
    np.save(path, vectors.ravel())
    index = SearchIndex(tmp_path / "index")
    findings = {each.name: each for each in check_search(index.retriever, known_queries(index), 1)}
    assert not findings["different"].ok
    assert findings["different"].message == "the same passages for every query"
    assert not findings["known passages"].ok


def test_vectors_of_another_corpus_are_refused(tmp_path: Path, model: Path) -> None:
    built(tmp_path, model)
    np.save(tmp_path / "index" / "vectors.npy", np.zeros(16, dtype=np.float32))
    with pytest.raises(InputError, match="4 passages and 2 vectors"):
        SearchIndex(tmp_path / "index")
    np.save(tmp_path / "index" / "vectors.npy", np.zeros(13, dtype=np.float32))
    with pytest.raises(InputError, match="whole vectors"):
        SearchIndex(tmp_path / "index")


def test_a_folder_without_a_loadable_model_is_told(tmp_path: Path) -> None:
    (tmp_path / "model.onnx").write_bytes(b"no model")
    (tmp_path / "tokenizer.json").write_text("{}")
    with pytest.raises(InputError, match="no model that can be loaded"):
        open_encoder(str(tmp_path))


def test_a_name_without_sentence_transformers_says_what_to_install() -> None:
    try:
        import sentence_transformers  # noqa: F401
    except ImportError:
        with pytest.raises(InputError, match="pip install sentence-transformers"):
            open_encoder("intfloat/e5-base-v2")
    else:
        pytest.skip("sentence-transformers is installed: it would try the network")


def test_a_zero_vector_stays_zero() -> None:
    assert unit(np.zeros((1, 3), dtype=np.float32)).tolist() == [[0, 0, 0]]
