"""Reads 2WikiMultiHopQA, with the release's evidence triples as hops.

Context and support are as in HotpotQA (`graph_builders.supported`), and so are the deletion units:
the supporting sentences of one title. Beside them an item keeps its native steps: each evidence
triple is a hop `subject >> relation`, its object the answer. A hop depends on an earlier one whose
object is its subject, by Wikidata id or else by name. What real files hold:

- `evidences_id` is empty in most comparison questions; names alone link then.
- `answer_id` is null in some; it is not read.
- Subjects match no title in a quarter of the chains ("Humphrey Stafford" stands under a longer
  title). A single subject left over belongs to the single supporting title left over; more of
  them have no support passage.
- There may be more triples than supporting facts.

A comparison has two or more last hops, so its steps are no DAG with one terminal: it can be
audited, not constructed from.

Source: Ho et al., "Constructing A Multi-hop QA Dataset for Comprehensive Evaluation of Reasoning
Steps", COLING 2020.
"""

from __future__ import annotations

from collections.abc import Iterator

from graph_builders.form import FormBuilder
from graph_builders.normalize import Unusable, called, text_of
from graph_builders.supported import supported
from realhop_kg.model.answers import normalize_answer
from realhop_kg.model.finding import Code
from realhop_kg.model.item import SourceHop, SourceItem

__all__ = ["BUILDER"]

_NAME = "twowiki"

Triple = tuple[str, str, str]


def _item(data: object) -> SourceItem:
    item = supported(_NAME, data)
    if not isinstance(data, dict):  # `supported` has raised by now
        return item
    triples = _triples(data.get("evidences"), "evidences")
    ids = _triples(data.get("evidences_id"), "evidences_id")
    return item.model_copy(update={"hops": _hops(item, triples, ids)})


def _triples(value: object, field: str) -> list[Triple]:
    if value is None:
        return []
    if not isinstance(value, list):
        raise Unusable(Code.B2, field, f"`{field}` is {called(value)}; give a list of triples")
    found = []
    for at, entry in enumerate(value):
        place = f"{field}[{at}]"
        if not isinstance(entry, list) or len(entry) != 3:
            message = f"`{place}` is {called(entry)}; write [subject, relation, object]"
            raise Unusable(Code.B2, place, message)
        subject, relation, answer = (
            text_of(part, place, numbers=True, empty=field != "evidences") for part in entry
        )
        found.append((subject, relation, answer))
    return found


def _hops(item: SourceItem, triples: list[Triple], ids: list[Triple]) -> tuple[SourceHop, ...]:
    # Ids belong to triples by position; without one for each, they say nothing.
    known = ids if len(ids) == len(triples) else [("", "", "")] * len(triples)
    supports = _supports(item, triples)
    hops = []
    for at, (subject, relation, answer) in enumerate(triples):
        before = tuple(_earlier(at, triples, known))[:1]
        start = f"#{before[0]}" if before else subject
        hops.append(
            SourceHop(
                index=at + 1,
                question=f"{start} >> {relation}",
                answer=answer,
                support=supports[at],
                depends_on=before,
            )
        )
    return tuple(hops)


def _earlier(at: int, triples: list[Triple], ids: list[Triple]) -> Iterator[int]:
    """Yield the numbers of the earlier hops whose object is the subject of a triple."""
    subject, own = normalize_answer(triples[at][0]), ids[at][0]
    for before in range(at):
        same = own and own == ids[before][2]
        if same or subject == normalize_answer(triples[before][2]):
            yield before + 1


def _supports(item: SourceItem, triples: list[Triple]) -> list[int | None]:
    """Return the passage that states each triple, by the title that its subject is."""
    titles = {
        normalize_answer(passage.title): passage.index
        for passage in reversed(item.passages)
        if passage.is_support
    }
    found = [titles.get(normalize_answer(subject)) for subject, _, _ in triples]
    left = sorted(set(titles.values()) - set(found))
    unknown = {
        normalize_answer(subject)
        for (subject, _, _), passage in zip(triples, found, strict=True)
        if passage is None
    }
    if len(left) == len(unknown) == 1:
        return [left[0] if passage is None else passage for passage in found]
    return found


BUILDER = FormBuilder(
    name=_NAME,
    form="2WikiMultiHopQA",
    other="use --dataset hotpotqa for HotpotQA, musique for MuSiQue",
    marks=("evidences",),
    item=_item,
)
"""The builder of `--dataset twowiki`."""
