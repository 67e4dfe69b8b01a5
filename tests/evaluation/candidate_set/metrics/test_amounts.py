"""What answered samples add to the figures, and what figures they come to."""

from collections.abc import Callable, Sequence
from statistics import fmean
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchwright.boxes import Box
from benchwright.records import CandidateSet, Grounding
from evaluation.candidate_set.metrics.amounts import Divisions, amounts_of
from evaluation.candidate_set.metrics.answered import Answered
from evaluation.candidate_set.metrics.baselines import Baselines
from evaluation.scoring.figures import Figure, Key, by_key, figures

Make = Callable[..., CandidateSet]
Answer = Callable[..., Grounding]


def scored(
    pairs: Sequence[tuple[CandidateSet, Grounding]], *, is_given: bool = False
) -> dict[Key, Figure]:
    """Return the figures of samples with their answers, by their keys."""
    answered = [Answered.of(*pair, is_given=is_given) for pair in pairs]
    samples = [one.sample for one in answered]
    divisions = Divisions.of(samples, samples)
    baselines = Baselines.of(samples, seed=0, is_given=is_given)
    amounts = [amounts_of(one, baselines.outcomes(one.sample), divisions) for one in answered]
    assert all(list(each) == list(amounts[0]) for each in amounts)
    return dict(by_key(figures(amounts, [one.image_id for one in samples], 0)))


def test_a_dialogue_by_hand(sample_of: Make, answer_of: Answer, table: dict[str, Box]) -> None:
    one, two, three = sample_of("abc"), sample_of("ab", turn=2), sample_of("a", turn=3)
    found = scored(
        [
            # two of three: precision 1, recall 2/3, F1 4/5
            (one, answer_of(one, [table["a"], table["b"]])),
            # one of two, and a wrong one: 1/2, 1/2, 1/2
            (two, answer_of(two, [table["a"], table["c"]])),
            # the true one, and another one behind it
            (three, answer_of(three, [table["a"], table["b"]])),
        ]
    )

    def value(metric: str, by: str = "all", of: str = "all") -> Any:
        figure = found[Key(metric, by, of)]
        return figure.value, figure.n

    assert value("precision") == (3 / 4, 2)
    assert value("recall") == (pytest.approx(7 / 12), 2)
    # the mean of 4/5 and 1/2, not the harmonic mean of the two above
    assert value("F1") == (pytest.approx(13 / 20), 2)
    assert value("recall", "turn", "1") == (pytest.approx(2 / 3), 1)
    assert value("recall", "turn", "3") == (None, 0)
    # single objects stand apart
    assert value("Acc@0.5") == (0, 1)
    assert value("first_box") == value("any_box") == value("several") == (1, 1)
    assert value("Acc@0.5", "turn", "2") == (None, 0)
    assert value("predicted_size") == (2, 3)
    assert value("true_size") == (2, 3)
    assert [value("true_size", "tracked_turn", turn)[0] for turn in "123"] == [3, 2, 1]
    assert [value("predicted_size", "tracked_turn", turn)[0] for turn in "123"] == [2, 2, 2]
    # abc at the second turn: two of three
    assert value("precision", "baseline", "first_turn") == (pytest.approx(2 / 3), 1)
    # the cups: all, then two of three
    assert value("precision", "baseline", "category") == (pytest.approx(5 / 6), 2)
    assert value("Acc@0.5", "baseline", "all_boxes") == (0, 1)


# how an answer was read, its boxes: unreadable, refused, nothing, over the limit, of no target
ANSWERS: dict[str, tuple[str, int, tuple[float, float, float, float, float]]] = {
    "boxes": ("json", 2, (0, 0, 0, 0, 0)),
    "boxes in another unit": ("json, fractions", 2, (0, 0, 0, 0, 0)),
    "says that there is none": ("none", 0, (0, 0, 1, 0, 1)),
    # neither is a right answer where nothing is meant, although no box was given
    "would not look": ("declined", 0, (0, 1, 0, 0, 0)),
    "cannot be read": ("unread", 0, (1, 0, 0, 0, 0)),
    "an unknown route without a box": ("", 0, (1, 0, 0, 0, 0)),
    "fifteen boxes": ("json", 15, (0, 0, 0, 0, 0)),
    "sixteen boxes": ("json", 16, (0, 0, 0, 1, 0)),
}


@pytest.mark.parametrize("case", ANSWERS)
def test_answers_without_boxes_are_counted_apart(
    case: str, sample_of: Make, answer_of: Answer
) -> None:
    read_by, boxes, wanted = ANSWERS[case]
    sample = sample_of("")  # nothing is meant
    given = [(30.0 * at, 50.0, 9.0, 9.0) for at in range(boxes)]
    found = scored([(sample, answer_of(sample, given, read_by=read_by))])
    names = ("unreadable", "refused", "nothing", "over_limit", "no_target")
    assert tuple(found[Key(name)].value for name in names) == wanted
    # apart from precision and recall, of which there are none
    assert [found[Key(name)].n for name in ("precision", "recall", "F1", "Acc@0.5")] == [0] * 4
    assert found[Key("precision", "baseline", "all_boxes")].n == 0


def test_no_answer_is_a_wrong_one(sample_of: Make, answer_of: Answer) -> None:
    for read_by in ("none", "declined", "unread"):
        single, several = sample_of("a"), sample_of("ab", dialogue="e")
        found = scored([(one, answer_of(one, read_by=read_by)) for one in (single, several)])
        assert [found[Key(name)].value for name in ("Acc@0.5", "recall", "F1")] == [0, 0, 0]
        assert found[Key("precision")] == Figure(
            key=Key("precision"), value=0.0, low=None, high=None, n=1
        )
        assert found[Key("several")].value == 0
        assert found[Key("no_target")].value is None


def test_a_cut_answer_is_told(sample_of: Make, answer_of: Answer, table: dict[str, Box]) -> None:
    sample = sample_of("a")
    found = scored([(sample, answer_of(sample, [table["a"]], status="truncated"))])
    # what was read of it counts
    assert (found[Key("truncated")].value, found[Key("Acc@0.5")].value) == (1, 1)


def test_a_selection_goes_by_ids(sample_of: Make, answer_of: Answer, table: dict[str, Box]) -> None:
    sample = sample_of("ab")
    # the boxes of a selection are there, too, and are not looked at
    answer = answer_of(sample, [table["p"]], chosen=["a", "c"])
    found = scored([(sample, answer)], is_given=True)
    assert [found[Key(name)].value for name in ("precision", "recall")] == [1 / 2, 1 / 2]


@given(st.data())
def test_figures_are_those_of_the_definitions(
    sample_of: Make, answer_of: Answer, table: dict[str, Box], data: st.DataObject
) -> None:
    some = st.lists(st.sampled_from("abcp"), unique=True)
    drawn = data.draw(
        st.lists(st.tuples(some, some, st.integers(1, 3)), min_size=1, max_size=6), "samples"
    )
    pairs = []
    for number, (true, predicted, turn) in enumerate(drawn):
        sample = sample_of("".join(true), turn=turn, dialogue=f"d{number}")
        boxes = [table[name] for name in predicted]
        pairs.append((sample, answer_of(sample, boxes, read_by="json" if boxes else "none")))
    found = scored(pairs)
    sets = [(set(true), set(predicted)) for true, predicted, _ in drawn if len(true) > 1]
    singles = [(true, predicted) for true, predicted, _ in drawn if len(true) == 1]
    wanted: dict[str, list[float]] = {
        "precision": [len(t & p) / len(p) if p else 0 for t, p in sets],
        "recall": [len(t & p) / len(t) for t, p in sets],
        "F1": [2 * len(t & p) / (len(t) + len(p)) for t, p in sets],
        "Acc@0.5": [t == p for t, p in singles],
        "first_box": [t == p[:1] for t, p in singles],
        "any_box": [t[0] in p for t, p in singles],
        "several": [len(p) > 1 for _, p in singles],
        "no_target": [not predicted for true, predicted, _ in drawn if not true],
        "predicted_size": [len(predicted) for _, predicted, _ in drawn],
    }
    for metric, values in wanted.items():
        mean = fmean(values) if values else None
        assert found[Key(metric)].value == (None if mean is None else pytest.approx(mean))
        assert found[Key(metric)].n == len(values)
