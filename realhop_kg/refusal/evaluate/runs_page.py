"""The page of all runs of a model in a mode, turn by turn."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape

from realhop_kg.model.refusal_item import Topology
from realhop_kg.model.trajectory import AskedQuestion, Judged, State, Trajectory
from realhop_kg.refusal.evaluate.report import ArmReport
from realhop_kg.view.html import shown

__all__ = ["BACK", "STYLE", "page_of", "runs_page"]

_TEXT = 240
"""Code points of a passage that a page shows."""


def page_of(number: int) -> str:
    """Return the page that lists the runs of an arm, by its place from 1."""
    return f"runs/{number}.html"


BACK = '<p><a href="../report.html">Back to the report</a></p>'
STYLE = (
    "body{font:15px/1.5 system-ui,sans-serif;margin:2rem auto;max-width:60rem;padding:0 1rem}"
    "details{margin:.3rem 0}pre{white-space:pre-wrap;background:#f5f6f8;padding:.4rem}"
)


def runs_page(each: ArmReport) -> Iterator[str]:
    """Yield a page of all runs of an arm, by topology and state; it runs no script."""
    title = escape(shown(f"Runs of {each.arm.name}"))
    yield f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>{title}</title>'
    yield f"<style>{STYLE}</style></head><body>{BACK}<h1>{title}</h1>\n"
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
            yield f"<li>{escape(shown(item))}: {escape(shown(why))}</li>"
        yield "</ul>"
    yield "</body></html>\n"


def _run(place: int, question: AskedQuestion, run: Trajectory, judged: Judged) -> str:
    parts = [
        f"<details id={_quoted(question.item)}>"
        f"<summary>{place}. {_plain(question.question)}</summary>"
    ]
    # The anchor is inside: a browser that is sent there opens what is folded around it.
    about = f"{question.cause}, depth {question.depth}. {_plain(question.rationale)}"
    parts.append(f'<p id="q{place}">{about}</p>')
    timeline = judged.timeline
    found = (
        f" Evidence in turn {timeline.trap} ({timeline.source})."
        if timeline and timeline.trap
        else ""
    )
    parts.append(f"<p>{judged.state.state}: {_plain(judged.state.reason)}.{found}</p><ol>")
    for turn in run.turns:
        parts.append(f"<li><pre>{_plain(turn.text)}</pre>")
        for call in turn.calls:
            wrong = f" ({call.fault})" if call.fault else ""
            parts.append(
                f"<p>{_plain(call.name)}: {_plain(call.query or call.arguments)}{wrong}</p><ul>"
            )
            parts += [
                f"<li>{_plain(each.title)}: {_plain(each.text[:_TEXT])}</li>"
                for each in call.documents
            ]
            parts.append("</ul>")
        parts.append("</li>")
    parts.append("</ol></details>\n")
    return "".join(parts)


def _plain(text: str) -> str:
    return escape(shown(text))


def _quoted(text: str) -> str:
    return f'"{escape(shown(text), quote=True)}"'
