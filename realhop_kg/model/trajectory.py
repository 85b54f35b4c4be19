"""The records of refusal runs: turns with their tool calls, how a run ended, and what it shows.

Source: HopRefusalBench (states, sufficient-evidence point, process measures).
"""

from __future__ import annotations

from enum import StrEnum
from typing import Literal

from pydantic import Field

from realhop_kg.model.record import SCHEMA_VERSION, Record
from realhop_kg.model.refusal import Cause
from realhop_kg.model.refusal_item import Topology

__all__ = [
    "REFUSALS",
    "AskedQuestion",
    "CallFault",
    "Document",
    "Ending",
    "Judged",
    "Mode",
    "SearchCall",
    "State",
    "StateJudgement",
    "TimelineJudgement",
    "Trajectory",
    "Turn",
    "TurnTokens",
]


class State(StrEnum):
    """What a model did with a question that has no answer."""

    TACH = "TACH"
    """Target-aware correct halting: refuses, asks or qualifies for the gold reason."""
    PPH = "PPH"
    """Prefix premature halting: stops because it could not resolve a valid prefix."""
    WRH = "WRH"
    """Wrong-rationale halting: a concrete reason that is wrong and concerns no prefix."""
    URH = "URH"
    """Uninformative-rationale halting: a vague reason that locates no failure."""
    SHD = "SHD"
    """Suffix hallucination drift: answers or guesses as if the question had an answer."""
    SEH = "SEH"
    """Search-exhausted halting: the search budget is used and no final response came."""


REFUSALS = (State.TACH, State.PPH, State.URH, State.WRH)
"""States in which a model does not answer: the denominator of cTCHR."""


class Mode(StrEnum):
    """Whether a model may search."""

    PLAIN = "no_search"
    SEARCH = "search"


class Document(Record):
    """One passage that a search returned."""

    id: str
    title: str
    text: str
    score: float


class CallFault(StrEnum):
    """Why a tool call was not served; the model is told, and the call counts as one."""

    ARGUMENTS = "malformed_arguments"
    TOOL = "unknown_tool"
    QUERY = "empty_query"
    BUDGET = "beyond_budget"
    """It came when the budget was used up; the only fault that costs no budget."""


class SearchCall(Record):
    """One tool call of a model, and what came of it."""

    id: str
    """As the model gave it, or made from turn and place."""
    name: str
    """Tool that was called."""
    arguments: str
    """As they came: JSON text, or what was meant to be."""
    query: str = ""
    """What was searched for; empty where nothing was."""
    fault: CallFault | None = None
    documents: tuple[Document, ...] = ()

    @property
    def served(self) -> bool:
        """Whether it was searched for."""
        return self.fault is None


class TurnTokens(Record):
    """Tokens that a model generated in one turn, by kind."""

    reasoning: int = Field(default=0, ge=0)
    search: int = Field(default=0, ge=0)
    """Tool calls, and text beside them."""
    answer: int = Field(default=0, ge=0)
    """Text of a turn without tool calls."""
    estimated: bool = False
    """Whether the provider counted nothing, so that words and marks were counted here."""


class Turn(Record):
    """One assistant message and the results of its calls."""

    number: int = Field(ge=1)
    """Place in the run, from 1."""
    text: str = ""
    reasoning: str = ""
    """Reasoning text, where the provider shows it."""
    calls: tuple[SearchCall, ...] = ()
    tokens: TurnTokens = TurnTokens()
    prompt_tokens: int | None = None
    finish_reason: str = ""
    latency: float = Field(default=0.0, ge=0)
    """Seconds until the message came."""
    reply: str = ""
    """Key of the reply in the reply store; empty for scripted agents."""


class Ending(StrEnum):
    """How a run ended."""

    ANSWERED = "answered"
    """With a final response: a text and no further call."""
    EXHAUSTED = "exhausted"
    """The budget is used up, and a further call or no text came: SEH."""
    NO_RESPONSE = "no_response"
    """Neither text nor call came although searches were left."""
    TRUNCATED = "truncated"
    """A message was cut off at the maximum of tokens."""
    FILTERED = "filtered"
    """The provider withheld a message."""
    FAILED = "failed"
    """The provider could not be asked; the same command tries again."""


class Trajectory(Record):
    """One run of one model on one question."""

    schema_version: int = SCHEMA_VERSION
    item: str
    model: str
    mode: Mode
    ending: Ending
    failure: str = ""
    """What went wrong, where it did."""
    turns: tuple[Turn, ...] = ()

    @property
    def length(self) -> int:
        """Number of turns (L)."""
        return len(self.turns)

    @property
    def response(self) -> str:
        """The final response; empty where none came."""
        return self.turns[-1].text if self.ending is Ending.ANSWERED else ""

    @property
    def calls(self) -> tuple[SearchCall, ...]:
        """All tool calls, in order."""
        return tuple(call for turn in self.turns for call in turn.calls)


class AskedQuestion(Record):
    """One question of a run, with what its judges and tables need."""

    schema_version: int = SCHEMA_VERSION
    item: str
    question: str
    cause: Cause
    topology: Topology
    depth: int = Field(ge=1)
    rationale: str
    """Why there is no answer: the reason that a good refusal gives."""
    premise: str
    """The seed question, whose unanswerability breaks the chain."""
    hidden: tuple[str, ...] = ()
    """Pages of the chain that the question does not name, in reading order."""
    prefix: tuple[str, ...] = ()
    """Of these, the ones that a valid prefix leads to, the seed's own page last."""
    pages: tuple[str, ...] = ()
    """All pages of the chain."""
    prompt: str = ""
    """What is sent in the place of the bare question: passages and question, for a Drop."""


class StateJudgement(Record):
    """A state and who gave it, or why there is none."""

    state: State | None
    by: str
    reason: str = ""
    failure: str = ""


class TimelineJudgement(Record):
    """Where sufficient evidence first stands, or why that is not known."""

    stated: int | None = Field(default=None, ge=1)
    """First turn in which the assistant states the gold rationale."""
    shown: int | None = Field(default=None, ge=1)
    """First turn whose retrieved documents are sufficient evidence of it."""
    by: str
    failure: str = ""

    @property
    def trap(self) -> int | None:
        """The sufficient-evidence turn; None where there is no evidence (T_trap)."""
        found = [turn for turn in (self.stated, self.shown) if turn is not None]
        return min(found, default=None)

    @property
    def source(self) -> Literal["statement", "documents"] | None:
        """What the evidence is; a statement wins over documents of the same turn."""
        if self.trap is None:
            return None
        return "statement" if self.stated == self.trap else "documents"


class Judged(Record):
    """What a run shows: its state, and its timeline where it has one."""

    schema_version: int = SCHEMA_VERSION
    item: str
    model: str
    mode: Mode
    trajectory: str
    """Digest of what was judged: another run is judged anew."""
    judge: str
    """Who judged: a model, or the rules."""
    state: StateJudgement
    timeline: TimelineJudgement | None = None
    """None without search, for SEH, and for a run without a final response."""
