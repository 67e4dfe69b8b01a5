"""What can be had without looking."""

from collections.abc import Callable

from benchwright.records import CandidateSet
from evaluation.candidate_set.metrics.baselines import BASELINES, Baselines

Make = Callable[..., CandidateSet]


def test_sets_of_the_release_alone(sample_of: Make) -> None:
    first, later = sample_of("abp"), sample_of("ab", turn=2)
    found = Baselines.of([first, later], seed=0, is_given=False).outcomes(later)
    assert tuple(found) == BASELINES
    # the cups: a, b and c
    assert (found["category"].precision, found["category"].recall) == (2 / 3, 1)
    # a, b, c and p
    assert (found["all_boxes"].precision, found["all_boxes"].recall) == (2 / 4, 1)
    # a, b and p
    assert (found["first_turn"].precision, found["first_turn"].recall) == (2 / 3, 1)
    assert found["random_box"].predicted == 1


def test_the_category_is_that_of_all_true_boxes(sample_of: Make) -> None:
    # cup and plate: all four boxes
    sample = sample_of("ap")
    found = Baselines.of([sample], seed=0, is_given=False).outcomes(sample)
    assert found["category"].predicted == 4


def test_what_has_no_set_is_left_out(sample_of: Make) -> None:
    unknown = sample_of("x", boxes={"x": (None, (0.0, 0.0, 9.0, 9.0))})
    baselines = Baselines.of([unknown], seed=0, is_given=False)
    # nobody says the category; at the first turn nothing can be copied
    assert set(baselines.outcomes(unknown)) == {"all_boxes", "random_box"}
    # a dialogue whose first turn is not in the release
    alone = sample_of("a", turn=2, dialogue="other")
    assert "first_turn" not in baselines.outcomes(alone)
    # a picture without any box, and a sample that means nothing
    assert baselines.outcomes(sample_of("", boxes={})) == {}
    assert "category" not in baselines.outcomes(sample_of(""))


def test_ids_where_boxes_were_given(sample_of: Make) -> None:
    # two boxes of one place: by place both baselines find a pair for each, by ids one alone does
    place = (0.0, 0.0, 9.0, 9.0)
    sample = sample_of("x", boxes={"x": ("cup", place), "y": ("cup", place)})
    by_ids = Baselines.of([sample], seed=0, is_given=True).outcomes(sample)
    by_boxes = Baselines.of([sample], seed=0, is_given=False).outcomes(sample)
    assert (by_ids["all_boxes"].distinct, by_boxes["all_boxes"].distinct) == (2, 1)
    assert by_ids["all_boxes"].matched == 1


def test_the_random_box_depends_on_seed_and_ids_alone(sample_of: Make) -> None:
    samples = [sample_of("a", dialogue=f"d{number}") for number in range(400)]

    def right(seed: int) -> list[bool]:
        baselines = Baselines.of(samples, seed=seed, is_given=False)
        return [baselines.outcomes(one)["random_box"].is_one_right for one in samples]

    assert right(0) == right(0)
    assert right(0) != right(1)
    # one in four, give or take four standard errors
    assert abs(sum(right(0)) / 400 - 1 / 4) < 4 * (1 / 4 * 3 / 4 / 400) ** 0.5
    # the order of the boxes in the record draws no other one
    turned = dict(reversed([(box.box_id, (box.category, box.bbox)) for box in samples[0].boxes]))
    again = [sample_of("a", dialogue=one.dialogue_id, boxes=turned) for one in samples]
    baselines = Baselines.of(again, seed=0, is_given=False)
    assert [baselines.outcomes(one)["random_box"].is_one_right for one in again] == right(0)
