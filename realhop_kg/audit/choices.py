"""Multiple choice: the gold answer among planned competitor endpoints, in a frozen order.

Source: REALHOP, section 5 and Appendix K: four options, A to D, the gold terminal and three planned
competitor terminals; letters are read as LongBench v2 reads them.
"""

from __future__ import annotations

from realhop_kg.audit.answer_metrics import longbench_choice
from realhop_kg.audit.auditable import Auditable
from realhop_kg.ids import rng
from realhop_kg.model.answers import normalize_answer
from realhop_kg.model.record import Record

__all__ = ["BY_OPTION", "OPTIONS", "Optionless", "choices_of", "lettered", "read_choice"]

OPTIONS = 4
_LETTERS = "ABCD"

BY_OPTION = "choice"
"""What gives the verdict of a multiple-choice answer: the option that it names."""


class Optionless(Record):
    """An item that multiple choice leaves out, and why."""

    id: str
    reason: str


def choices_of(item: Auditable) -> tuple[str, ...]:
    """Return the options of a question, or none where it has too few planned endpoints.

    Options that were frozen for a whole dataset are taken as they are. Otherwise endpoints and
    order are drawn by the item alone, so every model and every condition sees the same options.

    Args:
        item: the question; source sides have no endpoints.
    """
    if item.choices:
        return item.choices
    right = {normalize_answer(answer) for answer in item.answers}
    others = {
        normalize_answer(endpoint): endpoint
        for endpoint in item.endpoints
        if normalize_answer(endpoint) not in right
    }
    if len(others) < OPTIONS - 1:
        return ()
    draw = rng(0, item.item, "choices")
    options = [item.answer, *draw.sample(sorted(others.values()), OPTIONS - 1)]
    draw.shuffle(options)
    return tuple(options)


def lettered(text: str, choices: tuple[str, ...]) -> str:
    """Return an answer in words as the choice of its option; other texts stay as they are.

    Solvers that read no prompt answer in words.

    Examples:
        >>> lettered("x", ("w", "x", "y", "z"))
        'The correct answer is (B)'
    """
    if text not in choices:
        return text
    return f"The correct answer is ({_LETTERS[choices.index(text)]})"


def read_choice(response: str, choices: tuple[str, ...]) -> str:
    """Return the option that a response names, empty where it names none.

    Examples:
        >>> read_choice("The correct answer is (B).", ("w", "x", "y", "z"))
        'x'
    """
    letter = longbench_choice(response)
    return choices[_LETTERS.index(letter)] if letter else ""
