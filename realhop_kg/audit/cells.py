"""The cells of a run: one context, rendered once, for every model and trial."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from realhop_kg.audit.asked import AskedJudge, AskedSolver
from realhop_kg.audit.auditable import Auditable
from realhop_kg.audit.choices import BY_OPTION, choices_of, read_choice
from realhop_kg.audit.intervene import Removal
from realhop_kg.audit.judge import Judge, Judgement
from realhop_kg.audit.plan import AuditSettings, plan_item
from realhop_kg.audit.solvers import Prompt, Solver, answers_side
from realhop_kg.llm.prompts import Template
from realhop_kg.model.run import Condition, Verdict

__all__ = ["AnyJudge", "AnySolver", "CellContext", "cell_prompts", "cells"]

AnySolver = Solver | AskedSolver
AnyJudge = Judge | AskedJudge


class CellContext:
    """One context, rendered once for all models and trials.

    Attributes:
        item: the question.
        record: what was removed.
        text: what is left.
        choosing: whether the template asks for one of several options.
        choices: the options, where there are enough.
        messages: what a model is sent.
    """

    def __init__(
        self, item: Auditable, removal: Removal, templates: Mapping[str, Template]
    ) -> None:
        self.item = item
        self.record = removal.record(item)
        self.text = removal.apply(item.context)
        name = "closed_book" if removal.condition is Condition.CLOSED_BOOK else "solver"
        self.template = template = templates[name]
        self.choosing = "choices" in template.front.inputs
        self.choices = choices_of(item) if self.choosing else ()
        self.messages = template.render(
            {"question": item.question, "context": self.text, "choices": self.choices}
        )

    def prompt(self, model: str, trial: int) -> Prompt:
        """Return the request of one cell."""
        template = self.template
        return Prompt(
            self.item,
            self.record,
            self.text,
            model,
            trial,
            self.messages,
            template.name,
            template.hash,
            self.choices,
        )

    async def judged(self, response: str, judge: AnyJudge) -> tuple[Judgement, str]:
        """Return the judgement of a response, and the option that it names."""
        item = self.item
        if not self.choosing:
            if isinstance(judge, AskedJudge):
                return await judge.judge(item.question, item.answers, response, item.item), ""
            return judge.judge(item.question, item.answers, response), ""
        named = read_choice(response, self.choices)
        right = named == item.answer
        verdict = Verdict.CORRECT if right else Verdict.INCORRECT
        return Judgement(verdict=verdict, by=BY_OPTION), named


def cells(
    items: Iterable[Auditable],
    solvers: Sequence[AnySolver],
    settings: AuditSettings,
    templates: Mapping[str, Template],
) -> Iterator[tuple[CellContext, AnySolver, int]]:
    """Yield (context, solver, trial) of every cell, in the order of the plan."""
    for item in items:
        there = [solver for solver in solvers if answers_side(solver.name, item.side)]
        for removal in plan_item(item, settings) if there else ():
            if not removal.feasible:
                continue
            asked = CellContext(item, removal, templates)
            for solver in there:
                for trial in range(1, settings.trials + 1):
                    yield asked, solver, trial


def cell_prompts(
    item: Auditable,
    removal: Removal,
    templates: Mapping[str, Template],
    model: str,
    trials: int,
) -> Iterator[Prompt]:
    """Yield the prompts of one context for one model, a trial each; none where none can be made."""
    context = CellContext(item, removal, templates)
    if not context.choosing or context.choices:
        for trial in range(1, trials + 1):
            yield context.prompt(model, trial)
