"""Which version a set of changes asks for.

Major: figures of the old version cannot be held against those of the new one, since a sample that
is in both, or what it is scored by, is another; or a sample, a column or a config that was there is
gone. Minor: there is more than before, and all that was there is as it was. Patch: samples were
withdrawn or faults mended by errata, or only what is said about samples changed.
"""

from collections.abc import Collection, Sequence
from typing import Literal

from exports.differing.changes import Changes
from exports.differing.comparing import Id
from exports.names import Version

Bump = Literal["none", "patch", "minor", "major"]
_ORDER: tuple[Bump, ...] = ("none", "patch", "minor", "major")
_ABOUT = frozenset(("decisions", "responses"))  # what is said about samples, not samples
_SHARED = frozenset(("images", "labels"))  # of the pictures that samples show
_CONTEXT = _ABOUT | _SHARED | {"vocabulary"}
_LEDGER = frozenset(("similarities", "pool_size"))  # of an episode; no score hangs on them


def bump_of(changes: Sequence[Changes], errata: Collection[tuple[str, str]]) -> Bump:
    """Return the smallest bump that the changes ask for.

    ``errata`` are config and id of published faults. Pictures come and go with the samples that
    show them, so that alone they count where there are no samples.
    """
    has_samples = any(change.config not in _CONTEXT for change in changes)
    found = (_one(change, errata, has_samples=has_samples) for change in changes)
    return max(found, key=_ORDER.index, default="none")


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


def is_known(config: str, key: Id, errata: Collection[tuple[str, str]]) -> bool:
    """Tell whether a row is of a sample with a published fault."""
    return (config, str(key[0])) in errata


def _one(change: Changes, errata: Collection[tuple[str, str]], *, has_samples: bool) -> Bump:
    config = change.config
    if change.is_empty:
        return "none"
    if change.removed_columns:
        return "major"
    if config in _ABOUT:
        return "patch"
    comes_along = has_samples and config in _SHARED
    is_gone = not comes_along and any(
        not is_known(config, key, errata) for key, _ in change.removed_rows()
    )
    if is_gone or any(
        not is_known(config, one.id, errata)
        for one in change.changed_rows()
        if not one.fields.keys() <= _LEDGER
    ):
        return "major"
    if change.added_columns or (change.added.num_rows and not comes_along):
        return "minor"
    return "patch"
