"""The plan of an ensemble: which questions, in which words, with which weights."""

import pytest

from benchwright.errors import UsageError
from benchwright.records import AttributeType, AttributeValue
from labeling.attributes.deciding.weights import Question
from labeling.attributes.vocabulary.vocabulary import Vocabulary
from labeling.attributes.voting.ensemble import Ensemble
from labeling.attributes.voting.plan import plan_of, planned_questions

VOCABULARY = Vocabulary(
    types=tuple(
        AttributeType(type=name, aliases=(), exclusive=name == "b", complete=False, askable=True)
        for name in ("a", "b", "c")
    ),
    values=tuple(
        AttributeValue(
            type=kind,
            value=value,
            aliases=(),
            templates=tuple(f"{number} {kind} {value}: a {{noun}}?" for number in (1, 2, 3)),
        )
        for kind, value in (("a", "y"), ("b", "x"), ("b", "y"), ("c", "z"))
    ),
)


def ensemble(*weights: int, **more: object) -> Ensemble:
    voters = [
        {"kind": "scripted", "name": f"v{at}", "labels": "x", "weight": weight}
        for at, weight in enumerate(weights)
    ]
    said = {"voters": voters, "views": {"low": {}, "high": {}}, "templates": 2}
    return Ensemble.model_validate({**said, **more})


def test_every_voter_is_asked_in_every_wording_on_every_view() -> None:
    questions = planned_questions(["b", "a"], 2, ["low", "high"])
    assert len(questions) == 8
    assert questions == tuple(sorted(set(questions)))  # whatever the order of the file
    assert questions[0] == Question(voter="a", template="1", view="high")
    assert planned_questions(["a", "b"], 2, ["high", "low"]) == questions


def test_values_stand_type_by_type() -> None:
    plan = plan_of(ensemble(1), VOCABULARY)
    assert [(value.type, value.exclusive) for value in plan.values] == [
        *(("a", False), ("b", True), ("b", True), ("c", False))
    ]
    assert plan.types == (range(1), range(1, 3), range(3, 4))
    assert plan.text(1, "2", "dress") == "2 b x: a dress?"


def test_weights_are_shared_by_the_questions_of_a_voter() -> None:
    plan = plan_of(ensemble(3, 1), VOCABULARY)
    assert plan.weights.shape == (4, 8)
    assert plan.weights[0].tolist() == [3] * 4 + [1] * 4
    # calibrated ones are of each value by itself
    by_value = [{"v0": 0, "v1": 2}, {"v0": 1, "v1": 1}, {"v0": 1, "v1": 1}, {"v0": 5, "v1": 0}]
    plan = plan_of(ensemble(3, 1), VOCABULARY, by_value=by_value)
    assert plan.weights[:, 0].tolist() == [0, 1, 1, 5]
    assert plan.weights[:, -1].tolist() == [2, 1, 1, 0]


def test_rule_and_share_are_exact() -> None:
    plan = plan_of(ensemble(1, margin=0.1, quorum="0.25", full=1e-7), VOCABULARY, seed=3)
    assert (plan.rule.margin.numerator, plan.rule.margin.denominator) == (1, 10)
    assert (plan.rule.quorum.numerator, plan.rule.quorum.denominator) == (1, 4)
    assert (plan.full.numerator, plan.full.denominator) == (1, 10**7)
    assert plan.seed == 3


def test_too_few_templates_are_named() -> None:
    with pytest.raises(UsageError, match=r"4 templates are wanted .* label-attributes templates"):
        plan_of(ensemble(1, templates=4), VOCABULARY)


def test_weights_that_are_too_large() -> None:
    with pytest.raises(UsageError, match="give smaller"):
        plan_of(ensemble(2**31, 1), VOCABULARY)
