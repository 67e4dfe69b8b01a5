"""Which version a set of changes asks for.

Major: figures of the old version cannot be held against those of the new one, since a sample that
is in both, or what it is scored by, is another; or a column or config that was there is gone.
Minor: there is more than before, and all that was there is as it was. Patch: samples were withdrawn
or faults mended by errata, or only what is said about the release changed.
"""

from collections.abc import Collection, Sequence
from typing import Literal

from exports.differing.changes import Changes, Id
from exports.names import Version

Bump = Literal["none", "patch", "minor", "major"]
_ORDER: tuple[Bump, ...] = ("none", "patch", "minor", "major")
_ABOUT = frozenset(("decisions", "responses"))  # what is said about samples, not samples
_LEDGER = ("similarities", "pool_size")  # fields of an episode that no score hangs on


def bump_of(changes: Sequence[Changes], errata: Collection[Id]) -> Bump:
    """Return the smallest bump that the changes ask for; ``errata`` are ids of published faults."""
    return max((_one(change, errata) for change in changes), key=_ORDER.index, default="none")


def next_version(version: Version, bump: Bump) -> Version:
    """Return the version after another."""
    match bump:
        case "major":
            return Version(version.major + 1, 0, 0)
        case "minor":
            return Version(version.major, version.minor + 1, 0)
        case "patch":
            return Version(version.major, version.minor, version.patch + 1)
        case "none":
            return version


def _one(change: Changes, errata: Collection[Id]) -> Bump:
    if change.is_empty:
        return "none"
    if change.removed_columns:
        return "major"
    if change.config in _ABOUT:
        return "patch"
    gone = [key for key in change.removed if key not in errata]
    others = [one for one in change.changed if one.id not in errata and _counts(one.fields)]
    if gone or others:
        return "major"
    if change.added or change.added_columns:
        return "minor"
    return "patch"


def _counts(fields: Collection[str]) -> bool:
    return any(name not in _LEDGER for name in fields)
