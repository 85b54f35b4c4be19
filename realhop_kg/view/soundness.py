"""Says whether the files of a dataset are those that its manifest records, before it is shown."""

from __future__ import annotations

from pathlib import Path

from realhop_kg.freeze.manifest import EXCLUDED, GRAPHS, ITEMS, MANIFEST, RELATIONS
from realhop_kg.freeze.report import Discrepancies
from realhop_kg.freeze.verify_files import check_files, check_manifest

__all__ = ["differing"]

_MOST = 100
_SHOWN = (MANIFEST, ITEMS, GRAPHS, EXCLUDED, RELATIONS)


def differing(folder: Path) -> tuple[str, ...]:
    """Return what is not as it was frozen, each as one line; nothing where all hashes hold.

    Only bytes are compared, which is quick; `realhop verify` checks the items as well.

    Args:
        folder: a dataset of any kind.
    """
    found = Discrepancies(_MOST)
    check_files(folder, check_manifest(folder, found), found)
    # A card that somebody wrote anew changes nothing of what is shown.
    return tuple(str(each) for each in found.found if each.file in _SHOWN)
