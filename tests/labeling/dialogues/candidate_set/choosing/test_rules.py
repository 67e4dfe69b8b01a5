import math
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchwright.boxes import Box
from benchwright.errors import UsageError
from benchwright.records import BoxOfPicture, Item, SceneObject
from labeling.dialogues.candidate_set.choosing.choice import Choice
from labeling.dialogues.candidate_set.choosing.rules import (
    FilterSettings,
    category_of,
    choice_of,
    counts_any_category,
    rivals,
    size_ratio,
)
from stand_ins.dialogues import spoken_about

LEFT: Box = (0.0, 0.0, 10.0, 10.0)


def box(name: str, category: str | None, wide: float = 10.0) -> BoxOfPicture:
    return BoxOfPicture(box_id=name, category=category, bbox=(0.0, 0.0, wide, 10.0))


def scene(*objects: tuple[str, Box], target: Box | None = LEFT, **more: Any) -> Item:
    """Return a picture with objects, of which the dialogue means the one at ``target``."""
    found = tuple(
        SceneObject(
            object_id=str(number),
            category=category,
            bbox=bbox,
            area=bbox[2] * bbox[3],
            is_crowd=category.startswith("many"),
            is_occluded=None,
            is_truncated=None,
            attributes=(),
            mask=None,
        )
        for number, (category, bbox) in enumerate(objects)
    )
    return spoken_about(candidates=[], target=target, objects=found, **more)


def at(x: float, wide: float = 10.0) -> Box:
    return (x, 0.0, wide, 10.0)


def judged(item: Item, **settings: Any) -> Choice:
    return choice_of(item, item.dialogues[0], FilterSettings(**settings))


@pytest.mark.parametrize(
    ("target", "names"),
    [
        # the same category, and what has none and may be of it
        ("1", ["1", "2", "4"]),
        ("3", ["3", "4"]),
        # the target has no category, so that all may be of its
        ("4", ["1", "2", "3", "4"]),
        # nobody says what is meant
        (None, ["1", "2", "3", "4"]),
    ],
)
def test_rivals_may_be_of_the_targets_category(target: str | None, names: list[str]) -> None:
    boxes = [box("1", "cup"), box("2", "cup"), box("3", "dog"), box("4", None)]
    assert [each.box_id for each in rivals(boxes, target)] == names
    assert category_of(boxes, target) == {"1": "cup", "3": "dog"}.get(target or "")


@pytest.mark.parametrize(
    ("widths", "ratio"),
    [
        ([], None),
        ([5.0], 1.0),
        ([5.0, 20.0, 10.0], 4.0),
        # a box without area is as far apart as can be
        ([0.0, 5.0], math.inf),
        ([0.0, 0.0], math.inf),
    ],
)
def test_size_ratio(widths: list[float], ratio: float | None) -> None:
    assert size_ratio([box("1", None, wide) for wide in widths]) == ratio


@given(st.lists(st.floats(0.5, 1000), min_size=1), st.randoms(use_true_random=False))
def test_size_ratio_is_that_of_any_order(widths: list[float], chance: Any) -> None:
    boxes = [box("1", None, wide) for wide in widths]
    ratio = size_ratio(boxes)
    chance.shuffle(boxes)
    assert ratio is not None
    assert ratio >= 1
    assert size_ratio(boxes) == ratio


CUPS = [("cup", at(20.0 * number)) for number in range(16)]


@pytest.mark.parametrize(
    ("item", "reason"),
    [
        (scene(*CUPS[:2]), None),
        (scene(*CUPS[:2], image=None), "no_picture"),
        (scene(*CUPS[:2], lines=[]), "no_line"),
        (scene(*CUPS[:2], target=None), "no_target"),
        # the target alone, or beside others: nobody would ask which
        (scene(CUPS[0]), "no_ambiguity"),
        (scene(CUPS[0], ("dog", at(20)), ("dog", at(40))), "no_ambiguity"),
        # the source has no box but the target's: no threshold helps
        (spoken_about(candidates=[]), "no_candidate_boxes"),
        (scene(("many cups", at(20))), "no_candidate_boxes"),
        (spoken_about(candidates=[], target=None), "no_target"),
        # a crowd is no box
        (scene(CUPS[0], ("many cups", at(20))), "no_ambiguity"),
        # without categories all boxes count
        (spoken_about(), None),
        (spoken_about(candidates=[LEFT], target=LEFT), "no_ambiguity"),
        # the target is no object of the picture, so that its category is not known
        (scene(("dog", at(50)), ("tree", at(70))), None),
        # 15 boxes are still kept, 16 are not, whatever they are of
        (scene(*CUPS[:15]), None),
        (scene(*CUPS), "too_many_boxes"),
        (scene(*CUPS[:2], *(("dog", bbox) for _, bbox in CUPS[2:])), "too_many_boxes"),
        # a hundred times the area is still kept
        (scene(("cup", LEFT), ("cup", at(20, 1000))), None),
        (scene(("cup", LEFT), ("cup", at(20, 1000.1))), "sizes_apart"),
        # the table is not what might be meant
        (scene(*CUPS[:2], ("table", at(0, 5000))), None),
        # the first rule that is broken is the reason
        (scene(*CUPS, target=None, image=None), "no_picture"),
        (scene(*CUPS, lines=[], target=None), "no_line"),
        (scene(CUPS[0], *(("dog", bbox) for _, bbox in CUPS[1:])), "no_ambiguity"),
        (scene(*CUPS[:15], ("cup", at(500, 5000))), "too_many_boxes"),
    ],
)
def test_dialogues_are_left_out_for_the_first_rule_they_break(
    item: Item, reason: str | None
) -> None:
    assert judged(item).reason == reason


@pytest.mark.parametrize(
    ("settings", "reason"),
    [
        ({"most_boxes": 3}, None),
        ({"most_boxes": 2}, "too_many_boxes"),
        ({"fewest_of_category": 3}, None),
        ({"fewest_of_category": 4}, "no_ambiguity"),
        ({"size_ratio": 2}, None),
        ({"size_ratio": 1.9}, "sizes_apart"),
    ],
)
def test_thresholds_are_settings(settings: dict[str, float], reason: str | None) -> None:
    item = scene(*CUPS[:2], ("cup", at(60, 20)))
    assert judged(item, **settings).reason == reason


def test_what_it_was_judged_by_is_kept() -> None:
    item = scene(*CUPS[:2], ("cup", at(60, 40)), ("dog", at(90, 90)))
    assert judged(item) == Choice(
        dialogue_id="d1",
        image_id=item.image_id,
        boxes=4,
        category="cup",
        of_category=3,
        size_ratio=4.0,
        reason=None,
    )


def test_thresholds_that_keep_nothing_are_refused() -> None:
    with pytest.raises(UsageError, match="--most-boxes 3 is under --fewest-of-category 4"):
        FilterSettings(most_boxes=3, fewest_of_category=4)


def test_what_counted_boxes_of_any_category() -> None:
    assert not counts_any_category(judged(scene(*CUPS[:2])))
    assert counts_any_category(judged(spoken_about()))
    one_box = spoken_about(candidates=[LEFT], target=LEFT)
    assert counts_any_category(judged(one_box))
    # here nobody counted
    assert not counts_any_category(judged(spoken_about(candidates=[])))
    assert not counts_any_category(judged(replace(one_box, image=None)))
