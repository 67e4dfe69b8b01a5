"""Agreement with a reference, by hand, by the paper's figures and by its properties."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchwright.boxes import Box
from benchwright.decisions.standing import Thing
from benchwright.records import Decision
from benchwright.statistics.agreement.sets import SetPairs, SetScores, set_agreement
from labeling.dialogues.candidate_set.agreeing.agree import (
    MarkedTurn,
    PairAgreement,
    agreement_with,
    marked_turns,
)
from labeling.dialogues.candidate_set.deciding import FIELD, decision_of_marks
from labeling.dialogues.stored import decisions_of
from stand_ins.auditors import decision
from stand_ins.dialogues import candidate_set

WHEN = "2026-03-01T12:00:00+00:00"


def box(number: int) -> Box:
    return 20.0 * number, 10.0, 15.0, 30.0


def turn(name: str, **boxes: list[int]) -> MarkedTurn:
    return MarkedTurn(
        dialogue_id=name,
        image_id=f"of {name}",
        boxes={who: [box(number) for number in numbers] for who, numbers in boxes.items()},
    )


def found(*turns: MarkedTurn) -> PairAgreement:
    return agreement_with("ana", "bo", turns, draws=50)


def values(scores: SetScores) -> tuple[float | None, ...]:
    return scores.precision.value, scores.recall.value, scores.f1.value


def test_single_boxes_and_sets_are_apart() -> None:
    agreed = found(
        turn("d1", ana=[1, 2, 3], bo=[1, 2]),
        turn("d1", ana=[1, 2], bo=[1, 2, 3, 4]),
        turn("d1", ana=[1], bo=[1]),
        turn("d2", ana=[1], bo=[1, 2]),  # more than one is not the same box
        turn("d2", ana=[2], bo=[3]),
        turn("d3", ana=[1, 2]),
        turn("d4", bo=[1]),
        turn("d5", cy=[1]),
    )
    assert (agreed.annotator, agreed.dialogues, agreed.turns) == ("bo", 2, 5)
    assert (agreed.by_reference, agreed.by_annotator) == (1, 1)
    assert agreed.accuracy.value == pytest.approx(1 / 3)
    assert agreed.accuracy.judged == 3
    assert agreed.sets.f1.judged == 2
    assert values(agreed.sets) == pytest.approx(
        ((1 + 1 / 2) / 2, (2 / 3 + 1) / 2, (4 / 5 + 4 / 6) / 2)
    )


def test_the_reference_says_what_is_a_set() -> None:
    turns = [turn("d1", ana=[1], bo=[1, 2])]
    one_way = agreement_with("ana", "bo", turns)
    other_way = agreement_with("bo", "ana", turns)
    assert (one_way.accuracy.judged, one_way.sets.f1.judged) == (1, 0)
    assert (other_way.accuracy.judged, other_way.sets.f1.judged) == (0, 1)
    assert values(other_way.sets) == pytest.approx((1, 1 / 2, 2 / 3))


def test_boxes_that_nearly_are_the_same_are_matched() -> None:
    twin = (20.5, 10.0, 15.0, 30.0)
    boxes = {"ana": [box(1)], "bo": [twin]}
    assert found(MarkedTurn(dialogue_id="d", image_id="i", boxes=boxes)).accuracy.value == 1
    # one to one: two writings of a box are no two boxes
    both = {"ana": [box(1), box(2)], "bo": [box(1), twin]}
    assert values(found(MarkedTurn(dialogue_id="d", image_id="i", boxes=both)).sets) == (
        pytest.approx((1 / 2, 1 / 2, 1 / 2))
    )


def test_without_turns_of_both_nothing_is_known() -> None:
    agreed = found(turn("d1", ana=[1]), turn("d2", bo=[1]))
    assert (agreed.turns, agreed.dialogues) == (0, 0)
    assert (agreed.by_reference, agreed.by_annotator) == (1, 1)
    assert agreed.accuracy.value is None
    assert values(agreed.sets) == (None, None, None)


def test_turns_of_a_picture_are_drawn_together() -> None:
    apart = [turn(f"d{number}", ana=[1], bo=[1 + number % 2]) for number in range(20)]
    agreed = found(*apart)
    assert agreed.accuracy.value == pytest.approx(1 / 2)
    assert agreed.accuracy.low is not None
    assert agreed.accuracy.high is not None
    assert 0.2 < agreed.accuracy.low < agreed.accuracy.high < 0.8
    one_picture = [turn("d", ana=[1], bo=[1 + number % 2]) for number in range(20)]
    assert (found(*one_picture).accuracy.value, found(*one_picture).accuracy.low) == (0.5, None)
    assert found(*apart) == found(*apart)


# CandVG, section 3: precision, recall and F1 of two pairs of annotators
PUBLISHED = [(0.959, 0.944, 0.943), (0.966, 0.924, 0.935)]


def harmonic(precision: float, recall: float) -> float:
    return 2 * precision * recall / (precision + recall)


@pytest.mark.parametrize(("precision", "recall", "f1"), PUBLISHED)
def test_the_published_f1_is_no_harmonic_mean_of_the_published_means(
    precision: float, recall: float, f1: float
) -> None:
    assert f1 + 0.0005 < harmonic(precision - 0.0005, recall - 0.0005)


def test_means_over_turns_give_the_published_figures_and_pooled_ones_cannot() -> None:
    # of 1,000 sets 37 lack two of three boxes, 15 have two too many, and 31 are others altogether
    sizes = [(3, 3, 3)] * 917 + [(1, 1, 3)] * 37 + [(1, 3, 1)] * 15 + [(0, 2, 2)] * 31
    scores = set_agreement(SetPairs.counted(*np.array(sizes).T), draws=10)
    rounded = [round(value, 3) for value in values(scores.mean) if value is not None]
    assert tuple(rounded) == PUBLISHED[0]
    precision, recall, f1 = values(scores.pooled)
    assert precision is not None
    assert recall is not None
    assert f1 == pytest.approx(harmonic(precision, recall))


NUMBERS = st.lists(st.integers(1, 5), min_size=1, unique=True)


@given(st.lists(st.tuples(NUMBERS, NUMBERS.filter(lambda one: len(one) > 1)), min_size=1))
def test_the_mean_f1_is_never_over_the_harmonic_mean(
    samples: list[tuple[list[int], list[int]]],
) -> None:
    turns = [turn(f"d{at}", bo=bo, ana=ana) for at, (bo, ana) in enumerate(samples)]
    precision, recall, f1 = values(found(*turns).sets)
    assert precision is not None
    assert recall is not None
    assert f1 is not None
    assert f1 <= (harmonic(precision, recall) if precision else 0) + 1e-12


def test_marks_are_those_that_stand() -> None:
    drafts = [candidate_set(turn=number) for number in (1, 2, 3)]
    said: list[Decision] = [
        decision_of_marks(drafts[0], ["1", "2"], annotator="ana", at=WHEN),
        decision_of_marks(drafts[0], ["3"], annotator="ana", at="2026-03-02T12:00:00+00:00"),
        decision_of_marks(drafts[0], ["9"], annotator="bo", at=WHEN),  # there is no such box
        about("d1/2", None, "rejected"),
        about("d1/3", "no list", "confirmed"),
    ]
    marked = marked_turns(drafts, decisions_of(said, {"d1/1", "d1/2", "d1/3"}))
    assert [turn.boxes for turn in marked.turns] == [{"ana": [box(3)]}]
    assert (marked.unread, marked.annotators()) == (2, ["ana"])


def about(record_id: str, after: str | None, verdict: str) -> Decision:
    thing = Thing(None, None, record_id, FIELD)
    return decision(after=after, verdict=verdict, before=None, **thing._asdict())
