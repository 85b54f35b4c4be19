"""Prints what an audit will take: for `realhop estimate` and `realhop audit --dry-run`."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

from realhop_kg.cli.output import echo, echo_json, tracked

if TYPE_CHECKING:
    from realhop_kg.audit.estimate import AuditEstimate
    from realhop_kg.cli.audit_settings import Audited

__all__ = ["print_audit_estimate"]


def print_audit_estimate(audited: Audited, judge: str, replies: Path, as_json: bool) -> None:
    """Print contexts, calls, tokens and cost by model; nothing is asked or stored.

    Args:
        audited: what is audited, and how.
        judge: as `--judge` says it.
        replies: the reply store, if there is one.
        as_json: whether to print JSON.
    """
    from realhop_kg.audit.asked import AskedJudge, AskedSolver
    from realhop_kg.audit.estimate import estimate_audit
    from realhop_kg.audit.judge import local_judge
    from realhop_kg.audit.scripted import PREFIX, scripted
    from realhop_kg.llm.batch import StoredAsker
    from realhop_kg.llm.provider import Provider
    from realhop_kg.llm.replies import ReplyStore

    settings, templates, provider = audited.settings, audited.templates, Provider()
    nobody = StoredAsker(None)
    for name in settings.models:
        if name.startswith(PREFIX):
            scripted(name, audited.dataset)  # says what is wrong with a name
    solvers = [
        AskedSolver(name, nobody, settings.parameters.get(name))
        for name in settings.models
        if not name.startswith(PREFIX)
    ]
    grader = None
    if local_judge(judge) is None:
        template = templates["judge"]
        grader = AskedJudge(judge, template, template, nobody, settings.judge_parameters)
    with ExitStack() as stack:
        stored = stack.enter_context(ReplyStore(replies)) if replies.is_file() else None
        found = estimate_audit(
            tracked(audited.items(), "estimating"),
            settings,
            templates,
            solvers,
            grader,
            provider.tokens,
            provider.price,
            stored,
        )
    if as_json:
        echo_json({**found.model_dump(mode="json"), "cost": found.cost})
        return
    for line in _lines(found):
        echo(line)


def _lines(found: AuditEstimate) -> Iterator[str]:
    for name, value in found.contexts.items():
        yield f"{name:<12} {value:,} contexts"
    yield f"infeasible   {found.infeasible:,}"
    yield f"prompts      {found.prompts:,}  ({found.models} models, {found.trials} trials)"
    if not found.asked:
        yield "no model is asked, so nothing is to be paid for"
        return
    yield f"{'stage':<9}{'calls':>9}{'tokens in':>14}{'tokens out':>13}{'cost':>12}  model"
    for each in found.asked:
        cost = "unknown" if each.cost is None else f"${each.cost:.4f}"
        source = (
            f"replies as long as {each.learned_from} stored ones"
            if each.learned_from
            else "length of replies assumed"
        )
        more = f", {each.stored:,} more are stored" if each.stored else ""
        most = ", at most: exact matches are not judged" if each.stage == "judge" else ""
        yield (
            f"{each.stage:<9}{each.calls:>9,}{each.prompt_tokens:>14,}"
            f"{each.completion_tokens:>13,.0f}{cost:>12}  {each.model}, {source}{more}{most}"
        )
    total = "of unknown price" if found.cost is None else f"${found.cost:.4f}"
    yield f"{sum(each.calls for each in found.asked):,} calls for {found.items} questions, {total}"
    yield "Tokens that a model thinks before it answers come on top."
