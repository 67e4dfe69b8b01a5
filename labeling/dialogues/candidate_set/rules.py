"""Rules of candidate sets: what marks must be, and what is seldom right about them."""

from collections.abc import Iterable, Sequence

from benchwright.records import Check
from labeling.dialogues.candidate_set.box_ids import in_order


def has_candidate(ids: Sequence[str]) -> Check:
    """Check that a box is marked: somebody means something at every turn."""
    reason = None if ids else "no box is marked"
    return Check(name="at least one box", passed=not reason, reason=reason)


def are_known(ids: Iterable[str], known: Iterable[str]) -> Check:
    """Check that all marks are boxes of the picture."""
    others = in_order(set(ids).difference(known))
    reason = f"the picture has no box {_listed(others)}" if others else None
    return Check(name="boxes of the picture", passed=not others, reason=reason)


def narrows(last: Iterable[str], ids: Iterable[str]) -> Check:
    """Check that a turn adds no box to those of the turn before.

    A dialogue seldom widens again: where it does, this fails and the marks are right all the same.
    """
    added = in_order(set(ids).difference(last))
    reason = f"adds {_listed(added)} to the last turn's" if added else None
    return Check(name="within the last turn's", passed=not added, reason=reason)


def keeps_target(ids: Iterable[str], target: str) -> Check:
    """Check that what is meant in the end is plausible at this turn."""
    held = target in set(ids)
    reason = None if held else f"{target}, meant in the end, is not marked"
    return Check(name="the target is among them", passed=held, reason=reason)


def _listed(ids: Sequence[str]) -> str:
    return ids[0] if len(ids) == 1 else f"{', '.join(ids[:-1])} and {ids[-1]}"
