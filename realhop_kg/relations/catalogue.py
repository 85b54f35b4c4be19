"""The relation catalogue: every relation by its id, its labels and its words.

A relation is one entry of a YAML file in `relations/catalogue`; `CONTRIBUTING.md` shows how to add
one and `python -m realhop_kg.relations.preview` prints what the entry makes people read.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from functools import cache, cached_property

from pydantic import TypeAdapter, ValidationError

from realhop_kg.errors import InputError
from realhop_kg.relations.borrowing import in_borrowed_words
from realhop_kg.relations.predicates import Family, Predicate, Predicates, link_of, value_of
from realhop_kg.relations.relation import NearMiss, Relation
from realhop_kg.relations.templates import Pattern, expand
from realhop_kg.relations.types import Types, entity_types
from realhop_kg.relations.wording import dated
from realhop_kg.resources import load_yaml, resource_folder

__all__ = ["Catalogue", "catalogue"]


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
