"""Whether each picture says under which licence it may be shared."""

from collections.abc import Sequence

from benchwright.records import Item
from exports.gating.check import Check, count_check
from exports.provenance.permissions import unlicensed


def licences(items: Sequence[Item]) -> Check:
    """Return how many pictures have none, or one that permits nothing."""
    return count_check(
        "licences",
        "images",
        "pictures whose source states no licence to share them",
        unlicensed(items),
        n=len(items),
    ).advised("keep only what may be shared (--licences), or state the licence in the source")
