"""Annotation by a model: backward anchor, forward bridge, and why a seed has no answer."""

from __future__ import annotations

import re
from collections.abc import Iterator

from realhop_kg.errors import ContractError
from realhop_kg.graph.hyperlinks.index import PageGraph
from realhop_kg.llm.asking import Models, settled
from realhop_kg.model.refusal import Seed
from realhop_kg.model.refusal_item import RefusalCode, SeedVoice
from realhop_kg.refusal.annotate import Annotated, LinkedWords, Unlinked
from realhop_kg.refusal.models.replies import AnnotateReply
from realhop_kg.refusal.nominal import LANGUAGE_MODEL, voice_seed
from realhop_kg.resources import load_yaml

__all__ = ["ModelAnnotator", "pages_named"]

_LONGEST_NAME = 5
_SHOWN = 12
"""Pages that are suggested to the model."""


class ModelAnnotator:
    """Asks a model, and looks up what it names."""

    name = "llm"

    def __init__(
        self,
        graph: PageGraph,
        words: LinkedWords,
        models: Models,
        turned: bool = False,
        language_model: str = LANGUAGE_MODEL,
    ) -> None:
        """Prepare.

        Args:
            graph: the index.
            words: which pages linked words lead to.
            models: the models.
            turned: whether seeds are made ready for rules, which put them into chains as nouns.
            language_model: name of the spaCy model that does so.
        """
        self._graph, self._words, self._models = graph, words, models
        self._turned, self._language_model = turned, language_model

    async def annotate(self, seed: Seed) -> Annotated | Unlinked:
        """Return a seed with its pages, or why it has none.

        Raises:
            WaitingError: in batch mode, if a reply is not there yet.
            ProviderError: if the run has to stop.
        """
        inputs: dict[str, object] = {
            "question": seed.question,
            "cause": str(seed.cause),
            "reason": seed.rationales[0] if seed.rationales else seed.premise,
            "anchor": seed.anchor,
            "bridge": seed.bridge,
            "pages": [self._graph.titles[page] for page in pages_named(seed.question, self._graph)],
        }
        try:
            conversation = self._models.conversation("annotate", seed.id, inputs, AnnotateReply)
            return await settled(conversation, lambda reply, last: self._read(seed, reply, last))
        except ContractError as error:
            self._models.of("annotate").refused += 1
            return Unlinked(seed, RefusalCode(error.code), error.message)

    def _read(self, seed: Seed, reply: AnnotateReply, last: bool) -> Annotated | Unlinked:
        """Return what a reply comes to.

        Raises:
            ContractError: L1, L2 or L3, if it cannot be used.
        """
        if not reply.anchor.strip():
            if seed.anchor:
                raise ContractError(RefusalCode.L1, f"the anchor is {seed.anchor!r}; name it")
            return Unlinked(seed, RefusalCode.L1, "the model finds no entity that has a page")
        anchor = self._page(reply.anchor)
        wanted = self._graph.find(seed.anchor) if seed.anchor else anchor
        if anchor is None or anchor != wanted:
            said = f"; it has to be {seed.anchor!r}" if seed.anchor else "; name another, or none"
            raise ContractError(RefusalCode.L1, f"no such page: {reply.anchor!r}{said}")
        voice = self._voice(seed.question, reply.mention.strip())
        bridge, why = self._bridge(seed, reply, anchor, last)
        rationale = " ".join(reply.rationale.split())
        if not rationale:
            raise ContractError(RefusalCode.K5, "say in one sentence why the seed has no answer")
        return Annotated(seed, voice, anchor, bridge, why, rationale)

    def _voice(self, question: str, mention: str) -> SeedVoice:
        whole = rf"(?<!\w)(?:[Tt]he )?{re.escape(mention)}(?!\w)"
        found = list(re.finditer(whole, question)) if mention else []
        if len(found) != 1:
            raise ContractError(
                RefusalCode.L1, f"the words {mention!r} do not stand in the question once, as given"
            )
        if set("{}") & set(question):
            raise ContractError(RefusalCode.L3, "the question holds braces")
        start, end = found[0].span()
        if self._turned:
            turned = voice_seed(question, (start, end), self._language_model)
            if turned is None:
                raise ContractError(RefusalCode.L3, "no single question; name other words")
            return turned
        words = question[start:end]
        return SeedVoice(question=f"{question[:start]}{{A}}{question[end:]}", mention=words)

    def _bridge(
        self, seed: Seed, reply: AnnotateReply, anchor: int, last: bool
    ) -> tuple[int | None, str]:
        named = seed.bridge or reply.bridge.strip()
        if not named:
            return None, "the model finds no page from which it could go on"
        found = self._page(named)
        if found is not None and found != anchor:
            return found, ""
        problem = "is the anchor" if found is not None else "is no page"
        if not last:
            raise ContractError(RefusalCode.L2, f"the bridge {named!r} {problem}; name another")
        return None, f"{named!r} {problem}"

    def _page(self, name: str) -> int | None:
        found = self._graph.find(name.strip())
        return found if found is not None else self._words.page(name.strip())


def pages_named(question: str, graph: PageGraph) -> list[int]:
    """Return pages whose names stand in a question, the longest names first.

    Args:
        question: any text.
        graph: the index.
    """
    found = dict.fromkeys(
        page for name in _names(question) if (page := graph.find(name)) is not None
    )
    return list(found)[:_SHOWN]


def _names(question: str) -> Iterator[str]:
    words = load_yaml("refusal", "words.yaml")
    common = {*words["openers"], *words["untelling"]}
    spans = list(re.finditer(r"[^\s?!,.;:\"“”()]+", question))
    for length in range(min(_LONGEST_NAME, len(spans)), 0, -1):
        for first, last in zip(spans, spans[length - 1 :], strict=False):
            name = question[first.start() : last.end()]
            if name.casefold() not in common:
                yield name
