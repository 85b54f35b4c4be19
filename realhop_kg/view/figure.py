"""Fits the picture of an item to the width of a paper's column or page, in type that can be read.

Widths are in points. What does not fit in six points is not shrunk further: its columns are laid
out in decks, one below the other, and it is refused where one hop alone would be too wide.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from dataclasses import replace
from functools import partial
from itertools import product

from realhop_kg.errors import InputError
from realhop_kg.view.chains import Chains
from realhop_kg.view.decks import numbered, one_below_other
from realhop_kg.view.grid import Deck, decks
from realhop_kg.view.layout import lay_out
from realhop_kg.view.lettering import BOLD, pieces_of, text_width
from realhop_kg.view.scene import Scene
from realhop_kg.view.spacing import Sizes

__all__ = ["COLUMN", "PAGE", "SMALLEST", "TALL", "figure"]

COLUMN, PAGE = 238.0, 504.0
"""Width of a column and of both columns together in the styles of the field, in points."""

TALL = 610.0
"""Height, in points, that a page has for a figure, its legend and caption left out."""

SMALLEST = 6.0
"""Smallest type of a figure, in points; what stands on lines is a little smaller."""

_FONTS = (8.0, 7.5, 7.0, 6.5, SMALLEST)
_BOXES = (14.0, 12.0, 10.5, 9.0, 8.0, 7.0, 6.2)
"""Widest box, in font sizes, from easy to tight."""

_NATURAL = Sizes(font=8.0, box=100.0, label=110.0)
_LONG_WORD = 12.0
"""Longest word, in font sizes, that a figure makes room for; a longer one is cut."""


def figure(
    chains: Chains,
    width: float | None = None,
    *,
    paths: Collection[str] | None = None,
    source: bool = True,
    premises: bool = True,
) -> Scene:
    """Return the picture of an item for a paper.

    Args:
        chains: the item.
        width: its width in points; None for the first of column, page, and what it takes.
        paths: names of the competitor paths to show; None for all of them.
        source: whether to show the source entities.
        premises: whether to show the keys that join premises.

    Raises:
        InputError: if there is no such path, or the width is too small.
    """
    known = {path.name for path in chains.paths}
    unknown = sorted(set(paths or ()) - known)
    if unknown:
        raise InputError(
            f"there is no path {unknown[0]!r}; there are {', '.join(sorted(known - {'g'}))}"
        )
    draw = partial(lay_out, chains, paths=paths, source=source, premises=premises)
    for wanted in (width,) if width is not None else (COLUMN, PAGE):
        scene = _side_by_side(chains, draw, wanted)
        if scene is not None:
            return scene
    folded = _folded(chains, draw, PAGE if width is None else width)
    if folded is not None:
        return folded
    if width is None:
        return draw(_NATURAL)
    raise InputError(
        f"one hop beside what it starts from does not fit {width:g} points in a type of "
        f"{SMALLEST:g} points; choose a greater --width, such as page"
    )


def _side_by_side(chains: Chains, draw: Callable[..., Scene], width: float) -> Scene | None:
    """Return the picture in one deck, or None where it is too wide in the smallest type."""
    attempts = list(_attempts(chains, width))
    smallest = (sizes for sizes in attempts if sizes.font == SMALLEST)
    if all(draw(sizes).width > width for sizes in smallest):
        return None
    return next(scene for scene in map(draw, attempts) if scene.width <= width)


def _folded(chains: Chains, draw: Callable[..., Scene], width: float) -> Scene | None:
    """Return the picture in decks: the first that is no taller than a page, else the lowest."""
    attempts = list(_attempts(chains, width))
    smallest = [sizes for sizes in attempts if sizes.font == SMALLEST]
    ways = dict.fromkeys(decks(chains, most) for most in range(len(chains.hops), 0, -1))
    lowest: list[Scene] = []
    for lean, way in product((False, True), ways):
        in_decks = partial(_in_decks, draw, way, width, lean)
        tight = list(filter(None, map(in_decks, smallest)))
        if any(scene.height <= TALL for scene in tight):
            fitting = filter(None, map(in_decks, attempts))
            return next(scene for scene in fitting if scene.height <= TALL)
        lowest += tight
    return min(lowest, key=lambda scene: scene.height, default=None)


def _in_decks(
    draw: Callable[..., Scene], way: tuple[Deck, ...], width: float, lean: bool, sizes: Sizes
) -> Scene | None:
    """Return the picture in given decks, or None where one of them is too wide."""
    scenes: list[Scene] = []
    for number, deck in enumerate(way):
        scene = draw(replace(sizes, lean=lean), deck=deck)
        if scene.width > width:
            return None
        scenes.append(numbered(scene, number) if number else scene)
    return one_below_other(scenes, scenes[0].font * 1.2)


def _attempts(chains: Chains, width: float) -> Iterator[Sizes]:
    """Yield sizes from comfortable to tight, none of which cuts a word of a name in two."""
    names = (entity.surface for entity in chains.entities.values())
    words = [piece for name in names for word in name.split() for piece in pieces_of(word)]
    longest = min(_LONG_WORD, max((text_width(word, BOLD) for word in words), default=0.0))
    for font in _FONTS:
        yield Sizes(font=font, box=12 * font, label=14 * font)
        for box in _BOXES:
            if box >= longest + 1.2 and box * font * 2 < width:
                wide = box * font
                yield Sizes(font=font, box=wide, label=wide, stacked=True)
                yield Sizes(font=font, box=wide, label=wide, stacked=True, short=True)
