"""Counts what an audit would ask, before anything is asked."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from pydantic import Field

from realhop_kg.audit.asked import JUDGE, SOLVER, AskedJudge, AskedSolver
from realhop_kg.audit.auditable import Auditable
from realhop_kg.audit.cells import cell_prompts
from realhop_kg.audit.judge import judge_messages
from realhop_kg.audit.plan import AuditSettings, plan_item
from realhop_kg.audit.solvers import answers_side
from realhop_kg.llm.ledger import mean_reply
from realhop_kg.llm.prompts import Template
from realhop_kg.llm.provider import Price
from realhop_kg.llm.records import Message, ModelRequest
from realhop_kg.llm.replies import ReplyStore
from realhop_kg.model.record import Record

__all__ = ["AuditEstimate", "ModelEstimate", "estimate_audit"]

_ASSUMED = {SOLVER: 10, JUDGE: 35}
"""Tokens of a short answer and of a verdict, where no reply is stored to learn from; what a model
thinks before it answers comes on top."""


class ModelEstimate(Record):
    """What one model will be asked."""

    model: str
    stage: str
    """`solver` or `judge`."""
    calls: int = 0
    """Calls to be made; of a judge, at most: what matches exactly is not judged."""
    stored: int = 0
    """Replies that the store has already."""
    prompt_tokens: int = 0
    """Of the calls, by the model's own encoding, on the rendered prompts."""
    completion_tokens: float = 0.0
    learned_from: int = 0
    """Stored replies that the size of replies is taken from; 0 where it is assumed."""
    cost: float | None = None
    """US dollars, or None where the price is unknown."""


class AuditEstimate(Record):
    """Prompts of a run: (1 + drops + controls + ...) x trials x models."""

    items: int
    """Questions, each side counted."""
    contexts: dict[str, int]
    """Feasible contexts by condition, ablations counted too."""
    infeasible: int
    models: int
    """Scripted solvers counted, though they cost nothing."""
    trials: int
    prompts: int
    """Answers that the run needs, of scripted solvers too."""
    tokens: int
    """Tokens of the prompts that are to be sent to the audited models."""
    asked: tuple[ModelEstimate, ...] = Field(default_factory=tuple)
    """By model; the judge comes last."""

    @property
    def cost(self) -> float | None:
        """Dollars of all models, or None where one has no known price."""
        costs = [each.cost for each in self.asked if each.calls]
        return None if None in costs else sum(cost for cost in costs if cost is not None)


def estimate_audit(
    items: Iterable[Auditable],
    settings: AuditSettings,
    templates: Mapping[str, Template],
    solvers: Sequence[AskedSolver],
    judge: AskedJudge | None,
    tokens: Callable[[ModelRequest], int],
    price: Callable[[str], Price | None],
    store: ReplyStore | None = None,
) -> AuditEstimate:
    """Plan every context, render every prompt and count; nothing is asked or stored.

    Args:
        items: the questions.
        settings: of the run.
        templates: of the run.
        solvers: the models that are asked; scripted solvers are none.
        judge: the model that judges, or None.
        tokens: counts the tokens of a request.
        price: the price of a model, if it is known.
        store: the reply store, if there is one.
    """
    contexts: Counter[str] = Counter()
    calls: Counter[str] = Counter()
    stored: Counter[str] = Counter()
    sizes: Counter[str] = Counter()
    infeasible = count = prompts = verdicts = verdict_tokens = 0
    for item in items:
        count += 1
        shown = 0
        for removal in plan_item(item, settings):
            if not removal.feasible:
                infeasible += 1
                continue
            contexts[removal.condition.value] += 1
            shown += 1
            for solver in solvers:
                cells = cell_prompts(item, removal, templates, solver.name, settings.trials)
                requests = [solver.request(prompt) for prompt in cells]
                wanted = [each for each in requests if store is None or not store.get(each.key)]
                calls[solver.name] += len(wanted)
                stored[solver.name] += len(requests) - len(wanted)
                sizes[solver.name] += len(wanted) * (tokens(wanted[0]) if wanted else 0)
        asking = sum(answers_side(model, item.side) for model in settings.models)
        answers = shown * settings.trials * asking
        prompts += answers
        if judge is not None:
            asked = judge.request(_graded(item, templates["judge"]))
            verdicts += answers
            verdict_tokens += answers * tokens(asked)
    rows = [
        (solver.name, SOLVER, calls[solver.name], stored[solver.name], sizes[solver.name])
        for solver in solvers
    ]
    if judge is not None:
        rows.append((judge.name, JUDGE, verdicts, 0, verdict_tokens))
    return AuditEstimate(
        items=count,
        contexts=dict(contexts),
        infeasible=infeasible,
        models=len(settings.models),
        trials=settings.trials,
        prompts=prompts,
        tokens=sizes.total(),
        asked=tuple(_priced(rows, price, store)),
    )


def _graded(item: Auditable, template: Template) -> Sequence[Message]:
    # A wrong answer is about as long as a right one.
    return judge_messages(template, item.question, item.answers, item.answer)


def _priced(
    rows: Iterable[tuple[str, str, int, int, int]],
    price: Callable[[str], Price | None],
    store: ReplyStore | None,
) -> Iterator[ModelEstimate]:
    for model, stage, calls, stored, size in rows:
        mean, learned = mean_reply(store, stage, model)
        written = calls * (mean if learned else _ASSUMED[stage])
        known = price(model)
        cost = None if known is None else size * known.prompt + written * known.completion
        yield ModelEstimate(
            model=model,
            stage=stage,
            calls=calls,
            stored=stored,
            prompt_tokens=size,
            completion_tokens=written,
            learned_from=learned,
            cost=cost,
        )
