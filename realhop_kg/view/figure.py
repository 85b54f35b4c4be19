"""Fits the picture of an item to the width of a paper's column or page, in type that can be read.

Widths are in points. What does not fit in six points is refused, not shrunk.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator

from realhop_kg.errors import InputError
from realhop_kg.view.chains import Chains
from realhop_kg.view.layout import lay_out
from realhop_kg.view.lettering import BOLD, pieces_of, text_width
from realhop_kg.view.scene import Scene
from realhop_kg.view.spacing import Sizes

__all__ = ["COLUMN", "PAGE", "SMALLEST", "figure"]

COLUMN, PAGE = 238.0, 504.0
"""Width of a column and of both columns together in the styles of the field, in points."""

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
    for wanted in (width,) if width is not None else (COLUMN, PAGE):
        for sizes in _attempts(chains, wanted):
            scene = lay_out(chains, sizes, paths=paths, source=source, premises=premises)
            if scene.width <= wanted:
                return scene
    if width is None:
        return lay_out(chains, _NATURAL, paths=paths, source=source, premises=premises)
    raise InputError(
        f"{len(chains.hops)} hops do not fit {width:g} points in a type of {SMALLEST:g} points; "
        "choose a greater --width, such as page"
    )


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
