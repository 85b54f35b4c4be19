"""Coins whatever an item needs: names, values and keys, all distinct and absent from its text."""

from __future__ import annotations

import random
import re
from collections.abc import Callable

from realhop_kg.construct.names import Coiner
from realhop_kg.construct.values import coin_value, value_format
from realhop_kg.errors import Refusal
from realhop_kg.ids import rng
from realhop_kg.model.item import SourceItem
from realhop_kg.model.plan import PlannedName
from realhop_kg.relations.types import entity_types

__all__ = ["ItemCoiner"]

_KEY_PART = re.compile(r"\{(n+|L+)\}")
_KEY_LETTERS = "ABCDEFGHJKLMNPRSTVWXYZ"
_TRIES = 200


class ItemCoiner:
    """The one source of fresh names of an item.

    Args:
        seed: the run's seed.
        item: the source item, whose question, titles and passages no name may use.
    """

    def __init__(self, seed: int, item: SourceItem) -> None:
        texts = [item.question, item.answer, *item.aliases]
        texts += [hop.question for hop in item.hops] + [hop.answer for hop in item.hops]
        for passage in item.passages:
            texts += (passage.title, passage.text)
        self._rng: random.Random = rng(seed, item.key, "names")
        self._names = Coiner(self._rng, texts)

    def coin(
        self,
        type_id: str,
        hint: str,
        like: str,
        *,
        kind: str = "",
        subject: bool = True,
        fits: Callable[[str], bool] | None = None,
    ) -> PlannedName:
        """Return a fresh name of a type, or a fresh value in the format of `like`.

        Args:
            type_id: type of the entity or value.
            hint: `man` or `woman` for a person of whom that is said, or an empty text.
            like: the source name or value.
            kind: the kind noun by which the question asks for it, if it does.
            subject: whether sentences say something of it, so that the name must suit `is`.
            fits: what a fresh value must satisfy beside, if anything.

        Raises:
            Refusal: Q6 if there is none, or the value has no known format.
        """
        types = entity_types()
        if not types.is_value(type_id):
            # "Arsenal" goes with "is" and "are", "the Packers" with "are" alone.
            coined = self._names.name(type_id, hint, kind=kind, singular=subject)
            return PlannedName(surface=coined.surface, article=coined.article)
        known = value_format(like)
        if known is None or types.narrower(known.type_id, type_id) is None:
            raise Refusal("Q6", f"{like!r} has no known format of a {type_id}")
        free = self._names.is_free
        fresh = coin_value(known, like, self._rng, free, fits or (lambda _: True))
        if fresh is None:
            raise Refusal("Q6", f"no fresh value like {like!r} could be found")
        self._names.reserve(fresh)
        return PlannedName(surface=fresh)

    def key(self, pattern: str) -> str:
        """Return a fresh key of a frame's pattern, such as `entry 58-C of the county register`.

        Raises:
            Refusal: Q6 if none could be found.
        """
        for _ in range(_TRIES):
            surface = _KEY_PART.sub(self._key_part, pattern)
            if self._names.reserve(surface):
                return surface
        raise Refusal("Q6", f"no fresh key like {pattern!r} could be found")

    def _key_part(self, part: re.Match[str]) -> str:
        shape = part.group(1)
        if shape[0] == "L":
            return "".join(self._rng.choice(_KEY_LETTERS) for _ in shape)
        low = 10 ** (len(shape) - 1)
        return str(self._rng.randint(low, 10 * low - 1))
