"""The most similar openings come first, and ties keep their order."""

from __future__ import annotations

from dataclasses import dataclass

from realhop_kg.graph.hyperlinks.coherence import Bm25Coherence, EmbeddingCoherence


@dataclass
class Text:
    title: str
    lead: str


RIVER = Text("Vell", "The Vell is a river that passes mills and bridges.")
TEXTS = [
    Text("Opera", "An opera is sung on a stage."),
    Text("Mill", "The mills on a river grind corn near bridges."),
    Text("Bridge", "Bridges cross a river."),
    Text("Sonata", "A sonata is played."),
]


def test_shared_rare_words_come_first() -> None:
    assert Bm25Coherence().rank(RIVER, TEXTS, 5) == [1, 2, 0, 3]
    assert Bm25Coherence().rank(RIVER, TEXTS, 2) == [1, 2]


def test_nothing_in_common_keeps_the_order() -> None:
    assert Bm25Coherence().rank(Text("Zzz", ""), TEXTS, 3) == [0, 1, 2]
    assert Bm25Coherence().rank(RIVER, [], 3) == []
    assert Bm25Coherence().rank(Text("", ""), [Text("", ""), Text("", "")], 3) == [0, 1]


def test_vectors_of_the_users_own_rank_by_inner_product() -> None:
    vectors = {"Vell": [1.0, 0.0], "Opera": [0.0, 1.0], "Mill": [0.9, 0.1], "Bridge": [1.0, 0.5]}

    def encode(texts: list[str]) -> list[list[float]]:
        return [vectors[text.split(".")[0]] for text in texts]

    ranking = EmbeddingCoherence(encode, "own")
    assert ranking.rank(RIVER, TEXTS[:3], 2) == [2, 1]
