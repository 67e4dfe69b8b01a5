"""The yes/no brain, in this process: what it is asked for, how it errs, how it words."""

import math
import re
from typing import Any

import pytest

from stand_ins.models import (
    ErrorRate,
    Look,
    Model,
    Question,
    Script,
    Seen,
    Value,
    YesNo,
    template_of,
)

LACE = Value(type="trim", value="lace", aliases=("lacework", "蕾丝"))
NECK = Value(type="neckline", value="off shoulder")
SHOULDER = Value(type="strap", value="shoulder")
RED = Value(type="colour", value="red")
RED_LINING = Value(type="lining", value="red")
VALUES = (LACE, NECK, SHOULDER, RED, RED_LINING)
N = 4000


def question(
    text: str, code: str = "a", *, yes: bool = True, asked_before: int = 0, model: str = "scripted"
) -> Question:
    truths = {(value.type, value.value): yes for value in VALUES}
    look = Look(sight="seen", code=code, truths=truths)
    seen = Seen(data=b"", format="PNG", width=1, height=1, pixels=code, look=look)
    return Question(
        model=model,
        messages=(),
        text=text,
        pictures=(seen,),
        parameters={},
        request=f"{code} {text}",
        asked_before=asked_before,
        ordinal=0,
    )


def brain(*errors: ErrorRate, **more: Any) -> YesNo:
    return YesNo(Script(values=VALUES, models=(Model(errors=errors, **more),)))


def errors(asked: YesNo, text: str, *, yes: bool) -> list[bool]:
    right = "yes" if yes else "no"
    return [asked(question(text, str(code), yes=yes)).answer != right for code in range(N)]


def is_near(found: int, rate: float, n: int = N) -> bool:
    """Tell whether so many of n is within five standard deviations of a rate."""
    return abs(found - rate * n) <= 5 * math.sqrt(n * rate * (1 - rate)) + 1e-9


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("Is there lace?", LACE),
        ("Is there LACE on it?", LACE),  # case
        ("Any lacework?", LACE),  # an alias, not the name within it
        ("Is it a necklace?", None),  # whole words
        ("这件裙子有蕾丝吗？", LACE),  # no spaces between words
        ("Is the neckline off shoulder?", NECK),  # the longest name wins
        ("Is a shoulder shown?", SHOULDER),
        ("Is it red?", RED),  # two types: the first of the script
        ("Is the lining red?", RED_LINING),  # unless the type is named
        ("What is it?", None),
    ],
)
def test_the_value_that_is_asked_for(text: str, named: Value | None) -> None:
    look = Look(sight="seen", code="a", truths={(named.type, named.value): True} if named else {})
    seen = Seen(data=b"", format="PNG", width=1, height=1, pixels="", look=look)
    asked = Question(
        model="scripted",
        messages=(),
        text=text,
        pictures=(seen,),
        parameters={},
        request="",
        asked_before=0,
        ordinal=0,
    )
    assert brain()(asked).answer == ("yes" if named else None)


TEXT = "Is there lace?"
OTHER = "Can lace be seen?"


@pytest.mark.parametrize("yes", [True, False])
@pytest.mark.parametrize(
    ("rows", "for_yes", "for_no"),
    [
        ((), 0, 0),
        ((ErrorRate(on_yes=0.1, on_no=0.3),), 0.1, 0.3),
        ((ErrorRate(on_yes=0.5, on_no=0.5),), 0.5, 0.5),  # blind
        ((ErrorRate(on_yes=1, on_no=1),), 1, 1),
        ((ErrorRate(on_yes=1), ErrorRate(type="trim", on_no=0.2)), 0, 0.2),  # the last that fits
        (
            (ErrorRate(type="trim", value="lace", on_yes=0.2), ErrorRate(type="strap", on_no=1)),
            0.2,
            0,
        ),
        ((ErrorRate(template=template_of(TEXT, "lace"), on_yes=0.4),), 0.4, 0),
        ((ErrorRate(template=template_of(OTHER, "lace"), on_yes=0.4),), 0, 0),  # another wording
        ((ErrorRate(on_yes=0.2, on_no=0.2, common=0.7),), 0.2, 0.2),  # common changes no rate
    ],
)
def test_it_errs_as_often_as_it_is_told(
    rows: tuple[ErrorRate, ...], for_yes: float, for_no: float, yes: bool
) -> None:
    found = sum(errors(brain(*rows), TEXT, yes=yes))
    assert is_near(found, for_yes if yes else for_no)


@pytest.mark.parametrize("common", [0.0, 0.5, 1.0])
def test_errors_of_two_wordings_are_as_common_as_told(common: float) -> None:
    asked = brain(ErrorRate(on_yes=0.3, common=common))
    one, other = errors(asked, TEXT, yes=True), errors(asked, OTHER, yes=True)
    both = sum(a and b for a, b in zip(one, other, strict=True))
    assert is_near(both, common * 0.3 + (1 - common) * 0.09)
    if common == 1:
        assert one == other


def test_models_and_seeds_err_apart() -> None:
    row = ErrorRate(on_yes=0.5)
    two = Script(values=VALUES, models=tuple(Model(name=name, errors=(row,)) for name in "ab"))
    other_seed = YesNo(two.model_copy(update={"seed": 1}))
    asked = YesNo(two)
    drawn = {
        (made, model): [made(question(TEXT, str(code), model=model)).answer for code in range(200)]
        for made in (asked, other_seed)
        for model in "ab"
    }
    assert len({tuple(answers) for answers in drawn.values()}) == 4


@pytest.mark.parametrize("share", [0.0, 0.25])
def test_the_second_answer_differs_as_often_as_told(share: float) -> None:
    asked = brain(unsteady=share)
    differ = 0
    for code in range(N):
        first, second, third = (
            asked(question(TEXT, str(code), asked_before=before)).answer for before in range(3)
        )
        assert first == third == "yes"
        differ += first != second
    assert is_near(differ, share)


@pytest.mark.parametrize(
    ("style", "yes", "no", "unclear"),
    [
        ("plain", "Yes", "No", "Unsure"),
        ("markdown", "**Yes**", "**No**", "**Unsure**"),
        ("json", '{"answer": "yes"}', '{"answer": "no"}', '{"answer": "unsure"}'),
        ("chinese", "是的。", "不是。", "看不清楚。"),
        ("reasoning_field", "Yes", "No", "Unsure"),
    ],
)
def test_the_styles(style: str, yes: str, no: str, unclear: str) -> None:
    asked = brain(style=style)
    assert asked(question(TEXT)).text == yes
    assert asked(question(TEXT, yes=False)).text == no
    assert brain(style=style, hedge=1)(question(TEXT)).text == unclear


@pytest.mark.parametrize(
    ("style", "pattern"),
    [("sentence", r"^{}, .*lace\.$"), ("reasoning", r"^<think>[^<]*</think>\n{}$")],
)
def test_the_longer_styles(style: str, pattern: str) -> None:
    for yes, word in ((True, "Yes"), (False, "No")):
        text = brain(style=style)(question(TEXT, yes=yes)).text or ""
        assert re.search(pattern.format(word), text, re.DOTALL), text


def test_hedges_and_refusals_come_as_often_as_told() -> None:
    asked = brain(hedge=0.2, refuse=0.1)
    turns = [asked(question(TEXT, str(code))) for code in range(N)]
    assert is_near(sum(turn.refusal is not None for turn in turns), 0.1)
    assert is_near(sum(turn.answer == "unsure" for turn in turns), 0.9 * 0.2)


def test_what_is_not_seen_is_unsure() -> None:
    blank = Look(sight="rotated")
    seen = Seen(data=b"", format="PNG", width=1, height=1, pixels="", look=blank)
    for pictures in ((), (seen,)):
        asked = Question(
            model="scripted",
            messages=(),
            text=TEXT,
            pictures=pictures,
            parameters={},
            request="",
            asked_before=0,
            ordinal=0,
        )
        assert brain()(asked).answer == "unsure"


def test_p_yes_agrees_with_the_answer_and_is_nearer_to_half_where_it_is_wrong() -> None:
    asked = brain(ErrorRate(on_yes=0.3, on_no=0.3))
    gaps: dict[bool, list[float]] = {True: [], False: []}
    for code in range(1000):
        turn = asked(question(TEXT, str(code)))
        assert turn.p_yes is not None
        assert (turn.p_yes > 0.5) == (turn.answer == "yes")
        gaps[turn.answer == "yes"].append(abs(turn.p_yes - 0.5))
    assert sum(gaps[True]) / len(gaps[True]) > 1.5 * sum(gaps[False]) / len(gaps[False])


@pytest.mark.parametrize(
    ("one", "name", "other", "other_name", "same"),
    [
        ("Is there lace?", "lace", "Is there  ruffle?", "ruffle", True),  # only the value differs
        ("Is there lace?", "lace", "IS THERE LACE?", "lace", True),
        ("Is there lace?", "lace", "Do you see lace?", "lace", False),
    ],
)
def test_templates(one: str, name: str, other: str, other_name: str, same: bool) -> None:
    assert (template_of(one, name) == template_of(other, other_name)) == same
