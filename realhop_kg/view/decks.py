"""Puts the parts of a picture that has to be narrow one below the other: one `Scene`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from realhop_kg.view.scene import Scene

__all__ = ["numbered", "one_below_other"]


def one_below_other(scenes: Sequence[Scene], gap: float) -> Scene:
    """Return scenes as one, each below the one before it.

    Args:
        scenes: at least one, all in the same font size, and none with an id of another.
        gap: what is left free between them.
    """
    placed, y = [], 0.0
    for scene in scenes:
        placed.append(_moved(scene, y))
        y += scene.height + gap
    return Scene(
        width=max(scene.width for scene in scenes),
        height=y - gap,
        font=scenes[0].font,
        bands=tuple(band for scene in placed for band in scene.bands),
        boxes=tuple(box for scene in placed for box in scene.boxes),
        keys=tuple(key for scene in placed for key in scene.keys),
        lines=tuple(line for scene in placed for line in scene.lines),
        marks=tuple(mark for scene in placed for mark in scene.marks),
        labels=tuple(label for scene in placed for label in scene.labels),
        lean=any(scene.lean for scene in scenes),
    )


def _moved(scene: Scene, down: float) -> Scene:
    return replace(
        scene,
        bands=tuple(replace(each, y=each.y + down) for each in scene.bands),
        boxes=tuple(replace(each, y=each.y + down) for each in scene.boxes),
        keys=tuple(replace(each, y=each.y + down) for each in scene.keys),
        lines=tuple(
            replace(each, points=tuple((x, y + down) for x, y in each.points))
            for each in scene.lines
        ),
        marks=tuple(replace(each, y=each.y + down) for each in scene.marks),
        labels=tuple(replace(each, y=each.y + down) for each in scene.labels),
    )


def numbered(scene: Scene, number: int) -> Scene:
    """Return a scene with a number in its ids, for a part that repeats boxes of another one."""
    tag = f"@{number}"
    return replace(
        scene,
        boxes=tuple(replace(each, id=f"{each.id}{tag}") for each in scene.boxes),
        keys=tuple(replace(each, id=f"{each.id}{tag}") for each in scene.keys),
        lines=tuple(
            replace(
                each,
                id=f"{each.id}{tag}",
                source=f"{each.source}{tag}",
                target=f"{each.target}{tag}",
            )
            for each in scene.lines
        ),
    )
