"""One question against the ensemble, on votes made by hand."""

from dataclasses import replace
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from benchwright.knowledge import Value
from labeling.attributes.deciding.ballots import Ballots, planned
from labeling.attributes.deciding.codes import SAID_NO, SAID_YES
from labeling.attributes.deciding.majority import majority
from labeling.attributes.deciding.rule import Rule
from labeling.attributes.deciding.weights import Question, share_weights
from labeling.attributes.measuring.cells import Cells
from labeling.attributes.measuring.comparing import Comparison, compare, most_detailed

PICTURES = 40


@pytest.mark.parametrize(
    ("views", "expected"),
    [
        ({"high": {"long_side": 1344}, "low": {"long_side": 336}}, "high"),
        # no bound: the picture as it is
        ({"whole": {"long_side": None}, "high": {"long_side": 1344}}, "whole"),
        # parts show more than the whole within the same bound
        ({"whole": {"long_side": 224}, "parts": {"long_side": 224, "tiles": 2}}, "parts"),
        ({"parts": {"long_side": 224, "tiles": 2}, "big": {"long_side": 500}}, "big"),
        ({"a": {"long_side": 224}, "b": {"long_side": 224}}, "b"),
    ],
)
def test_which_view_is_the_most_detailed(views: dict[str, Any], expected: str) -> None:
    assert most_detailed(views) == expected


def asked(voters: tuple[str, ...], templates: str = "12", views: str = "hl") -> list[Question]:
    return [
        Question(voter=voter, template=template, view=view)
        for voter in voters
        for template in templates
        for view in views
    ]


def compared(questions: list[Question], wrong: dict[Question, slice]) -> Comparison | None:
    """Compare on one value, known as yes of every other picture; ``wrong`` are pictures."""
    order = planned(questions)
    truth = np.where(np.arange(PICTURES) % 2, 1, -1).astype(np.int8)
    answers = np.where(truth > 0, SAID_YES, SAID_NO).astype(np.uint8) * np.ones(
        (len(order), 1), np.uint8
    )
    for question, pictures in wrong.items():
        row = answers[order.index(question)]
        row[pictures] = SAID_YES + SAID_NO - row[pictures]
    ballots = Ballots(
        image_ids=pa.array([f"{at:016x}" for at in range(PICTURES)]),
        object_ids=pa.nulls(PICTURES, pa.string()),
        values=(Value(type="cloth", value="red"),),
        questions=order,
        subjects=np.arange(PICTURES, dtype=np.int32),
        columns=np.zeros(PICTURES, np.int32),
        answers=answers,
    )
    cells = Cells(
        values=1,
        truth=truth,
        columns=np.zeros(PICTURES, np.int64),
        pictures=np.arange(PICTURES),
        weights=np.ones(PICTURES),
    )
    weights = share_weights(order, [{question.voter: 1 for question in order}])
    labels = majority(ballots, weights, Rule()).answer
    one = Question(voter="v", template="1", view="h")
    return compare(ballots, cells, np.ones(PICTURES, bool), labels, one, weights, Rule(), seed=0)


def test_each_size_is_what_its_questions_say() -> None:
    q = {(each.template, each.view): each for each in asked(("v",), "123", "hlp")}
    # each wrong on ten pictures of its own (half yes, half no); the first two views of template 1
    # on the same ten: two of three are wrong there
    found = compared(
        list(q.values()),
        {q["1", "h"]: slice(0, 10), q["1", "l"]: slice(0, 10), q["2", "h"]: slice(10, 20)},
    )
    assert found is not None
    sizes = {(part.templates, part.views): part.balanced.mean for part in found.parts}
    assert sizes == {(1, 1): 0.75, (3, 1): 1.0, (1, 3): 0.75, (3, 3): 1.0}
    assert found.ensemble.mean == 1.0
    alone = {(each.question.template, each.question.view): each for each in found.alone}
    assert alone["1", "h"].balanced.mean == 0.75
    assert alone["3", "p"].balanced.mean == 1.0
    assert found.mean_alone.mean == pytest.approx((3 * 0.75 + 6) / 9)
    assert found.gain_over_one.mean == pytest.approx(0.25)
    assert 0 < found.gain_over_one.low < 0.25 < found.gain_over_one.high
    assert found.gain_over_mean.mean == pytest.approx(1 - found.mean_alone.mean)
    assert (found.pictures, found.values) == (PICTURES, 1)


def test_gains_are_paired() -> None:
    """Where the ensemble errs on the same pictures as the one question, the gain is nothing."""
    questions = asked(("v",))
    found = compared(questions, dict.fromkeys(questions, slice(0, 10)))
    assert found is not None
    gain = found.gain_over_one
    assert (gain.mean, gain.low, gain.high) == (0, 0, 0)
    assert found.ensemble.low < found.ensemble.high


def test_the_labels_are_of_all_voters_and_the_parts_of_the_first() -> None:
    questions = asked(("a", "b", "v"))
    own = [each for each in questions if each.voter == "v"]
    found = compared(questions, dict.fromkeys(own, slice(0, 20)))
    assert found is not None
    assert {part.balanced.mean for part in found.parts} == {0.5}
    assert found.ensemble.mean == 1.0
    assert len(found.alone) == len(questions)


def test_a_single_question_has_one_size() -> None:
    found = compared(asked(("v",), "1", "h"), {})
    assert found is not None
    assert [(part.templates, part.views) for part in found.parts] == [(1, 1)]
    assert found.gain_over_one.mean == 0


def test_both_sides_are_decided_by_the_same_rule() -> None:
    # every question says yes to the right one of red and white, and to blue: by one yes a type
    # red and white are lost to the first name unless p_yes tells them apart
    order = planned([Question(voter="v", template=name, view="h") for name in ("1", "2")])
    names = ("blue", "red", "white")
    cells = len(names) * PICTURES
    is_red = np.arange(PICTURES) % 2 == 0
    truth = np.where(np.stack([0 * is_red, is_red, ~is_red], axis=1), 1, -1).ravel()
    said = np.where((truth > 0) | (np.arange(cells) % 3 == 0), SAID_YES, SAID_NO)
    by_name = Ballots(
        image_ids=pa.array([f"{at:016x}" for at in range(PICTURES)]),
        object_ids=pa.nulls(PICTURES, pa.string()),
        values=tuple(Value(type="cloth", value=name, exclusive=True) for name in names),
        questions=order,
        subjects=np.repeat(np.arange(PICTURES, dtype=np.int32), 3),
        columns=np.tile(np.arange(3, dtype=np.int32), PICTURES),
        answers=np.stack([said, said]).astype(np.uint8),
    )
    # the first question is surer of blue, the second, and by more, of the right one
    sure = np.stack([np.where(truth > 0, 0.7, 0.8), np.where(truth > 0, 0.9, 0.6)])
    measured = Cells(
        values=3,
        truth=truth.astype(np.int8),
        columns=by_name.columns.astype(np.int64),
        pictures=by_name.subjects.astype(np.int64),
        weights=np.ones(cells),
    )
    weights = share_weights(order, [{"v": 1}] * 3)
    for ballots, alone, together in (
        (by_name, [0.5, 0.5], 0.5),
        (replace(by_name, p_yes=sure.astype(np.float32)), [0.5, 1.0], 1.0),
    ):
        labels = majority(ballots, weights, Rule()).answer
        found = compare(
            ballots, measured, np.ones(cells, bool), labels, order[0], weights, Rule(), seed=0
        )
        assert found is not None
        assert found.values == 2  # nothing is blue
        assert [each.balanced.mean for each in found.alone] == alone
        assert [part.balanced.mean for part in found.parts] == [alone[0], together]
        assert found.ensemble.mean == together
        assert found.labels == found.ensemble
        assert found.gain_over_one.mean == together - alone[0]
