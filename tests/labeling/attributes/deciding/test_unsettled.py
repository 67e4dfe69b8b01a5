"""Labels that stored votes no longer settle, and what settling them would cost."""

from itertools import combinations, product
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from labeling.attributes.deciding.codes import NOT_ASKED
from labeling.attributes.deciding.majority import majority
from labeling.attributes.deciding.rule import Rule
from labeling.attributes.deciding.unsettled import unsettled_by_majority, unsettled_otherwise
from labeling.attributes.deciding.weights import share_weights


@pytest.mark.parametrize(
    ("cell", "margin", "least", "most"),
    [
        ("yyyyy....", "0", 0, 0),  # settled
        ("yyyyy....", "0.25", 2, 4),  # a wider band: two more yes would do, four at the most
        ("yyyyn....", "0.25", 2, 4),  # two more no, and neither side has three quarters
        (".........", "0", 5, 9),
        ("yyyy.nnnn", "0", 1, 1),
        ("yy-------", "0.5", 0, 0),
    ],
)
def test_nine_equal_questions(
    small: SimpleNamespace, cell: str, margin: str, least: int, most: int
) -> None:
    questions = small.questions(1, 9)
    ballots = small.ballots(small.spelled(cell, "yyyyyyyyy"), questions, values=2)
    weights = share_weights(questions, [{"v0": 1}] * 2)
    rule = Rule.parse(margin)
    found = unsettled_by_majority(ballots, majority(ballots, weights, rule), weights, rule)
    assert found.cells.tolist() == ([0] if most else [])
    assert (found.at_least, found.at_most) == (least, most)
    assert found.most.sum() == most


def test_a_vote_that_other_weights_no_longer_settle(small: SimpleNamespace) -> None:
    questions = small.questions(3, 3)
    # stopped when two equal voters agreed; the third weighs more now
    ballots = small.ballots(small.spelled("yyyyyy..."), questions)
    alike = share_weights(questions, [{"v0": 1, "v1": 1, "v2": 1}])
    heavy = share_weights(questions, [{"v0": 1, "v1": 1, "v2": 3}])
    assert majority(ballots, alike, Rule()).settled.all()
    found = unsettled_by_majority(ballots, majority(ballots, heavy, Rule()), heavy, Rule())
    assert (found.cells.tolist(), found.at_least, found.at_most) == ([0], 1, 3)


@settings(max_examples=80)
@given(st.data())
def test_the_least_is_what_the_best_answers_take(
    small: SimpleNamespace, data: st.DataObject
) -> None:
    asked = data.draw(st.integers(1, 5))
    cell = data.draw(st.lists(st.integers(0, 3), min_size=asked, max_size=asked))
    weights = np.array(
        [data.draw(st.lists(st.integers(0, 4), min_size=asked, max_size=asked).filter(any))]
    )
    rule = Rule.parse(
        data.draw(st.sampled_from(["0", "0.1", "0.25", "0.5"])),
        data.draw(st.sampled_from(["0", "0.4", "0.75"])),
    )
    questions = small.questions(1, asked)
    ballots = small.ballots(np.array([cell]).T, questions)
    decision = majority(ballots, weights, rule)
    found = unsettled_by_majority(ballots, decision, weights, rule)
    open_ = [at for at in range(asked) if cell[at] == NOT_ASKED and weights[0, at]]
    takes = []
    for size in range(len(open_) + 1):
        for chosen in combinations(open_, size):
            for said in product((1, 2, 3), repeat=size):
                answers = np.array(cell)
                answers[list(chosen)] = said
                full = small.ballots(np.array([answers]).T, questions)
                if majority(full, weights, rule).settled.all():
                    takes.append(size)
    assert found.at_least <= min(takes)
    if not rule.margin.numerator:  # without a band nothing settles by being torn
        assert found.at_least == min(takes)
    assert found.at_most == (0 if decision.settled.all() else len(open_))


def test_exclusive_types_count_once_and_other_methods_by_cell(small: SimpleNamespace) -> None:
    questions = small.questions(1, 3)
    cells = small.spelled("y..", "n..", "yyy", "n.n")
    weights = share_weights(questions, [{"v0": 1}] * 2)
    exclusive = small.ballots(cells, questions, values=2, exclusive=True)
    found = unsettled_by_majority(exclusive, majority(exclusive, weights, Rule()), weights, Rule())
    assert (found.cells.tolist(), found.at_least, found.at_most) == ([0, 1], 1, 4)
    single = small.ballots(cells, questions, values=2)
    other = unsettled_otherwise(single, majority(single, weights, Rule()))
    assert (other.cells.tolist(), other.at_least, other.at_most) == ([0, 1], 2, 4)
