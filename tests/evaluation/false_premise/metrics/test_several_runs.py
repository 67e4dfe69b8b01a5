"""Ranks, falls and judges over the runs of several models."""

import pytest

from evaluation.false_premise.metrics.corrections import CLASSES
from evaluation.false_premise.metrics.ordering import class_shares
from evaluation.false_premise.metrics.several_runs import (
    changes,
    fallen,
    leave_one_judge_out,
    mean_over,
    ranks,
    together,
)
from stand_ins.corrections import corrections, dialogue


def test_ranks_of_equal_scores() -> None:
    assert ranks({"a": 0.2, "b": 0.5, "c": 0.2, "d": 0.1}) == {"a": 2, "b": 1, "c": 2, "d": 4}


def test_means() -> None:
    assert mean_over([0.1, 0.2, 0.6]) == pytest.approx(0.3)
    assert mean_over([]) is None


def test_falls() -> None:
    found = changes(
        {"a": {4: 0.5, 10: 0.2}, "b": {4: 0.5, 10: 0.44}, "c": {4: 0.1, 10: 0.3}}, 4, 10
    )
    assert found == pytest.approx({"a": -0.3, "b": -0.06, "c": 0.2})
    assert fallen(found) == ["a", "b"]
    assert fallen(found, more_than=0.1) == ["a"]


def test_a_judge_that_flatters_itself() -> None:
    scores = {
        "ear": {"ear": 0.9, "nose": 0.3},  # 0.6 by both, 0.3 by the other
        "plain": {"ear": 0.5, "nose": 0.5},
        "nose-2": {"ear": 0.2, "nose": 0.3},
    }
    found = leave_one_judge_out(scores, {"ear": "ear", "nose-2": "nose"})
    ear, nose = found.judges
    assert (ear.model, ear.score, ear.score_by_others) == ("ear", pytest.approx(0.6), 0.3)
    assert (ear.rank, ear.rank_by_others) == (1, 2)
    assert (nose.score, nose.score_by_others) == (pytest.approx(0.25), 0.2)
    assert found.ranks == {"ear": 2, "plain": 1, "nose-2": 3}
    assert not found.is_order_kept


def test_without_another_judge_a_score_stands() -> None:
    found = leave_one_judge_out({"ear": {"ear": 0.9}, "plain": {"ear": 0.5}}, {"ear": "ear"})
    assert (found.judges, found.is_order_kept) == ((), True)


def test_runs_together_over_the_dialogues_that_all_have() -> None:
    asked = [dialogue(number, name) for number, name in enumerate(CLASSES)]
    always = corrections(asked, lambda *_: "yes")
    never = corrections(asked[:2], lambda *_: "no")
    both = together({"always": always, "never": never})
    assert [one.dialogue_id for one in both.dialogues] == [one.dialogue_id for one in asked[:2]]
    assert both.detectors == ("always/ear", "always/nose", "never/ear", "never/nose")
    assert class_shares(both, 10) == {"identity": 0.5, "attribute": 0.5}
