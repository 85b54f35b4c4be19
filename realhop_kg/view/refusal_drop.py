"""The page of a question whose passages lack the evidence of one step, and the site of such."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from realhop_kg.errors import ContractError, InputError
from realhop_kg.freeze.manifest import Manifest
from realhop_kg.graph.certificates import Certificates, certify
from realhop_kg.graph.reasoning import ReasoningGraph
from realhop_kg.graph.schema import InsertionNode, PassageNode
from realhop_kg.model.refusal_drop import DropRefusal, KeptDrop
from realhop_kg.model.text import Insertion, Passage, realize
from realhop_kg.refusal.drops_reader import DropsDataset
from realhop_kg.relations.predicates import Predicates
from realhop_kg.view.chains import Chains, read_chains
from realhop_kg.view.charts import Bar, Chart, Drawn, drawn
from realhop_kg.view.files import file_name
from realhop_kg.view.html import page
from realhop_kg.view.page import SCRIPTS, shown_parts
from realhop_kg.view.refusal_scene import CAUSES
from realhop_kg.view.refusal_site import left_out_chart, meaning
from realhop_kg.view.site import Column, Filter, Progress, SiteSummary, Table, write_folder
from realhop_kg.view.soundness import differing

__all__ = ["DropView", "drop_page", "read_drop", "write_drops_site"]


@dataclass(frozen=True, slots=True)
class DropView:
    """A Drop, read for its page."""

    drop: DropRefusal
    graph: ReasoningGraph
    chains: Chains
    proved: Certificates

    @property
    def passages(self) -> tuple[Passage, ...]:
        """The passages of the whole item: those that are left, and the one that was removed."""
        found = [*self.drop.passages]
        for node in self.graph.nodes(PassageNode):
            if node.index == self.drop.removed:
                found.append(_realized(self.graph, node))
        return tuple(sorted(found, key=lambda passage: passage.index))


def _realized(graph: ReasoningGraph, node: PassageNode) -> Passage:
    added = [
        Insertion(**each.model_dump())
        for each in graph.nodes(InsertionNode)
        if each.passage == node.index
    ]
    text = realize(node.text, added)
    return Passage(index=node.index, title=node.page_title, text=text, is_support=True)


def read_drop(drop: DropRefusal, graph: ReasoningGraph, predicates: Predicates) -> DropView:
    """Read what the page of a Drop shows.

    Args:
        drop: the record.
        graph: the whole graph of its item.
        predicates: all that the graph may use.

    Raises:
        InputError: if the graph lacks what a picture needs.
    """
    try:
        chains, proved = read_chains(graph, predicates), certify(graph, predicates)
        return DropView(drop, graph, chains, proved)
    except (KeyError, ContractError) as error:
        reason = error.args[0] if isinstance(error, KeyError) else error
        raise InputError(
            f"{drop.id} cannot be drawn: {reason}; `realhop verify` says what is wrong with it"
        ) from error


def drop_page(view: DropView, *, site: str = "", differs: Sequence[str] = ()) -> str:
    """Return the HTML page of a Drop: the picture of its item without the evidence of one step.

    Args:
        view: the Drop.
        site: path from the page to its site's folder (`..`); empty for a page that stands alone.
        differs: what of the dataset is not as it was frozen, for a warning.
    """
    values = shown_parts(view.graph, view.chains, view.proved, view.passages, site)
    return page(
        "drop.html.jinja",
        {
            **values,
            "item": view.drop,
            "differs": differs,
            "cause": CAUSES[view.drop.cause],
            "dropped": view.drop.broken_step,
            "asked": (),
        },
    )


def write_drops_site(
    dataset: DropsDataset,
    out: Path,
    force: bool = False,
    progress: Progress = lambda done, total: None,
) -> SiteSummary:
    """Write the site of a dataset of Drops and return what it holds.

    Args:
        dataset: the dataset.
        out: the folder to write.
        force: whether a site that stands there is replaced.
        progress: told (questions done, questions in all).

    Raises:
        InputError: if the dataset cannot be read, or the folder cannot be written.
    """
    return write_folder(_Drops(dataset, progress), out, force)


class _Drops:
    """The contents of the site of a dataset of Drops."""

    models = ()
    scripts = SCRIPTS

    def __init__(self, dataset: DropsDataset, progress: Progress) -> None:
        self.failed: list[str] = []
        self.differs = differing(dataset.folder)
        self._dataset, self._progress = dataset, progress
        self._codes: Counter[str] = Counter()
        self._cells: Counter[tuple[int, str]] = Counter()

    @property
    def manifest(self) -> Manifest:
        """What the dataset says of itself."""
        return self._dataset.manifest

    def rows(self, folder: Path) -> Iterator[list[Any]]:
        """Yield the row of each question, and write its page into a folder."""
        total = self.manifest.counts.constructed
        for number, (drop, graph, predicates) in enumerate(self._dataset.whole(), 1):
            self._cells[drop.depth, str(drop.topology)] += 1
            name = f"{number:05d}-{file_name(drop.id)}.html"
            try:
                view = read_drop(drop, graph, predicates)
                content = drop_page(view, site="..", differs=self.differs)
            except InputError as error:
                self.failed.append(str(error))
                yield _row(drop, "", str(error))
            else:
                (folder / name).write_bytes(content.encode())
                yield _row(drop, f"items/{name}", "")
            self._progress(number, total)

    def excluded_rows(self) -> Iterator[list[Any]]:
        """Yield the row of each Drop that gave no question."""
        for kept in self._dataset.kept():
            self._codes[kept.code] += 1
            yield _kept_row(kept)

    def said(self) -> str:
        """Return what stands at the top."""
        counts = self.manifest.counts
        return (
            f"{counts.constructed} questions whose passages lack the evidence of one step, of "
            f"{counts.read} Drops; {counts.excluded} Drops leave an answer derivable."
        )

    def tables(self) -> tuple[Table, Table]:
        """Return how questions, and Drops that gave none, are shown."""
        depths = sorted({depth for depth, _ in self._cells})
        places = sorted({place for _, place in self._cells})
        return (
            Table(
                columns=(
                    Column("item", 1, "c-wide"),
                    Column("cause", 3, "c-paths", bold=True),
                    Column("topology", 4, "c-v", told="where the missing step stands"),
                    Column("depth", 5, "c-paths"),
                    Column("lacks", 6, "c-v"),
                    Column("question", 2),
                    Column("why there is no answer", 7),
                ),
                search=(1, 2, 7),
                filters=(
                    Filter("topology", "topology", 4, tuple(places)),
                    Filter("depth", "depth", 5, tuple(map(str, depths))),
                ),
                problem=8,
            ),
            Table(
                columns=(
                    Column("Drop", 1, "c-wide"),
                    Column("code", 2, "c-v", bold=True),
                    Column("why", 3),
                ),
                search=(1, 3),
                filters=(Filter("code", "code", 2, tuple(sorted(self._codes))),),
                detail=(("code", 2), ("wanted", 4), ("why", 3)),
            ),
        )

    def charts(self) -> Iterable[Drawn]:
        """Return the charts of what was built and of what was left out."""
        bars = tuple(
            Bar(f"{depth} steps, {place}", (("gold", count),), str(count))
            for (depth, place), count in sorted(self._cells.items())
        )
        note = "Questions by the steps of their item and the place of the one that is missing."
        left = left_out_chart(self._codes, "Drops that gave no question.")
        charts = (Chart("Questions by depth and topology", note, bars), left)
        return [drawn(chart) for chart in charts if chart.bars]


def _row(drop: DropRefusal, href: str, problem: str) -> list[Any]:
    return [
        href,
        drop.id,
        drop.question,
        str(drop.cause),
        str(drop.topology),
        drop.depth,
        f"step {drop.broken_step}",
        drop.rationale,
        problem,
    ]


def _kept_row(kept: KeptDrop) -> list[Any]:
    return ["", kept.id, kept.code, kept.message, meaning(kept.code)]
