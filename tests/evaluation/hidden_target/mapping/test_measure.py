"""The mapper on the labelled questions of the package."""

import pytest

from benchwright.records import Asked
from builders.sample.garments import TYPES
from evaluation.hidden_target.mapping.labelled import Labelled, LabelledSet, labelled_set
from evaluation.hidden_target.mapping.measure import Measured, measure


def part_of(part):
    labelled = labelled_set()
    return labelled, [one for one in labelled.questions if one.part == part]


@pytest.mark.parametrize(
    ("part", "precision", "recall"), [("held_out", 0.97, 0.92), ("tuning", 1.0, 0.97)]
)
def test_the_mapper_holds_its_floor(part, precision, recall):
    found = measure(*part_of(part))

    assert found.precision >= precision
    assert found.recall >= recall


def test_half_of_the_questions_is_held_out():
    (_, held_out), (_, tuning) = part_of("held_out"), part_of("tuning")

    assert len(held_out) + len(tuning) >= 200
    assert len(held_out) >= len(tuning)
    assert len({one.question for one in (*held_out, *tuning)}) == len(held_out) + len(tuning)


def test_every_label_is_a_value_of_its_vocabulary():
    labelled = labelled_set()
    for one in labelled.questions:
        terms, _ = labelled.vocabularies[one.vocabulary]
        known = {(term.value.type, term.value.value) for term in terms}
        assert {(asks.type, asks.value) for asks in one.asked} <= known, one.question


def test_what_is_counted():
    hem = Asked(type="hem", value="straight hem", is_negated=False)
    terms, noun = labelled_set().vocabularies["dresses"]
    some = [
        ("Is the hem straight?", {hem}),  # right
        ("Is the hem not straight?", {hem}),  # wrong
        ("Is it sunny?", {hem}),  # unmapped
        ("Is the hem straight, yes?", set()),  # overread
        ("Is it sunny?", set()),  # left
    ]
    questions = [
        Labelled(part="tuning", vocabulary="d", question=text, asked=frozenset(asks))
        for text, asks in some
    ]
    labelled = LabelledSet(questions=tuple(questions), vocabularies={"d": (terms, noun)})

    found = measure(labelled, questions)

    assert found == Measured(right=1, wrong=1, unmapped=1, overread=1, left=1)
    assert (found.precision, found.recall) == (pytest.approx(1 / 3), pytest.approx(1 / 3))


def test_the_dresses_are_those_of_the_built_in_sample():
    terms, _ = labelled_set().vocabularies["dresses"]
    found = {(term.value.type, term.value.value) for term in terms}

    assert found == {(name, value) for name, values in TYPES.items() for value in values}
