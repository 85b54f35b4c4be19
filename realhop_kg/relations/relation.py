"""One relation of the catalogue: how it is asked, stated, split, and narrowly missed."""

from __future__ import annotations

from string import Formatter
from typing import Any, Literal

from pydantic import Field, field_validator, model_validator

from realhop_kg.model.record import Record

__all__ = ["Frame", "NearMiss", "Relation", "Voice", "each_of"]

_EACH = "{each}"


class Frame(Record):
    """One way to split a fact into two premises that a key entity joins."""

    key: str
    """Pattern of the key's name: `n` digit, `L` letter in braces, as in `entry {nn}-{L} of ...`."""
    link: str
    """First premise: subject slots, `{k}`, and `{role}`."""
    value: str
    """Second premise: `{k}` and `{y}`, and `{kind}` for the kind noun of the value."""


class NearMiss(Record):
    """A relation of the same types that does not entail the one it misses."""

    id: str
    like: str = ""
    """Relation in whose words it is stated; what is not given here then comes from there."""
    of: str = ""
    """What stands there for `{x}`, as in `the founder of {x}`; empty for `{x}` itself."""
    role: str = ""
    """Noun phrase put for the relation's own `role` in statements and frames."""
    statement: str = ""
    """Sentence to use where the relation's statement has no `{role}`."""
    links: tuple[str, ...] = ()
    """First premises, one per frame, where the relation's frames have no `{role}`."""
    values: tuple[str, ...] = ()
    """Second premises, one per frame, where they differ from the relation's."""
    frames: tuple[Frame, ...] = ()
    """Its own ways to be split, one per frame of the relation, where they differ in the key too."""
    only: dict[str, str] = Field(default_factory=dict)
    """Types that slots or `y` must have for the near-miss to make sense."""
    when: Literal["", "before", "after"] = ""
    """Where the relation dates something: when this happens, if it cannot be at any time."""
    unless: tuple[str, ...] = ()
    """Relations that no other step may ask for: together with one, it would say too much."""
    entails: tuple[str, ...] = ()
    because: str
    """Why it entails neither the relation nor what questions voice it as."""

    @property
    def unworded(self) -> bool:
        """Whether its words have still to be borrowed."""
        return bool(self.like) and not self.frames

    @property
    def unsaid(self) -> frozenset[str]:
        """Relations that no other step may ask for: `unless`, and one that it states outright."""
        return frozenset(self.unless) | ({self.like} & set(self.entails))


class Voice(Record):
    """One way in which a question voices a relation."""

    text: str
    """Template: `(a|b)` alternatives, `[a]` optional, `{x}` slots, `{x:clause}`, `{kind}`."""
    weaker: str = ""
    """The relation that these words ask for, where they ask for less than this one."""
    plain: bool = False
    """Whether the words leave the referent open (`a county that ...`), so no definite singular."""
    step_only: bool = False
    """Whether steps are read by it, but no composed question: "which nationality" wants no name."""


class Relation(Record):
    """One relation of the catalogue."""

    id: str
    labels: tuple[str, ...] = ()
    """Names that datasets use in `subject >> relation` steps."""
    arguments: dict[str, str]
    """Entity type by slot, in order; the first slot is `x`."""
    value: str
    single_valued: bool = True
    entails: tuple[str, ...] = ()
    inverse: str = ""
    symmetric: bool = False
    transitive: bool = False
    role: str = ""
    """Noun phrase for the relation, put for `{role}`."""
    statement: str = "The {role} of {x} is {y}."
    frames: tuple[Frame, ...] = Field(min_length=1)
    near_misses: tuple[NearMiss, ...] = Field(min_length=3)
    questions: tuple[Voice, ...] = ()
    """Whole questions; steps and composed questions are read by them."""
    nouns: tuple[Voice, ...] = ()
    """Noun phrases that name the value inside a longer question."""
    clauses: tuple[Voice, ...] = ()
    """Clauses with a place gap, for `the county where {x:clause}`."""

    @field_validator("questions", "nouns", "clauses", mode="before")
    @classmethod
    def _plain_text(cls, voices: object) -> object:
        if isinstance(voices, list):
            return [{"text": voice} if isinstance(voice, str) else voice for voice in voices]
        return voices

    @field_validator("near_misses", mode="before")
    @classmethod
    def _each(cls, misses: object) -> object:
        if not isinstance(misses, list):
            return misses
        return [one for miss in misses for one in each_of(miss)]

    @model_validator(mode="after")
    def _consistent(self) -> Relation:
        if not self.arguments or next(iter(self.arguments)) != "x":
            raise ValueError("the first argument slot must be x")
        if len(self.arguments) > 1 and (self.inverse or self.symmetric or self.transitive):
            raise ValueError("inverse, symmetric and transitive need a relation of one slot")
        if len({miss.id for miss in self.near_misses}) < len(self.near_misses):
            raise ValueError("near-miss ids repeat")
        _check_slots(self.statement_of(None), {*self.arguments, "y"}, self.id)
        for index in range(len(self.frames)):
            for miss in (None, *self.near_misses):
                if miss and miss.unworded:
                    continue
                link, value = self.premises_of(miss, index)
                _check_slots(link, {*self.arguments, "k"}, self.id)
                _check_slots(value, {"k", "y"}, self.id)
        for miss in self.near_misses:
            if miss.unworded:
                continue
            _check_slots(self.statement_of(miss), {*self.arguments, "y"}, miss.id)
            if self.statement_of(miss) == self.statement_of(None):
                raise ValueError(f"near-miss {miss.id} is stated like the relation")
        return self

    def statement_of(self, miss: NearMiss | None) -> str:
        """Return the sentence template of the relation, or of one of its near-misses."""
        if miss is None:
            return self.statement.replace("{role}", self.role)
        if miss.statement:
            return miss.statement.replace("{role}", miss.role)
        return self.statement.replace("{role}", miss.role)

    def premises_of(self, miss: NearMiss | None, frame: int) -> tuple[str, str]:
        """Return the two premise templates of the relation, or of one of its near-misses."""
        shape = self.frames[frame]
        gold = tuple(part.replace("{role}", self.role) for part in (shape.link, shape.value))
        if miss is None:
            return gold[0], gold[1]
        if miss.frames:
            shape = miss.frames[frame]
        link = miss.links[frame] if frame < len(miss.links) else shape.link
        value = miss.values[frame] if frame < len(miss.values) else shape.value
        missed = tuple(part.replace("{role}", miss.role) for part in (link, value))
        if missed == gold:
            raise ValueError(f"near-miss {miss.id} is split like the relation")
        return missed[0], missed[1]

    def key_of(self, miss: NearMiss | None, frame: int) -> str:
        """Return the pattern of the key that joins those premises."""
        return (miss.frames if miss and miss.frames else self.frames)[frame].key

    def miss_id(self, miss: NearMiss) -> str:
        """Return the predicate id of a near-miss."""
        return f"{self.id}.{miss.id}"


def _check_slots(template: str, wanted: set[str], owner: str) -> None:
    slots = {name for _, name, _, _ in Formatter().parse(template) if name is not None}
    if slots - {"kind"} != wanted:
        raise ValueError(f"{owner}: {template!r} has slots {sorted(slots)}, needs {sorted(wanted)}")
    if not template.endswith("."):
        raise ValueError(f"{owner}: {template!r} is no complete sentence")


def each_of(miss: Any) -> list[Any]:  # noqa: ANN401 - not validated yet
    """Return the near-misses that a declaration with `each` stands for: one for each of its words.

    Args:
        miss: a near-miss as declared; its texts name the word as `{each}`.
    """
    if not isinstance(miss, dict) or "each" not in miss:
        return [miss]
    shared = {name: value for name, value in miss.items() if name != "each"}
    stem = shared.pop("id", "")
    return [
        {**_named(shared, word), "id": "_".join(filter(None, (stem, *word.split())))}
        for word in miss["each"]
    ]


def _named(value: Any, word: str) -> Any:  # noqa: ANN401 - texts anywhere inside
    if isinstance(value, str):
        return value.replace(_EACH, word)
    if isinstance(value, list):
        return [_named(part, word) for part in value]
    if isinstance(value, dict):
        return {name: _named(part, word) for name, part in value.items()}
    return value
