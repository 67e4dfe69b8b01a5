"""Which version a set of changes asks for.

Major: figures of the old version cannot be held against those of the new one, since a sample that
is in both, or what it is scored by, is another; or a sample, a column or a config that was there is
gone. Minor: there is more than before, and all that was there is as it was. Patch: samples were
withdrawn or faults mended by errata, went with a picture that was taken down, or only what is said
about samples changed.
"""

from collections.abc import Collection, Mapping, Sequence
from types import MappingProxyType
from typing import Literal

from exports.differing.changes import Changes
from exports.differing.comparing import Id
from exports.differing.takedowns import TakenDown
from exports.names import Version

Bump = Literal["none", "patch", "minor", "major"]
_ORDER: tuple[Bump, ...] = ("none", "patch", "minor", "major")
_ABOUT = frozenset(
    ("decisions", "responses", "trajectories")
)  # what is said about samples, not samples
_SHARED = frozenset(("images", "labels"))  # of the pictures that samples show
_CONTEXT = _ABOUT | _SHARED | {"vocabulary"}
# of an episode: how it was made, which no player sees
_EPISODE: frozenset[str] = frozenset(("similarities", "pool_size"))
_SAID: Mapping[str, frozenset[str]] = MappingProxyType(  # of a sample; no score hangs on them
    {
        # who let the dialogue stand, what rules found, which models wrote it: not what is asked
        "false-premise": frozenset(("approvals", "checks", "models")),
        "candidate-set": frozenset(("marks",)),  # candidate_ids are what came of them
        "question-chain": frozenset(("rounds", "author")),  # who verified and wrote it
        # whose the picture is; sha256 is that of the bytes that are shown
        "images": frozenset(("author", "licence", "source_sha256", "title", "url")),
        "labels": frozenset(("margin", "origin", "score")),  # how sure; the answer is what counts
    }
)


def bump_of(
    changes: Sequence[Changes],
    errata: Collection[tuple[str, str]],
    takedowns: TakenDown | None = None,
) -> Bump:
    """Return the smallest bump that the changes ask for.

    ``errata`` are config and id of published faults, ``takedowns`` what went with pictures that
    were taken down. Pictures come and go with the samples that
    show them, so that alone they count where there are no samples.
    """
    has_samples = any(change.config not in _CONTEXT for change in changes)
    gone = takedowns or TakenDown()
    found = (_one(change, errata, gone, has_samples=has_samples) for change in changes)
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


def _one(
    change: Changes,
    errata: Collection[tuple[str, str]],
    takedowns: TakenDown,
    *,
    has_samples: bool,
) -> Bump:
    config = change.config
    if change.is_empty:
        return "none"
    if change.removed_columns:
        return "major"
    if config in _ABOUT:
        return "patch"
    comes_along = has_samples and config in _SHARED
    is_gone = not comes_along and any(
        not is_known(config, key, errata) and not takedowns.holds_for(config, row)
        for key, row in change.removed_rows()
    )
    if is_gone or any(
        not is_known(config, one.id, errata)
        for one in change.changed_rows()
        if not one.fields.keys() <= _SAID.get(config, _EPISODE)
    ):
        return "major"
    if change.added_columns or (change.added.num_rows and not comes_along):
        return "minor"
    return "patch"
