"""What was saved, beside what the order and the best of all orders would have saved."""

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from labeling.attributes.deciding.codes import NOT_ASKED
from labeling.attributes.deciding.hindsight import fewest_questions
from labeling.attributes.deciding.majority import majority
from labeling.attributes.deciding.rule import DecimalShare, Rule
from labeling.attributes.deciding.savings import full_sample, questions_by_order, savings
from labeling.attributes.deciding.table import labels_table
from labeling.attributes.deciding.weights import share_weights


@settings(max_examples=60)
@given(st.integers(0, 2**32), st.booleans(), st.sampled_from(["0", "0.1"]))
def test_no_order_asks_fewer_than_the_fewest_nor_more_than_all(
    small: SimpleNamespace, seed: int, exclusive: bool, margin: str
) -> None:
    random = np.random.default_rng(seed)
    answers = random.choice([1, 2, 3], p=[0.3, 0.6, 0.1], size=(6, 12))
    questions = small.questions(3, 2)
    ballots = small.ballots(answers, questions, values=3, exclusive=exclusive)
    weights = share_weights(questions, [{"v0": 2, "v1": 1, "v2": 1}] * 3)
    rule = Rule.parse(margin)
    asked = questions_by_order(ballots, weights, rule, seed)
    fewest = fewest_questions(ballots, weights, rule)
    assert (asked <= 6).all()
    # of an exclusive type the sum over its values is the fewest, not each part of it
    step = 3 if exclusive else 1
    for start in range(0, 12, step):
        assert fewest[start : start + step].sum() <= asked[start : start + step].sum()


def test_savings_of_a_decision_and_of_its_sample(small: SimpleNamespace) -> None:
    questions = small.questions(1, 5)
    cells = ["yyy..", "nnn..", "yy...", "ynyny", "yyyyy", "ynnyy"]
    ballots = small.ballots(small.spelled(*cells), questions, values=2)
    weights = share_weights(questions, [{"v0": 1}] * 2)
    decision = majority(ballots, weights, Rule())
    found = savings(ballots, decision, np.arange(6) >= 4, weights, Rule(), seed=0)
    assert (found.planned, found.saved) == (30, 4)  # what the third lacks is not saved
    assert found.sample_planned == 10
    assert found.sample_fewest == 6
    assert 6 <= found.sample_by_order <= 10


def test_questions_that_weigh_nothing_are_neither_planned_nor_saved(small: SimpleNamespace) -> None:
    questions = small.questions(3, 1)
    weights = share_weights(questions, [{"v0": 1, "v1": 1, "v2": 0}, {"v0": 1, "v1": 1, "v2": 1}])
    # of the first value the third question is asked by no order; of the second it is saved
    ballots = small.ballots(small.spelled("yy.", "yy.", "nn.", "nnn"), questions, values=2)
    outcome = majority(ballots, weights, Rule())
    sample = np.arange(4) >= 2
    found = savings(ballots, outcome, sample, weights, Rule(), seed=0)
    assert (found.planned, found.saved) == (2 + 3 + 2 + 3, 1)
    assert (found.sample_planned, found.sample_by_order) == (2 + 3, 4)
    assert labels_table(ballots, outcome).column("votes_saved").to_pylist() == [0, 1, 0, 0]
    # one that failed while it still weighed something takes nothing off the others
    failed = replace(ballots, failed=np.array([1, 0, 0, 0], np.int32))
    again = savings(failed, majority(failed, weights, Rule()), sample, weights, Rule(), seed=0)
    assert again.saved == 1


@pytest.mark.parametrize(("exclusive", "kept"), [(False, [2, 3, 5]), (True, [2, 3])])
def test_the_sample_is_that_of_the_seed_and_has_all_answers(
    small: SimpleNamespace, exclusive: bool, kept: list[int]
) -> None:
    questions = small.questions(1, 2)
    cells = small.spelled("yy", "yy", "yy", "n-", "y.", "yy")
    ballots = small.ballots(cells, questions, values=2, exclusive=exclusive)
    everything = full_sample(ballots, DecimalShare.parse("1", "--full"), seed=0)
    assert np.flatnonzero(everything).tolist() == [0, 1, *kept]
    nothing = full_sample(ballots, DecimalShare.parse("0", "--full"), seed=0)
    assert not nothing.any()
    # whole pictures
    half = full_sample(ballots, DecimalShare.parse("0.5", "--full"), seed=3)
    assert (half[0::2][:2] == half[1::2][:2]).all()


def test_a_question_without_an_answer_cannot_be_replayed(small: SimpleNamespace) -> None:
    questions = small.questions(1, 3)
    ballots = small.ballots(small.spelled("..."), questions)
    with pytest.raises(ValueError, match="first answer"):
        questions_by_order(ballots, share_weights(questions, [{"v0": 1}]), Rule(), 0)
    assert (ballots.answers == NOT_ASKED).all()
