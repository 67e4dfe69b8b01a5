"""The difference between two releases."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pyarrow.compute as pc

from exports.differing.bump import Bump, bump_of, is_known, next_version
from exports.differing.changes import Changes, changes_between
from exports.differing.reasons import Grounds, gone_pictures, grounds_of
from exports.differing.takedowns import taken_down
from exports.names import Version
from exports.provenance.errata import read_published
from exports.verifying.released import open_release


@dataclass(frozen=True, slots=True, kw_only=True)
class Diff:
    """What changed from one release to another, and on what grounds.

    ``asks_for`` is the smallest version that may hold the changes, null where the two are of two
    datasets; ``bump`` says nothing then.
    """

    old_name: str
    old: Version
    new_name: str
    new: Version
    changes: Sequence[Changes]
    grounds: Grounds
    bump: Bump
    asks_for: Version | None


def diff_releases(old: Path, new: Path) -> Diff:
    """Return what changed from the release in one folder to that in another.

    Raises UsageError for a folder that holds none.
    """
    before, after = open_release(old), open_release(new)
    changes = changes_between(before, after)
    published = read_published(new)
    errata = {(one.config, one.id): one.reason for one in published}
    takedowns = taken_down(
        before.lock,
        after.lock,
        changes,
        gone_pictures(before, after),
        lambda config, key: is_known(config, key, errata),
    )
    bump = bump_of(changes, errata, takedowns)
    if bump == "none" and published != read_published(old):
        bump = "patch"
    version = Version.of(before.lock.version)
    is_one = before.lock.name == after.lock.name
    return Diff(
        old_name=before.lock.name,
        old=version,
        new_name=after.lock.name,
        new=Version.of(after.lock.version),
        changes=changes,
        grounds=grounds_of(before, after, _relabelled(changes), errata, takedowns),
        bump=bump,
        asks_for=next_version(version, bump) if is_one else None,
    )


def _relabelled(changes: Sequence[Changes]) -> frozenset[str]:
    """Return the pictures of which an answer is another."""
    labels = next((one for one in changes if one.config == "labels" and one.after.num_rows), None)
    if labels is None or "answer" not in labels.fields:
        return frozenset()
    is_other = pc.not_equal(labels.before.column("answer"), labels.after.column("answer"))
    return frozenset(labels.after.column("image_id").filter(is_other).to_pylist())
