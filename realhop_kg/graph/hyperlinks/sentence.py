"""The sentence that holds a link."""

from __future__ import annotations

from realhop_kg.graph.hyperlinks.page import body
from realhop_kg.model.sentences import boundaries

__all__ = ["sentence_of"]


def sentence_of(item: str, start: int, end: int) -> str:
    """Return the sentence of a text item that holds a link, without the mark of a list item.

    A link that crosses a boundary keeps both sentences. The linked words always stand in it.

    Args:
        item: the text item.
        start: first code point of the link.
        end: one past its last.

    Examples:
        >>> item = "Ostra is a town. It lies on the Vell. The Vell is short."
        >>> sentence_of(item, 32, 36)
        'It lies on the Vell.'
    """
    stops = boundaries(item)
    first = max((stop for stop in stops if stop <= start), default=0)
    last = min((stop for stop in stops if stop >= end), default=len(item))
    sentence = item[first:last]
    plain = body(sentence) if not first else sentence.strip()
    # A link in a mark itself ("BULLET") is kept with it.
    return plain if item[start:end] in plain else sentence
