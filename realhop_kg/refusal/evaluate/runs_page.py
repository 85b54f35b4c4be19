"""The page of all runs of a model in a mode, turn by turn."""

from __future__ import annotations

from collections.abc import Iterator

from realhop_kg.audit.reporting.pages.frame import framed, quoted, safe
from realhop_kg.model.refusal_item import Topology
from realhop_kg.model.trajectory import AskedQuestion, Judged, State, Trajectory
from realhop_kg.refusal.evaluate.report import ArmReport

__all__ = ["page_of", "runs_page"]

_TEXT = 240
"""Code points of a passage that a page shows."""


def page_of(number: int) -> str:
    """Return the page that lists the runs of an arm, by its place from 1."""
    return f"runs/{number}.html"


def runs_page(each: ArmReport) -> Iterator[str]:
    """Yield a page of all runs of an arm, by topology and state; it runs no script."""
    yield from framed(f"Runs of {each.arm.name}", _runs(each))


def _runs(each: ArmReport) -> Iterator[str]:
    questions = {question.item: question for question in each.questions}
    places = {item: place for place, item in enumerate(questions, 1)}
    for shape in Topology:
        for state in State:
            inside = [
                outcome.item
                for outcome in each.outcomes
                if (outcome.topology, outcome.state) == (shape, state)
            ]
            if inside:
                yield f'<h2 id="{shape}-{state}">{shape} to {state}: {len(inside)}</h2>\n'
            for item in inside:
                yield _run(
                    places[item], questions[item], each.trajectories[item], each.judged[item]
                )
    if each.missing:
        yield f'<h2 id="missing">Without an outcome: {len(each.missing)}</h2>\n<ul>'
        for item, why in each.missing.items():
            yield f"<li>{safe(item)}: {safe(why)}</li>"
        yield "</ul>"


def _run(place: int, question: AskedQuestion, run: Trajectory, judged: Judged) -> str:
    parts = [
        f"<details id={quoted(question.item)}><summary>{place}. {safe(question.question)}</summary>"
    ]
    # The anchor is inside: a browser that is sent there opens what is folded around it.
    about = f"{question.cause}, depth {question.depth}. {safe(question.rationale)}"
    parts.append(f'<p id="q{place}">{about}</p>')
    timeline = judged.timeline
    found = (
        f" Evidence in turn {timeline.trap} ({timeline.source})."
        if timeline and timeline.trap
        else ""
    )
    parts.append(f"<p>{judged.state.state}: {safe(judged.state.reason)}.{found}</p><ol>")
    for turn in run.turns:
        parts.append(f"<li><pre>{safe(turn.text)}</pre>")
        for call in turn.calls:
            wrong = f" ({call.fault})" if call.fault else ""
            parts.append(
                f"<p>{safe(call.name)}: {safe(call.query or call.arguments)}{wrong}</p><ul>"
            )
            parts += [
                f"<li>{safe(each.title)}: {safe(each.text[:_TEXT])}</li>" for each in call.documents
            ]
            parts.append("</ul>")
        parts.append("</li>")
    parts.append("</ol></details>\n")
    return "".join(parts)
