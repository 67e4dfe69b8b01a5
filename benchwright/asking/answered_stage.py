"""Stages that are made of models' answers: whether one that stands leaves nothing to ask."""

from pathlib import Path

from benchwright import store
from benchwright.asking.session import Spending


def answered_stage(
    folder: Path, plan: store.Plan, spending: Spending, *, force: bool
) -> store.Manifest | None:
    """Return the manifest of a stage made by just this plan to which no call is missing.

    Null where it is to be made, or gone on with: ``failed`` of its counts tells of calls that
    brought no answer. ``force``, and replies that are to be asked anew, want it made in any case.
    """
    if force or spending.again:
        return None
    standing = store.finished(folder, plan)
    return None if standing is None or standing.counts["failed"] else standing
