"""Makes one question of a linked seed with models: chain, fusion, review, audit, two repairs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from realhop_kg.errors import ContractError
from realhop_kg.graph.hyperlinks.coherence import Bm25Coherence
from realhop_kg.graph.hyperlinks.walk import ranked
from realhop_kg.ids import rng
from realhop_kg.llm.asking import Conversation, Models, RejectedError, problems_of
from realhop_kg.model.refusal import WalkSettings
from realhop_kg.model.refusal_item import RefusalCode, RefusalItem
from realhop_kg.refusal.annotate import Annotated
from realhop_kg.refusal.draw import ChainDraws, Drawn
from realhop_kg.refusal.fuse import RuleFuser
from realhop_kg.refusal.models.fuse import audited, fused, fusion, reviewed
from realhop_kg.refusal.models.rank import walked
from realhop_kg.refusal.models.replies import FuseReply
from realhop_kg.refusal.pipeline import BuildTally
from realhop_kg.refusal.plan import Cell
from realhop_kg.refusal.quality import check_question
from realhop_kg.refusal.repair import Repairs
from realhop_kg.refusal.voices import LinkVoices
from realhop_kg.settings import Backend

__all__ = ["ItemMaker"]

_NEEDS_CHAIN = RefusalCode.K3
"""What no other wording of the same chain can mend."""


class ItemMaker:
    """Makes questions on one index."""

    def __init__(
        self,
        voices: LinkVoices,
        models: Models,
        backend: Mapping[str, Backend],
        tally: BuildTally,
        *,
        seed: int,
        settings: WalkSettings | None,
        tries: int,
    ) -> None:
        """Prepare.

        Args:
            voices: the index, with names and the rules' wordings.
            models: the models.
            backend: who fills each stage.
            tally: draws and repairs are counted there.
            seed: seed of every draw.
            settings: which links walks may take.
            tries: chains that are drawn for one use of a seed.
        """
        self._voices, self._models, self._backend = voices, models, backend
        self._tally, self._seed, self._tries = tally, seed, tries
        # What rules are to word, they must be able to say.
        says = (None, None) if backend["fuse"] == "llm" else (voices.says, voices.says_onward)
        self._chains = ChainDraws(voices, Bm25Coherence(), settings, *says)

    async def make(self, found: Annotated, cell: Cell, rounds: int) -> RefusalItem:
        """Return one question of a seed in a cell, adjusted or rebuilt if need be.

        Args:
            found: the seed with its pages.
            cell: cause, topology and depth.
            rounds: how often each seed had its turn before, so that other draws come now.

        Raises:
            ContractError: with the last reason, if there is none.
            WaitingError: in batch mode, if a reply is not there yet.
            ProviderError: if the run has to stop.
        """
        repairs = Repairs(self._tally.repairs)
        attempts = iter(range(self._tries))
        try:
            while True:
                drawn, tries = await self._drawn(found, cell, rounds, attempts)
                try:
                    item = await self._worded(drawn, tries, repairs)
                except ContractError:
                    if not repairs.rebuild():
                        raise
                    continue
                repairs.settle()
                return item
        except ContractError:
            repairs.reject()
            raise

    async def _drawn(
        self, found: Annotated, cell: Cell, rounds: int, attempts: Iterator[int]
    ) -> tuple[Drawn, int]:
        """Return the next whole chain, and how many were drawn for it."""
        last = ContractError(RefusalCode.W1, "no path", (found.seed.id,))
        for attempt in attempts:
            draws = rng(self._seed, found.seed.id, str(cell), rounds, attempt)
            steps = self._chains.steps(found, cell, draws)
            try:
                if self._backend["rank"] == "llm":
                    return await walked(steps, found.seed.id, self._models), attempt + 1
                return ranked(steps, Bm25Coherence()), attempt + 1
            except ContractError as error:
                self._tally.draws[str(error.code)] += 1
                last = error
        raise last

    async def _worded(self, drawn: Drawn, tries: int, repairs: Repairs) -> RefusalItem:
        """Return a chain as a question, worded a second time if that may mend it.

        Raises:
            ContractError: with what does not hold.
        """
        if self._backend["fuse"] == "rules":
            return await self._by_rules(drawn, tries)
        conversation = fusion(drawn, self._models)
        try:
            return await self._proposed(drawn, conversation, tries)
        except ContractError as error:
            if not _rewordable(error) or not repairs.adjust():
                raise
            conversation.object_to(problems_of(error))
            return await self._proposed(drawn, conversation, tries)

    async def _proposed(
        self, drawn: Drawn, conversation: Conversation[FuseReply], tries: int
    ) -> RefusalItem:
        try:
            question = await fused(drawn, conversation)
            if self._backend["review"] == "llm":
                await reviewed(drawn, question, self._models)
            return await audited(drawn, question, self._models, tries)
        except ContractError as error:
            self._tally.draws[str(error.code)] += 1
            raise

    async def _by_rules(self, drawn: Drawn, tries: int) -> RefusalItem:
        """Return a question that rules word and a model may review.

        Raises:
            ContractError: if it cannot be worded or does not hold.
        """
        ways = [self._voices.wording(*link) for link in drawn.links]
        steps = tuple(way for way in ways if way is not None)
        fuser = RuleFuser()
        try:
            question = fuser.fuse(drawn.chain, steps, drawn.start)
            item = drawn.item(question, fuser.name, tries, steps=steps)
            findings = check_question(item)
            if findings:
                raise RejectedError(findings)
            if self._backend["review"] == "llm":
                await reviewed(drawn, question, self._models)
        except ContractError as error:
            self._tally.draws[str(error.code)] += 1
            raise
        return item


def _rewordable(error: ContractError) -> bool:
    codes = [each.code for each in getattr(error, "findings", ())] or [error.code]
    return _NEEDS_CHAIN not in codes
