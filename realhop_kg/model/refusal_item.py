"""The records of refusal questions: chains, their wording, findings, and what is frozen."""

from __future__ import annotations

from enum import StrEnum
from itertools import pairwise
from typing import Literal, Self

from pydantic import Field, model_validator

from realhop_kg.model.record import SCHEMA_VERSION, Record
from realhop_kg.model.refusal import Cause, Hyperlink, SeedTerms, WalkSettings
from realhop_kg.settings import StageModel

__all__ = [
    "DEPTHS",
    "REFUSAL_CONTRACTS",
    "Defect",
    "LeftOutSeed",
    "RefusalChain",
    "RefusalCode",
    "RefusalFigures",
    "RefusalFinding",
    "RefusalItem",
    "SaidStep",
    "SeedVoice",
    "SourceFigures",
    "StepWording",
    "SurfaceAudit",
    "Topology",
]

DEPTHS = range(2, 6)
"""Chain depths: one to four hyperlinks and the unanswerable step."""


class Topology(StrEnum):
    """Where the unanswerable step stands in its chain."""

    ROOT = "root"
    """First: the seed, then a suffix that depends on it."""
    MIDDLE = "middle"
    """Between a prefix that leads to it and a suffix that depends on it."""
    TERMINAL = "terminal"
    """Last: a prefix, then the seed."""


class RefusalCode(StrEnum):
    """What does not hold of a chain or question; `REFUSAL_CONTRACTS` says it in words."""

    W1 = "W1"
    W2 = "W2"
    W3 = "W3"
    P1 = "P1"
    L1 = "L1"
    L2 = "L2"
    L3 = "L3"
    L4 = "L4"
    K1 = "K1"
    K2 = "K2"
    K3 = "K3"
    K4 = "K4"
    K5 = "K5"
    M1 = "M1"


REFUSAL_CONTRACTS: dict[RefusalCode, str] = {
    RefusalCode.W1: "a path has all its hops",
    RefusalCode.W2: "no page comes twice in a chain",
    RefusalCode.W3: "no two questions have one path or one wording",
    RefusalCode.P1: "the parts of a chain are those of its topology, and its depth is 2 to 5",
    RefusalCode.L1: "the seed names an entity that has a page (backward anchor)",
    RefusalCode.L2: "what the seed asks for is of a kind with a page (forward bridge)",
    RefusalCode.L3: "the seed can be set into a longer question",
    RefusalCode.L4: "each hop can be worded from the sentence of its link",
    RefusalCode.K1: "no hidden entity is named: title, redirect, linked words, distinctive words",
    RefusalCode.K2: "the question voices every hop of its chain, and no more",
    RefusalCode.K3: "links follow on one another, and each is worded as its sentence has it",
    RefusalCode.K4: "the seed's words stand in the question unchanged, so that its cause does",
    RefusalCode.K5: "depth, break position and rationale are those of the final wording",
    RefusalCode.M1: "the model's reply is complete and has the asked form",
}
"""What each code holds."""


class RefusalFinding(Record):
    """One thing that does not hold of a question, as data."""

    code: RefusalCode
    item: str
    message: str


class StepWording(Record):
    """How one link is voiced."""

    frame: str
    """Id of the frame that its sentence fits."""
    phrase: str
    """Names the target; `{S}` stands for the page that links."""
    ask: str
    """Asks for the target."""
    noun: str
    """What the target is called: city, country."""
    family: str
    """Class of the target."""
    onward: bool
    """Whether it makes sense of any other thing like the page that links."""
    clause: str
    """The sentence behind the link as it was read, its page `⟦S⟧`, its target `⟦T⟧`."""
    source_family: str
    """Class of the page that links."""


class SeedVoice(Record):
    """A seed question made ready to be set into a chain; `{A}` stands for its anchor."""

    question: str
    nominal: str = ""
    """Names what the seed asks for; empty where that cannot be named."""
    noun: str = ""
    """What it asks for: city, country, person."""
    family: str = ""
    mention: str
    """The words that name the anchor, with their article."""


class Defect(Record):
    """The unanswerable step of a chain."""

    seed: str
    """Key of the seed."""
    source: str
    cause: Cause
    question: str
    """The seed question."""
    rationale: str
    """Why it has no answer: the reason that a good refusal gives."""
    anchor: str
    """Title of the page that the seed speaks of (backward anchor)."""
    bridge: str = ""
    """Title of the page from which the suffix starts (forward bridge)."""
    voice: SeedVoice
    terms: SeedTerms


class RefusalChain(Record):
    """A typed chain: hyperlinks before and after the unanswerable step, in reading order."""

    topology: Topology
    prefix: tuple[Hyperlink, ...] = ()
    defect: Defect
    suffix: tuple[Hyperlink, ...] = ()

    @property
    def hops(self) -> int:
        """Number of hyperlinks."""
        return len(self.prefix) + len(self.suffix)

    @property
    def depth(self) -> int:
        """Number of reasoning steps, the unanswerable one included."""
        return self.hops + 1

    @property
    def start(self) -> str:
        """Title of the page that the question names."""
        return self.prefix[0].source if self.prefix else self.defect.anchor

    @property
    def hidden(self) -> tuple[str, ...]:
        """Titles of the pages that the question may not name."""
        found = [link.target for link in self.prefix]
        if self.suffix:
            found += [self.defect.bridge, *(link.target for link in self.suffix)]
        return tuple(found)

    @property
    def pages(self) -> tuple[str, ...]:
        """Titles of all pages, in reading order."""
        return (self.start, *self.hidden)

    @model_validator(mode="after")
    def _whole(self) -> Self:
        ends = {
            Topology.ROOT: (False, True),
            Topology.MIDDLE: (True, True),
            Topology.TERMINAL: (True, False),
        }
        if (bool(self.prefix), bool(self.suffix)) != ends[self.topology]:
            raise ValueError(f"the parts are not those of {self.topology}")
        if self.depth not in DEPTHS:
            raise ValueError(f"depth {self.depth} is not one of {list(DEPTHS)}")
        for part in (self.prefix, self.suffix):
            if any(one.target != other.source for one, other in pairwise(part)):
                raise ValueError("its links do not follow on one another")
        if self.prefix and self.prefix[-1].target != self.defect.anchor:
            raise ValueError("the prefix does not lead to the anchor")
        if self.suffix and self.suffix[0].source != self.defect.bridge:
            raise ValueError("the suffix does not start from the bridge")
        if len(set(self.pages)) != len(self.pages):
            raise ValueError("a page comes twice")
        return self


class SaidStep(Record):
    """The part of a question that says one step of its chain."""

    step: int = Field(ge=1)
    """Place of the step in the whole chain, the unanswerable one counted."""
    words: str = Field(min_length=1)


class SurfaceAudit(Record):
    """What a model found when it counted the steps that a question's final wording expresses."""

    wording: str
    """Digest of the question that it read."""
    said: tuple[SaidStep, ...]
    """In the order of the chain; steps that the wording leaves out are not here."""

    def expressed(self, broken: int) -> tuple[int, int]:
        """Return how many hops are said before and behind the unanswerable step.

        Args:
            broken: its place in the chain.
        """
        places = [each.step for each in self.said]
        return sum(place < broken for place in places), sum(place > broken for place in places)


class RefusalItem(Record):
    """One question that has no answer, as models and auditors use it."""

    schema_version: int = SCHEMA_VERSION
    id: str
    question: str
    cause: Cause
    topology: Topology
    depth: int
    """Reasoning steps that the wording expresses, the unanswerable one included."""
    hops: int
    """Hyperlinks that the wording expresses."""
    broken_step: int
    """Place of the unanswerable step, from 1."""
    rationale: str
    """Why there is no answer."""
    starts_from: str
    """The entity that the question names, as it names it."""
    chain: RefusalChain
    steps: tuple[StepWording, ...] = ()
    """Wording of the hyperlinks, in reading order, where rules worded them."""
    audit: SurfaceAudit | None = None
    """What the final wording says, where a model worded it."""
    hidden_names: tuple[str, ...]
    """Names of the hidden pages beside their titles: redirects, and words that link to them."""
    backend: str
    """What worded it."""
    tries: int = Field(ge=1)
    """Draws until the checks were passed."""
    redistributable: bool
    """Whether the seed's terms let anyone pass the question on."""


class LeftOutSeed(Record):
    """A seed, or one use of a seed, that gave no question, and why."""

    id: str
    """Key of the seed."""
    source: str
    cause: Cause
    topology: Topology | Literal[""] = ""
    """Empty where it concerns the seed as a whole."""
    depth: int = 0
    code: RefusalCode
    message: str
    question: str


class SourceFigures(Record):
    """What became of the seeds of one source."""

    licence: str
    redistributable: bool
    read: int = 0
    """Seeds of the plan's causes that were given."""
    barred: int = 0
    """Of these, left out because they may not be passed on."""
    linked: int = 0
    """Of the rest, those with an anchor."""
    questions: int = 0
    """Questions in the dataset."""
    left_out: dict[str, int] = Field(default_factory=dict)
    """Seeds that gave none at all, by code: L1 and L3 of the seed, M1 of a model's reply."""
    unused: dict[str, int] = Field(default_factory=dict)
    """Uses of linked seeds, in one cell each, that gave none, by code."""


class RefusalFigures(Record):
    """What a refusal dataset's manifest says beside the common figures."""

    backend: str
    annotator: str
    coherence: str
    language_model: str
    index: str
    """XXH3 digests of the index's sources, joined."""
    walk: WalkSettings
    tries: int
    unreadable: int = 0
    """Lines of the files of seeds that hold none."""
    stages: dict[str, StageModel] = Field(default_factory=dict)
    """The models of the stages that models fill."""
    cells: dict[str, dict[str, int]]
    """Questions wanted and filled, by cause:topology:depth."""
    draws: dict[str, int]
    """Draws by outcome: kept, or the code of what did not hold."""
    repairs: dict[str, int] = Field(default_factory=dict)
    """Questions that failed a check: adjusted, rebuilt, rejected."""
    sources: dict[str, SourceFigures]
