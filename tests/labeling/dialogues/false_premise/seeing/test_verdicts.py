from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from benchwright.boxes import Box
from benchwright.records import Sighting
from labeling.dialogues.false_premise.seeing.verdicts import Ruling, Verdict, affirmed, verdicts_of

TARGET: Box = (10.0, 20.0, 30.0, 40.0)
OTHER: Box = (100.0, 120.0, 30.0, 40.0)
PLACES: tuple[Box | None, ...] = (None, TARGET, OTHER)
_SAID = {"y": "yes", "n": "no", "u": "unsure"}


def seen(
    answers: str, *, variant: int = 0, description: str | None = None, dialogue: str = "d"
) -> list[Sighting]:
    """Sightings by one letter a voter and a word a place: picture, target, other box.

    y, n, u are answers; r is a refusal to answer.
    """
    is_true = variant == 0
    return [
        Sighting(
            dialogue_id=dialogue,
            variant=variant,
            description=description or ("the brown dog" if is_true else "the black dog"),
            is_true=is_true,
            box=box,
            voter=f"m{number}",
            answer=_SAID.get(letter),  # type: ignore[arg-type]
            status="ok" if letter in _SAID else "refused",
        )
        for box, letters in zip(PLACES, answers.split(), strict=False)
        for number, letter in enumerate(letters, 1)
    ]


def only(true: str, false: str) -> Verdict:
    (verdict,) = verdicts_of([*seen(true), *seen(false, variant=1)])
    return verdict


def reasons(verdict: Verdict) -> dict[str, str | None]:
    return {check.name: check.reason for check in verdict.checks if not check.passed}


# what was seen of the true and the false description, the ruling, why checks did not pass
CASES: list[tuple[str, str, Ruling, dict[str, Any]]] = [
    # as it must be
    ("y y n", "n n n", "passed", {}),
    ("yy yy nn", "nn nn nn", "passed", {}),
    # one of three may differ at each place
    ("yyn yny nny", "nny nyn ynn", "passed", {}),
    # a picture with the target's box alone
    ("y y", "n n", "passed", {}),
    # the description is wrong: of the whole picture, of the target alone
    (
        "n n n",
        "n n n",
        "not true",
        {"true by sight": "in the picture: no by m1; target at 10, 20: no by m1"},
    ),
    (
        "y n y",
        "n n n",
        "not true",
        {
            "true by sight": "target at 10, 20: no by m1",
            "one target by sight": "box 2 at 100, 120: yes by m1",
        },
    ),
    # it is wrong, and the other one fits: the first matters more
    (
        "n n n",
        "y y n",
        "not true",
        {
            "true by sight": "in the picture: no by m1; target at 10, 20: no by m1",
            "false by sight": "in the picture: yes by m1; target at 10, 20: yes by m1",
        },
    ),
    # the false one is there: as a whole, on the target, on another thing
    ("y y n", "y n n", "not false", {"false by sight": "in the picture: yes by m1"}),
    ("y y n", "n y n", "not false", {"false by sight": "target at 10, 20: yes by m1"}),
    (
        "yy yy nn",
        "nn nn yy",
        "not false",
        {"false by sight": "box 2 at 100, 120: yes by m1 and m2"},
    ),
    # what they do not settle
    ("yn yy nn", "nn nn nn", "unsettled", {"true by sight": "in the picture: no by m2"}),
    (
        "yy yu nn",
        "nn nn ny",
        "unsettled",
        {
            "true by sight": "target at 10, 20: unsure by m2",
            "false by sight": "box 2 at 100, 120: yes by m2",
        },
    ),
    (
        "yy yy nn",
        "rr nn nn",
        "unsettled",
        {"false by sight": "in the picture: refused by m1 and m2"},
    ),
    (
        "uuu yyy nnn",
        "ruy nnn nnn",
        "unsettled",
        {
            "true by sight": "in the picture: unsure by m1 and m2 and m3",
            "false by sight": "in the picture: refused by m1, unsure by m2, yes by m3",
        },
    ),
    # the true description fits a second thing, clearly or perhaps: no reason to refuse it
    ("y y y", "n n n", "unsettled", {"one target by sight": "box 2 at 100, 120: yes by m1"}),
    (
        "yy yy un",
        "nn nn nn",
        "unsettled",
        {"one target by sight": "box 2 at 100, 120: unsure by m1"},
    ),
]


@pytest.mark.parametrize(("true", "false", "ruling", "why"), CASES)
def test_what_sightings_come_to(true: str, false: str, ruling: Ruling, why: dict[str, Any]) -> None:
    verdict = only(true, false)
    assert verdict.ruling == ruling
    assert reasons(verdict) == why
    names = [check.name for check in verdict.checks]
    assert names == ["true by sight", "false by sight", "one target by sight"]


def test_a_long_list_of_places_is_cut() -> None:
    boxes: Sequence[Box] = [(float(number), 0.0, 20.0, 20.0) for number in range(9)]
    rows = [*seen("y"), *seen("n", variant=1)]
    for one, answer in ((rows[0], "no"), (rows[1], "yes")):
        for number, box in enumerate(boxes):
            said: Any = "yes" if number == 0 and one.is_true else answer
            rows.append(replace(one, box=box, answer=said))
    rows.sort(key=lambda one: one.variant)
    (verdict,) = verdicts_of(rows)
    assert reasons(verdict)["false by sight"] == (
        "target at 0, 0: yes by m1; box 2 at 1, 0: yes by m1; box 3 at 2, 0: yes by m1;"
        " box 4 at 3, 0: yes by m1; and 5 places more"
    )


def test_each_variant_and_each_refused_description_has_a_verdict_of_its_own() -> None:
    rows = [
        *seen("y y n", dialogue="a"),
        *seen("y n n", variant=1, description="the black dog", dialogue="a"),
        *seen("n n n", variant=1, description="the grey dog", dialogue="a"),
        *seen("n u n", variant=2, description="the white dog", dialogue="a"),
        *seen("n n n", dialogue="b"),
        *seen("y n n", variant=1, description="the black dog", dialogue="b"),
    ]
    found = [
        (one.dialogue_id, one.variant, one.false_description, one.ruling)
        for one in verdicts_of(rows)
    ]
    assert found == [
        ("a", 1, "the black dog", "not false"),
        ("a", 1, "the grey dog", "passed"),
        ("a", 2, "the white dog", "unsettled"),
        ("b", 1, "the black dog", "not true"),
    ]
    # another wording does not help b, whose true description is wrong
    assert affirmed(rows) == {("a", 1, "the black dog")}


@pytest.mark.parametrize("lost", [0, 4], ids=["of the true one", "of the false one"])
def test_where_a_server_failed_nothing_is_held_of_it_yet(lost: int) -> None:
    rows = [*seen("y n n"), *seen("n y n", variant=1)]
    rows[lost] = replace(rows[lost], answer=None, status="failed")
    (verdict,) = verdicts_of(rows)
    assert verdict.ruling == "not seen"
    assert affirmed(rows) == set()


def test_nothing_seen_is_no_verdict() -> None:
    assert verdicts_of([]) == []
