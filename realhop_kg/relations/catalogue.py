"""The relation catalogue: how each relation is asked, stated, split, and narrowly missed.

A relation is one entry of a YAML file in `relations/catalogue`; `CONTRIBUTING.md` shows how to add
one and `python -m realhop_kg.relations.preview` prints what the entry makes people read.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from functools import cache, cached_property
from string import Formatter
from typing import Literal

from pydantic import Field, TypeAdapter, ValidationError, field_validator, model_validator

from realhop_kg.errors import InputError
from realhop_kg.model.record import Record
from realhop_kg.relations.borrowing import each_of, in_borrowed_words
from realhop_kg.relations.predicates import Family, Predicate, Predicates, link_of, value_of
from realhop_kg.relations.templates import Pattern, expand
from realhop_kg.relations.types import Types, entity_types
from realhop_kg.relations.wording import dated
from realhop_kg.resources import load_yaml, resource_folder

__all__ = ["Catalogue", "Frame", "NearMiss", "Relation", "Voice", "catalogue"]


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


class Catalogue:
    """All relations, with the predicates that they bring."""

    predicates: Predicates

    def __init__(
        self, relations: Iterable[Relation], types: Types, base: Catalogue | None = None
    ) -> None:
        """Take the relations and check what they say of each other.

        Args:
            relations: the relations.
            types: the type tree.
            base: a catalogue whose relations come first and are checked already.

        Raises:
            InputError: naming the relation, if an entry is wrong.
        """
        self.types = types
        self.relations: dict[str, Relation] = dict(base.relations) if base else {}
        self._base = base
        self._own: list[Relation] = []
        self._by_label: dict[str, list[Relation]] = {}
        for relation in relations:
            if relation.id in self.relations:
                raise InputError(f"relation {relation.id!r} is declared twice")
            self.relations[relation.id] = relation
            self._own.append(relation)
        self._own = [in_borrowed_words(each, self.relations, types) for each in self._own]
        for relation in self._own:
            self.relations[relation.id] = relation
            for label in relation.labels:
                self._by_label.setdefault(label.casefold(), []).append(relation)
        for relation in self._own:
            self._check(relation)
        own = [
            self._in_every_unit(relation, predicate)
            for relation in self._own
            for predicate in _predicates(relation)
        ]
        self.predicates = base.predicates.extended(own) if base else Predicates(own, types.parents)
        for predicate in own:
            if predicate.family is Family.NEAR_MISS:
                self._check_near_miss(predicate)

    def extended(self, relations: Iterable[Relation]) -> Catalogue:
        """Return a catalogue with these relations too, for one item."""
        return Catalogue(relations, self.types, self)

    def asked(self, words: Collection[str]) -> Iterator[tuple[Relation, Pattern]]:
        """Yield the question patterns whose own words are all among the words of a step.

        They come in the order of the catalogue, whatever the order of the words.
        """
        if self._base:
            yield from self._base.asked(words)
        known = frozenset(words)
        found = [
            entry
            for word in known
            for entry in self._questions.get(word, ())
            if entry[1].issubset(known)
        ]
        for _, _, relation, pattern in sorted(found, key=lambda entry: entry[0]):
            yield relation, pattern

    @cached_property
    def _questions(self) -> dict[str, list[tuple[int, frozenset[str], Relation, Pattern]]]:
        """Own question patterns by their rarest word, so that a step looks at few of them."""
        patterns = [
            (relation, pattern)
            for relation in self._own
            for voice in relation.questions
            for pattern in expand(voice.text)
        ]
        every = [
            (order, frozenset(part for part in pattern if isinstance(part, str)), relation, pattern)
            for order, (relation, pattern) in enumerate(patterns)
        ]
        common = Counter(word for _, literals, _, _ in every for word in literals)
        by_word: dict[str, list[tuple[int, frozenset[str], Relation, Pattern]]] = {}
        for entry in every:
            rarest = min(entry[1], key=lambda word: (common[word], word))
            by_word.setdefault(rarest, []).append(entry)
        return by_word

    def labelled(self, label: str) -> list[Relation]:
        """Return the relations that a dataset's label names."""
        inherited = self._base.labelled(label) if self._base else []
        return [*inherited, *self._by_label.get(label.strip().casefold(), [])]

    def _check(self, relation: Relation) -> None:
        for slot, type_id in {**relation.arguments, "y": relation.value}.items():
            if type_id not in self.types:
                raise InputError(f"relation {relation.id}: {slot} has unknown type {type_id!r}")
        named = {relation.inverse, *relation.entails} | {
            voice.weaker for voice in (*relation.questions, *relation.nouns, *relation.clauses)
        }
        named |= {other for miss in relation.near_misses for other in miss.unless}
        for other in sorted(named - {""}):
            if other not in self.relations:
                raise InputError(f"relation {relation.id} names unknown relation {other!r}")

    def _in_every_unit(self, relation: Relation, predicate: Predicate) -> Predicate:
        """Return a predicate about a date with its wordings for years and months too."""
        if not self.types.is_a(relation.value, "time"):
            return predicate
        units = ("date", "year", "month")
        wordings = [dated(text, unit) for text in predicate.wordings for unit in units]
        return predicate.model_copy(update={"wordings": tuple(dict.fromkeys(wordings))})

    def _check_near_miss(self, predicate: Predicate) -> None:
        relation = self.relations[predicate.parent]
        weaker = {relation.id} | {
            voice.weaker
            for voice in (*relation.questions, *relation.nouns, *relation.clauses)
            if voice.weaker
        }
        entailed = sorted(weaker & self.predicates.entailed(predicate.id))
        if entailed:
            raise InputError(f"near-miss {predicate.id} entails {entailed[0]}, which it must miss")


def _predicates(relation: Relation) -> Iterable[Predicate]:
    yield Predicate(
        id=relation.id,
        family=Family.RELATION,
        arguments=relation.arguments,
        value=relation.value,
        single_valued=relation.single_valued,
        entails=relation.entails,
        inverse=relation.inverse,
        symmetric=relation.symmetric,
        transitive=relation.transitive,
        wordings=(relation.statement_of(None),),
    )
    yield from _premise_predicates(relation, None, relation.id)
    for miss in relation.near_misses:
        miss_id = relation.miss_id(miss)
        yield Predicate(
            id=miss_id,
            family=Family.NEAR_MISS,
            parent=relation.id,
            arguments=relation.arguments,
            value=relation.value,
            entails=miss.entails,
            wordings=(relation.statement_of(miss),),
            audit=f"catalogue: {miss.because}",
        )
        yield from _premise_predicates(relation, miss, miss_id)


def _premise_predicates(
    relation: Relation, miss: NearMiss | None, parent: str
) -> Iterable[Predicate]:
    for index in range(len(relation.frames)):
        link, value = relation.premises_of(miss, index)
        yield Predicate(
            id=link_of(parent, index),
            family=Family.LINK,
            parent=parent,
            arguments=relation.arguments,
            value="key",
            wordings=(link,),
        )
        yield Predicate(
            id=value_of(parent, index),
            family=Family.VALUE,
            parent=parent,
            arguments={"k": "key"},
            value=relation.value,
            wordings=(value,),
        )


@cache
def catalogue() -> Catalogue:
    """Return the bundled catalogue.

    Raises:
        InputError: naming the file and the relation, if an entry is wrong.
    """
    relations: list[Relation] = []
    adapter = TypeAdapter(list[Relation])
    for path in sorted((resource_folder("relations") / "catalogue").glob("*.yaml")):
        try:
            relations += adapter.validate_python(load_yaml("relations/catalogue", path.name))
        except ValidationError as error:
            first = error.errors()[0]
            raise InputError(f"{path.name}: {first['loc']}: {first['msg']}") from error
    return Catalogue(relations, entity_types())
