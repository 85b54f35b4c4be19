"""How pages are named: what a link's address and a title have in common, as a 64-bit key.

The key of a name is a hash of the name with its first letter raised, as MediaWiki stores it. The
lowest bit is taken out of the hash and says whether the letter had to be raised, so that `ebay`
finds `Ebay` where there is no page `ebay`, and `ebay` where there is one.
"""

from __future__ import annotations

import html
import unicodedata
from urllib.parse import unquote

import xxhash

__all__ = ["RAISED", "clean_href", "clean_title", "name_key"]

RAISED = 1
"""The bit of a key that is set where the first letter was no capital."""


def clean_title(title: str) -> str:
    """Return a title with single blanks for underscores and blanks, and entities decoded.

    Examples:
        >>> clean_title("  Ada_ (food) "), clean_title("AT&amp;T")
        ('Ada (food)', 'AT&T')
    """
    if "&" in title:
        title = html.unescape(title)
    title = " ".join(title.replace("_", " ").split())
    return title if title.isascii() else unicodedata.normalize("NFC", title)


def clean_href(href: str) -> str:
    """Return the title that a link's address names, without its section.

    Examples:
        >>> clean_href("AT%26amp%3BT_Center%23History"), clean_href(":asteroid"), clean_href("#Top")
        ('AT&T Center', 'asteroid', '')
    """
    if "%" in href:
        href = unquote(href)
    # Entities first: `&#39;` holds a `#` that begins no section.
    if "&" in href:
        href = html.unescape(href)
    return clean_title(href.partition("#")[0].lstrip(" :"))


def name_key(name: str) -> int:
    """Return the key of a cleaned name, 64 bits, the same on every machine."""
    first = name[:1]
    capital = first.upper()
    # Of `ß` two letters would come; MediaWiki leaves it.
    raised = capital != first and len(capital) == 1
    written = capital + name[1:] if raised else name
    digest = xxhash.xxh3_64_intdigest(written.encode("utf-8", "surrogatepass"))
    return (digest | RAISED) if raised else (digest & ~RAISED)
