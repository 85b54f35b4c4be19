"""The one visual language of pages and figures: colour, width and dash by kind.

Nothing is told by colour alone: gold is thick, Flexible is dashed, a near-miss bears a cross, and
every path has its name beside it. In a chain that cannot be answered, what leads to the broken
step is thick, the break bears the cross, and what depends on it is dashed.
"""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["BREAK", "INK", "KINDS", "MUTED", "PAPER", "STRIPE", "Kind"]

INK, MUTED, PAPER, STRIPE = "#1b1f24", "#57606a", "#ffffff", "#f5f6f8"
BREAK = "×"
"""What stands on the line of a near-miss."""


@dataclass(frozen=True, slots=True)
class Kind:
    """How one kind of path looks."""

    stroke: str
    fill: str
    text: str
    width: float
    """Of a line, in tenths of the font size."""
    dash: tuple[float, float] | None = None
    """Drawn and left out, in font sizes."""


KINDS: dict[str, Kind] = {
    "source": Kind("#7d8590", "#eef0f2", "#4b535d", 0.8),
    "gold": Kind("#1d5fbf", "#e1edfd", "#0f3f86", 2.0),
    "strict": Kind("#c2570c", "#fdeedd", "#7a3606", 1.0),
    "flexible": Kind("#c2570c", "#ffffff", "#7a3606", 1.0, (0.45, 0.3)),
    "prefix": Kind("#1d5fbf", "#e1edfd", "#0f3f86", 2.0),
    "defect": Kind("#b3175c", "#fce4ee", "#7d0f40", 1.6),
    "suffix": Kind("#7d8590", "#ffffff", "#4b535d", 1.0, (0.45, 0.3)),
}
"""Look by kind; the page's style sheet has the same colours, and darker grounds for the night."""
