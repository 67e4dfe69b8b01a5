"""From sightings to verdicts: what the voters say of a draft, and why."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Literal, get_args

from benchwright.boxes import Box
from benchwright.records import Check, Sighting
from labeling.dialogues.false_premise.seeing.settling import settled

TRUE, FALSE, ONE_TARGET = "true by sight", "false by sight", "one target by sight"
Ruling = Literal["passed", "unsettled", "not true", "not false", "not seen"]
RULINGS: tuple[Ruling, ...] = get_args(Ruling)
TRUE_VARIANT = 0  # the true description is the same in all variants
_TARGET = 1  # the number of its box
_PLACES_NAMED = 4

ByPlace = Mapping[Box | None, Sequence[Sighting]]
Numbers = Mapping[Box | None, int]  # 0 is the whole picture, 1 the box of the target
Reason = str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """What voters made of one pair of descriptions, and the checks that say so.

    ``not true``: they deny the true description in the picture or of the target. ``not false``:
    they affirm the false one somewhere. ``unsettled``: a check did not pass, and people look first.
    """

    dialogue_id: str
    variant: int
    false_description: str
    ruling: Ruling
    checks: tuple[Check, ...]


def verdicts_of(sightings: Sequence[Sighting]) -> list[Verdict]:
    """Return the verdicts on all false descriptions that were looked for, in their order.

    The sightings are as ``see`` writes them: those of a dialogue follow each other, of the whole
    picture first, then of the target's box. Boxes are numbered in this order, the target's is 1.
    """
    found: list[Verdict] = []
    for _, of_dialogue in groupby(sightings, key=lambda one: one.dialogue_id):
        rows = list(of_dialogue)
        true = by_place([one for one in rows if one.is_true])
        wrong = [one for one in rows if not one.is_true]
        for (variant, description), of_one in groupby(
            wrong, key=lambda one: (one.variant, one.description)
        ):
            found.append(_verdict(rows[0].dialogue_id, variant, description, true, list(of_one)))
    return found


def affirmed(sightings: Sequence[Sighting]) -> set[tuple[str, int, str]]:
    """Return the false descriptions that are not false: dialogue, variant and description."""
    return {
        (one.dialogue_id, one.variant, one.false_description)
        for one in verdicts_of(sightings)
        if one.ruling == "not false"
    }


def boxes_of(sightings: Sequence[Sighting]) -> dict[str, tuple[Box, ...]]:
    """Return the boxes of each dialogue in the order of their numbers, the target's first."""
    found: dict[str, dict[Box, None]] = {}
    for one in sightings:
        if one.is_true and one.box is not None:
            found.setdefault(one.dialogue_id, {})[one.box] = None
    return {name: tuple(boxes) for name, boxes in found.items()}


def by_place(sightings: Sequence[Sighting]) -> ByPlace:
    """Return the sightings of one description by box, null for the picture, as they come."""
    found: dict[Box | None, list[Sighting]] = {}
    for one in sightings:
        found.setdefault(one.box, []).append(one)
    return found


def _verdict(
    dialogue_id: str, variant: int, description: str, true: ByPlace, rows: Sequence[Sighting]
) -> Verdict:
    false = by_place(rows)
    numbers: Numbers = {box: number for number, box in enumerate(true)}
    own = {box: rows for box, rows in true.items() if numbers[box] <= _TARGET}
    others = {box: rows for box, rows in true.items() if numbers[box] > _TARGET}
    checks = (
        _check(TRUE, _against(own, "yes", numbers)),
        _check(FALSE, _against(false, "no", numbers)),
        _check(ONE_TARGET, _against(others, "no", numbers)),
    )
    ruling: Ruling = "passed" if all(check.passed for check in checks) else "unsettled"
    if "yes" in _settled(false):
        ruling = "not false"
    if "no" in _settled(own):
        ruling = "not true"
    if any(one.status == "failed" for place in (*true.values(), rows) for one in place):
        ruling = "not seen"
    return Verdict(
        dialogue_id=dialogue_id,
        variant=variant,
        false_description=description,
        ruling=ruling,
        checks=checks,
    )


def _settled(places: ByPlace) -> set[str | None]:
    return {settled([one.answer for one in rows]) for rows in places.values()}


def _check(name: str, reason: Reason) -> Check:
    return Check(name=name, passed=reason is None, reason=reason)


def _against(places: ByPlace, wanted: Literal["yes", "no"], numbers: Numbers) -> Reason:
    """Return where and by whom a description is not said to be what it must be; null nowhere."""
    open_places = [
        f"{_place(box, numbers)}: {_voices(rows, wanted)}"
        for box, rows in places.items()
        if settled([one.answer for one in rows]) != wanted
    ]
    more = len(open_places) - _PLACES_NAMED
    named = open_places[:_PLACES_NAMED] + ([f"and {more} places more"] if more > 0 else [])
    return "; ".join(named) or None


def _place(box: Box | None, numbers: Numbers) -> str:
    if box is None:
        return "in the picture"
    name = "target" if numbers[box] == _TARGET else f"box {numbers[box]}"
    return f"{name} at {box[0]:.0f}, {box[1]:.0f}"


def _voices(rows: Sequence[Sighting], wanted: str) -> str:
    said = [(one.answer or one.status, one.voter) for one in rows if one.answer != wanted]
    return ", ".join(
        f"{answer} by {' and '.join(voter for other, voter in said if other == answer)}"
        for answer in dict.fromkeys(answer for answer, _ in said)
    )
