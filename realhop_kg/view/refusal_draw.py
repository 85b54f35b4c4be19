"""`draw` of a question that has no answer: its chain for a paper, in any format."""

from __future__ import annotations

from realhop_kg.errors import InputError
from realhop_kg.model.refusal_item import RefusalItem
from realhop_kg.view.diagrams import Captions
from realhop_kg.view.draw import Picture
from realhop_kg.view.figure import PAGE, SMALLEST
from realhop_kg.view.palette import BREAK
from realhop_kg.view.refusal_scene import CAUSES, chain_scene, voiced
from realhop_kg.view.scene import Scene

__all__ = ["chain_picture"]

_SIZES = tuple(
    (font, box) for font in (8.0, 7.5, 7.0, 6.5, SMALLEST) for box in (11.0, 9.0, 7.5, 6.0)
)
"""Font size in points, and width of a box in font sizes, from easy to tight."""


def chain_picture(item: RefusalItem, width: float | None = None) -> Picture:
    """Return the picture of a chain, from what the question names to its last page.

    Args:
        item: the question.
        width: in points; None for a page, or what it takes. Where the boxes do not fit beside one
            another, the chain goes on in a row below.

    Raises:
        InputError: if the width is too small.
    """
    whole = chain_scene(item)
    scene = _fitting(item, len(whole.boxes), PAGE if width is None else width)
    if scene is None and width is None:
        scene = chain_scene(item, font=SMALLEST, box=11.0, most=1)
    if scene is None:
        raise InputError(
            f"one step does not fit {width:g} points in a type of {SMALLEST:g} points; choose a "
            "greater --width, such as column"
        )
    told = f"{item.question} No answer, {CAUSES[item.cause]}: {item.rationale}"
    return Picture(_captions(item, whole), whole, scene, told)


def _fitting(item: RefusalItem, boxes: int, width: float) -> Scene | None:
    """Return the picture in the fewest rows that are no wider, in the greatest type; or None."""
    for most in range(boxes, 0, -1):
        for font, box in _SIZES:
            scene = chain_scene(item, font=font, box=box, most=most)
            if scene.width <= width:
                return scene
    return None


def _captions(item: RefusalItem, scene: Scene) -> Captions:
    chain, said = item.chain, [voiced(step.phrase) for step in item.steps]
    words = [*said[: len(chain.prefix)], f"{BREAK} {item.cause}: {CAUSES[item.cause]}"]
    if chain.suffix:
        words += ["", *said[len(chain.prefix) : -1], voiced(item.steps[-1].ask)]
    lines = {line.id: text for line, text in zip(scene.lines, words, strict=True)}
    return Captions({box.id: box.entity for box in scene.boxes}, lines)
