"""Roles and origins of registry entries, and how their names are written."""

from __future__ import annotations

from enum import StrEnum

__all__ = ["EntityRole", "Origin", "written"]


class EntityRole(StrEnum):
    """What an entity does in its item."""

    QUESTION = "question"
    """Named by the question."""
    BRIDGE = "bridge"
    """Answer of a hop that another hop depends on."""
    ANSWER = "answer"
    """Answer of the terminal hop."""
    COMPETITOR = "competitor"
    """Stands on competitor paths only."""
    KEY = "key"
    """Joins the premises of one fact."""


class Origin(StrEnum):
    """Where an entity comes from."""

    SOURCE = "source"
    VIRTUAL = "virtual"


def written(surface: str, article: str) -> str:
    """Return how a name stands in the middle of a sentence: with its article, if it takes one."""
    return f"{article} {surface}" if article else surface
