"""Ranks, falls and judges over the runs of several models."""

import pytest

from evaluation.false_premise.metrics.several_runs import (
    fallen,
    leave_one_judge_out,
    mean_over,
    ranks,
)


def test_ranks_of_equal_scores() -> None:
    assert ranks({"a": 0.2, "b": 0.5, "c": 0.2, "d": 0.1}) == {"a": 2, "b": 1, "c": 2, "d": 4}


def test_means() -> None:
    assert mean_over([0.1, 0.2, 0.6]) == pytest.approx(0.3)
    assert mean_over([]) is None


def test_falls() -> None:
    found = {"a": -0.3, "b": -0.06, "c": 0.2}
    assert fallen(found) == ["a", "b"]
    assert fallen(found, more_than=0.1) == ["a"]


def test_a_judge_that_flatters_itself() -> None:
    scores = {
        "ear": {"ear": 0.9, "nose": 0.3},  # 0.6 by both, 0.3 by the other
        "plain": {"ear": 0.5, "nose": 0.5},
        "nose-2": {"ear": 0.2, "nose": 0.3},
    }
    found = leave_one_judge_out(scores, {"ear": {"ear"}, "nose-2": {"nose"}})
    ear, nose = found.judges
    assert (ear.model, ear.score, ear.score_by_others) == ("ear", pytest.approx(0.6), 0.3)
    assert (ear.rank, ear.rank_by_others) == (1, 2)
    assert (nose.score, nose.score_by_others) == (pytest.approx(0.25), 0.2)
    assert found.ranks == {"ear": 2, "plain": 1, "nose-2": 3}
    assert not found.is_order_kept


def test_a_model_that_is_several_of_the_judges() -> None:
    """Of 0.9, 0.6 and 0.3 the last alone is another's."""
    scores = {"ear": {"ear": 0.9, "ear-2": 0.6, "nose": 0.3}, "plain": {"ear": 0.5, "nose": 0.5}}
    (ear,) = leave_one_judge_out(scores, {"ear": {"ear", "ear-2"}}).judges
    assert (ear.score, ear.score_by_others) == (pytest.approx(0.6), 0.3)


def test_without_another_judge_a_score_stands() -> None:
    found = leave_one_judge_out({"ear": {"ear": 0.9}, "plain": {"ear": 0.5}}, {"ear": {"ear"}})
    assert (found.judges, found.is_order_kept) == ((), True)
