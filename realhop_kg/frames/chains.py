"""Checks chains of steps that were proposed for FRAMES questions, and gives each step a passage.

A chain is linear: each step quotes what states it, word for word in an article, and each later one
points to the step before it. Answers are names; numbers and dates are not rewritten. Several steps
may quote one article: it is then cut between their quotes, so that each has a support of its own.

Source: REALHOP, Appendix I.4.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import pairwise

from pydantic import Field, ValidationError

from graph_builders.base import Excluded
from graph_builders.frames import DATASET
from realhop_kg.construct.values import value_format
from realhop_kg.frames.assemble import Article, FramesQuestion
from realhop_kg.jsonl import BadLine, RawRecord
from realhop_kg.model.answers import normalize_answer
from realhop_kg.model.finding import Code
from realhop_kg.model.item import REFERENCE
from realhop_kg.model.record import Record
from realhop_kg.model.sentences import boundaries

__all__ = [
    "Chain",
    "ChainItem",
    "RefusedChain",
    "Step",
    "SupportedStep",
    "chain_items",
    "check_chain",
]


class Step(Record):
    """One proposed step."""

    question: str = ""
    """`subject >> relation` or a question; `#k` stands for the answer of step k."""
    answer: str = ""
    quote: str = ""
    """What states it, word for word."""
    title: str = ""
    """The article that is quoted; empty where any may hold the quote."""


class Chain(Record):
    """The steps that were proposed for one question."""

    id: str
    hops: tuple[Step, ...] = Field(min_length=2)


class SupportedStep(Record):
    """A step with the passage that supports it."""

    question: str
    answer: str
    quote: str
    support: int


class ChainItem(Record):
    """A question with its chain: what `--dataset frames` reads."""

    id: str
    question: str
    answer: str
    passages: tuple[Article, ...]
    hops: tuple[SupportedStep, ...]


class RefusedChain(Exception):
    """A chain that breaks a rule.

    Attributes:
        code: of the contract.
        field: of the chain.
        message: what is wrong, and what to do.
    """

    def __init__(self, code: Code, field: str, message: str) -> None:
        super().__init__(message)
        self.code, self.field, self.message = code, field, message


Quotes = list[tuple[int, int, int]]
"""(article, start, end) of each step's quote."""


def check_chain(question: FramesQuestion, chain: Chain) -> Quotes:
    """Return where the steps of a chain are quoted from.

    Raises:
        RefusedChain: B2 if a field is empty or a quote is not verbatim, D1 if a step does not point
            to the one before it alone, Q6 if an answer is no name.
    """
    places: Quotes = []
    for at, step in enumerate(chain.hops):
        for field in ("question", "answer", "quote"):
            if not str(getattr(step, field)).strip():
                name = f"hops[{at}].{field}"
                raise RefusedChain(Code.B2, name, f"`{name}` is empty; fill it")
        named = {int(number) for number in REFERENCE.findall(step.question)}
        if named != ({at} if at else set()):
            wanted = f"#{at} and no other step" if at else "no step"
            message = f"step {at + 1} must refer to {wanted}: {step.question!r}"
            raise RefusedChain(Code.D1, f"hops[{at}].question", message)
        if value_format(step.answer.strip()) is not None:
            message = f"the answer {step.answer!r} is a value, which is not rewritten"
            raise RefusedChain(Code.Q6, f"hops[{at}].answer", message)
        places.append(_place(question.passages, step, at))
    last = chain.hops[-1].answer
    if normalize_answer(last) != normalize_answer(question.answer):
        message = f"the chain ends at {last!r}, the answer is {question.answer!r}"
        raise RefusedChain(Code.B2, f"hops[{len(chain.hops) - 1}].answer", message)
    return places


def _place(articles: Iterable[Article], step: Step, at: int) -> tuple[int, int, int]:
    for number, article in enumerate(articles):
        start = article.text.find(step.quote) if step.title in ("", article.title) else -1
        if start >= 0:
            return number, start, start + len(step.quote)
    where = f"article {step.title!r}" if step.title else "no article"
    verb = "does not hold" if step.title else "holds"
    message = f"{where} {verb} the quote {step.quote[:60]!r}; quote it word for word"
    raise RefusedChain(Code.B2, f"hops[{at}].quote", message)


def chain_items(
    questions: Mapping[str, FramesQuestion], chains: Iterable[RawRecord | BadLine], file: str
) -> Iterator[ChainItem | Excluded]:
    """Yield an item for each chain, or why there is none.

    Args:
        questions: the assembled questions by id.
        chains: lines of a file of chains.
        file: its name, for exclusions.
    """
    seen: set[str] = set()
    for record in chains:
        item_id = ""
        try:
            chain = _read(record)
            item_id = chain.id
            if chain.id in seen:
                raise RefusedChain(Code.B2, "id", f"{chain.id!r} has a chain already; keep one")
            seen.add(chain.id)
            if chain.id not in questions:
                raise RefusedChain(Code.B2, "id", f"no assembled question is called {chain.id!r}")
            yield _item(questions[chain.id], chain)
        except RefusedChain as refused:
            yield Excluded(
                dataset=DATASET,
                file=file,
                line=record.line,
                id=item_id,
                code=refused.code,
                field=refused.field,
                message=refused.message,
            )


def _read(record: RawRecord | BadLine) -> Chain:
    if isinstance(record, BadLine):
        raise RefusedChain(Code.B2, "", record.reason)
    try:
        return Chain.model_validate(record.data)
    except ValidationError as error:
        first = error.errors()[0]
        field = ".".join(map(str, first["loc"]))
        raise RefusedChain(Code.B2, field, f"`{field}`: {first['msg']}") from error


def _item(question: FramesQuestion, chain: Chain) -> ChainItem:
    places = check_chain(question, chain)
    passages: list[Article] = []
    supports: dict[int, int] = {}
    for number, article in enumerate(question.passages):
        own = sorted(
            (start, end, hop) for hop, (at, start, end) in enumerate(places) if at == number
        )
        cuts = [
            0,
            *(_cut(article, first, then) for first, then in pairwise(own)),
            len(article.text),
        ]
        for part, (start, end) in enumerate(pairwise(cuts)):
            if part < len(own):
                supports[own[part][2]] = len(passages)
            passages.append(Article(title=article.title, text=article.text[start:end].strip()))
    return ChainItem(
        id=question.id,
        question=question.question,
        answer=question.answer,
        passages=tuple(passages),
        hops=tuple(
            SupportedStep(
                question=step.question,
                answer=step.answer,
                quote=step.quote.strip(),
                support=supports[at],
            )
            for at, step in enumerate(chain.hops)
        ),
    )


def _cut(article: Article, first: tuple[int, int, int], then: tuple[int, int, int]) -> int:
    """Return where an article is cut between two quotes: between paragraphs, else sentences.

    Raises:
        RefusedChain: D2 if they stand in one sentence.
    """
    paragraph = article.text.rfind("\n\n", first[1], then[0])
    if paragraph >= 0:
        return paragraph
    stops = [stop for stop in boundaries(article.text) if first[1] <= stop <= then[0]]
    if not stops:
        message = f"steps {first[2] + 1} and {then[2] + 1} quote one sentence of {article.title!r}"
        raise RefusedChain(Code.D2, f"hops[{then[2]}].quote", message)
    return stops[-1]
