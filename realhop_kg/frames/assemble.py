"""Gives FRAMES questions their articles: one record a question, or an exclusion that says why."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from graph_builders.base import Excluded
from graph_builders.frames import DATASET, FramesRow
from realhop_kg.frames.articles import article_text
from realhop_kg.frames.pages import MissingPage, Pages
from realhop_kg.model.finding import Code
from realhop_kg.model.record import Record

__all__ = ["Article", "FramesQuestion", "assemble"]


class Article(Record):
    """One article, as steps quote it and questions are asked about it."""

    title: str
    text: str


class FramesQuestion(Record):
    """A question with its articles: with `hops` added, the plain form of `--dataset jsonl`."""

    id: str
    question: str
    answer: str
    passages: tuple[Article, ...]
    reasoning: tuple[str, ...] = ()


def assemble(
    rows: Iterable[FramesRow | Excluded], pages: Pages, file: str
) -> Iterator[FramesQuestion | Excluded]:
    """Yield each question with all its articles; one article that is missing excludes it.

    Args:
        rows: what `read_frames` gives; what it left out is passed on.
        pages: where the pages come from.
        file: name of the table, for exclusions.

    Raises:
        ProviderError: if a server does not answer.
    """
    for row in rows:
        if isinstance(row, Excluded):
            yield row
            continue
        articles: list[Article] = []
        missing: list[str] = [f"{link.link!r} {link.problem}" for link in row.unresolved]
        for link in row.pages:
            try:
                page = pages.page(link)
            except MissingPage as error:
                missing.append(str(error))
                continue
            text = article_text(page, row.question, row.answer)
            articles.append(Article(title=page.title or link.title, text=text))
        if missing:
            yield Excluded(
                dataset=DATASET,
                file=file,
                line=row.line,
                id=row.id,
                code=Code.B2,
                field="wiki_links",
                message=f"{'; '.join(missing)}; add the pages, or mend the links",
            )
            continue
        yield FramesQuestion(
            id=row.id,
            question=row.question,
            answer=row.answer,
            passages=tuple(articles),
            reasoning=row.reasoning,
        )
