"""The difference between two releases."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchwright.errors import UsageError
from exports.differing.bump import Bump, bump_of, next_version
from exports.differing.changes import Changes, Id, changes_between
from exports.differing.reasons import Grounds, grounds_of, why_changed, why_removed
from exports.locking.lock import Lock, read_lock
from exports.names import LOCK, Version
from exports.provenance.errata import read_published


@dataclass(frozen=True, slots=True, kw_only=True)
class Diff:
    """What changed from one release to another; ``why`` is by config and id.

    ``asks_for`` is the smallest version that may hold the changes.
    """

    old_name: str
    old: Version
    new_name: str
    new: Version
    changes: Sequence[Changes]
    why: Mapping[tuple[str, Id], str]
    bump: Bump
    asks_for: Version


def diff_releases(old: Path, new: Path) -> Diff:
    """Return what changed from the release in one folder to that in another.

    Raises UsageError for a folder that holds none.
    """
    before, after = (old, _lock(old)), (new, _lock(new))
    changes = changes_between(before, after)
    errata = {one.id: one.reason for one in read_published(new)}
    grounds = grounds_of(before, after, errata)
    bump = bump_of(changes, [(name,) for name in errata])
    version = Version.of(before[1].version)
    return Diff(
        old_name=before[1].name,
        old=version,
        new_name=after[1].name,
        new=Version.of(after[1].version),
        changes=changes,
        why=dict(_why(changes, grounds)),
        bump=bump,
        asks_for=next_version(version, bump),
    )


def _lock(folder: Path) -> Lock:
    lock = read_lock(folder)
    if lock is None:
        raise UsageError(f"{folder}: has no {LOCK}, so it is no release; name the folder of one")
    return lock


def _why(changes: Sequence[Changes], grounds: Grounds) -> Iterator[tuple[tuple[str, Id], str]]:
    for change in changes:
        for key, row in change.removed.items():
            yield (change.config, key), why_removed(change.config, key, row, grounds)
        for one in change.changed:
            yield (change.config, one.id), why_changed(change.config, one, grounds)
