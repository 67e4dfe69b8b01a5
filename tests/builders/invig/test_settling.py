"""Boxes into pixels of the upright picture."""

from typing import Any

import pytest

from benchwright.records import Change, Item, Reject, Utterance
from builders.invig.draft import Draft, PictureName, Unfit
from builders.invig.gathering import Placed, gather
from builders.invig.settling import Settler, settled
from builders.outcomes import Outcome

SAID = (Utterance(speaker="human", text="the cup."),)


def placed(
    target: Any, *, relative: bool = False, size: Any = None, candidates: Any = (), **more: Any
) -> Placed:
    draft = Draft(
        dialogue_id="d", picture=PictureName(source_id="p"), utterances=SAID, target=target,
        candidates=candidates, is_relative=relative, size=size,
        categories=more.get("categories", ()),
    )  # fmt: skip
    return Placed(
        draft=draft, dialogue_id=more.get("dialogue_id", "d"), row=1, path="f", where="f, line 1",
        split=None, folder=None,
    )  # fmt: skip


def outcome(width: int, height: int, orientation: int = 1) -> Outcome:
    return Outcome(image="x", sha256="x", width=width, height=height, orientation=orientation)


WIDE = (10.0, 20.0, 40.0, 30.0)  # corners in a stored picture of 100 x 50
# (corners, shares?, size stated, upright size, orientation undone, box, changes)
CASES = [
    (WIDE, False, None, (100, 50), 1, (10, 20, 30, 10), []),
    (WIDE, False, (100, 50), (100, 50), 1, (10, 20, 30, 10), []),
    ((0.1, 0.4, 0.4, 0.6), True, None, (100, 50), 1, (10, 20, 30, 10), []),
    # stored on its side: no size, so the frame is the stored one, as in Open Images
    (WIDE, False, None, (50, 100), 6, (20, 10, 10, 30), ["turned_upright"]),
    (WIDE, False, (100, 50), (50, 100), 6, (20, 10, 10, 30), ["turned_upright"]),
    ((0.1, 0.4, 0.4, 0.6), True, None, (50, 100), 6, (20, 10, 10, 30), ["turned_upright"]),
    (WIDE, False, None, (50, 100), 8, (20, 60, 10, 30), ["turned_upright"]),
    (WIDE, False, None, (100, 50), 3, (60, 20, 30, 10), ["turned_upright"]),
    # the size says that the boxes are upright already
    ((20, 10, 30, 40), False, (50, 100), (50, 100), 6, (20, 10, 10, 30), []),
    ((0.4, 0.1, 0.6, 0.4), True, (50, 100), (50, 100), 6, (20, 10, 10, 30), []),
    # a smaller copy of the picture
    (WIDE, False, (100, 50), (50, 25), 1, (5, 10, 15, 5), ["scaled"]),
    (WIDE, False, (100, 50), (25, 50), 6, (10, 5, 5, 15), ["scaled", "turned_upright"]),
    ((0.1, 0.4, 0.4, 0.6), True, (1024, 683), (512, 341), 1, (51.2, 136.4, 153.6, 68.2),
     ["scaled"]),  # rounded to the pixel
    # over the edge
    ((-5, 20, 40, 60), False, None, (100, 50), 1, (0, 20, 40, 30), ["clipped"]),
    ((0.0, 0.0, 1.001001, 1.0), True, None, (100, 50), 1, (0, 0, 100, 50), ["clipped"]),
    ((0.0, 0.0, 1.0, 1.0), True, None, (99, 77), 1, (0, 0, 99, 77), []),
    ((-1e308, 0, 1e308, 50), False, None, (100, 50), 1, (0, 0, 100, 50), ["clipped"]),
]  # fmt: skip


@pytest.mark.parametrize(
    ("target", "relative", "size", "upright", "turned", "box", "reasons"), CASES
)
def test_a_box_in_the_picture(
    target: Any, relative: bool, size: Any, upright: Any, turned: int, box: Any, reasons: Any
) -> None:
    one = placed(target, relative=relative, size=size, candidates=(target,))
    dialogue, _, altered = settled(one, outcome(*upright, turned))
    assert dialogue.target_box == pytest.approx(box)
    assert dialogue.candidate_boxes == (dialogue.target_box,)
    assert list(dict.fromkeys(reason for reason, _ in altered)) == reasons


@pytest.mark.parametrize(
    ("target", "relative", "size", "picture", "reason"),
    [
        ((100, 0, 120, 50), False, None, outcome(100, 50), "box_outside"),
        ((1.0, 0.0, 1.2, 0.5), True, None, outcome(100, 50), "box_outside"),
        (WIDE, False, (100, 80), outcome(100, 50), "size_mismatch"),
        ((0.1, 0.1, 0.2, 0.2), True, (100, 80), outcome(100, 50), "size_mismatch"),
        ((0.1, 0.1, 0.2, 0.2), True, None, Outcome(), "no_size"),
        ((200, 0, 220, 50), False, (100, 50), Outcome(), "box_outside"),
    ],
)
def test_a_box_that_has_no_place(
    target: Any, relative: bool, size: Any, picture: Outcome, reason: str
) -> None:
    with pytest.raises(Unfit) as caught:
        settled(placed(target, relative=relative, size=size), picture)
    assert caught.value.reason == reason


def test_without_a_picture_the_stated_size_is_all_there_is() -> None:
    one = placed((0.1, 0.4, 0.4, 0.6), relative=True, size=(100, 50))
    dialogue, _, _ = settled(one, Outcome())
    assert dialogue.target_box == pytest.approx((10, 20, 30, 10))
    dialogue, _, altered = settled(placed((-5.0, 20, 9000, 30)), Outcome())
    assert (dialogue.target_box, altered) == ((-5, 20, 9005, 10), [])  # nothing to clip it by


def test_candidates_outside_are_left_out_and_said() -> None:
    candidates = ((200, 0, 210, 9), WIDE, (300, 0, 310, 9), (90, 40, 110, 60))
    one = placed(WIDE, candidates=candidates)
    gathered = gather([one], "invig")
    item: Item = gathered.entries[0].item
    done = Settler(gathered.held)(item, outcome(100, 50))
    assert done.item is not None
    assert done.item.dialogues[0].candidate_boxes == ((10, 20, 30, 10), (90, 40, 10, 10))
    changes: tuple[Change, ...] = done.changes
    assert [(one.kind, one.source_id, one.reason) for one in changes] == [
        ("dialogue", "d", "candidate_dropped"),
        ("dialogue", "d", "clipped"),
    ]
    assert changes[0].message.endswith("is outside the picture, and 1 more")


def test_boxes_with_a_category_are_objects_of_the_picture() -> None:
    """Each once, in pixels of the picture, whatever dialogue names it."""
    outside, left, right = (200, 0, 210, 9), (10.0, 20.0, 40.0, 30.0), (50.0, 20.0, 90.0, 30.0)
    boxes: dict[str, Any] = {
        "candidates": (outside, left, right),
        "categories": ("dog", "cup", None),
    }
    held = [
        placed(left, dialogue_id="a", **boxes),
        placed(left, dialogue_id="b", candidates=(left, right), categories=("cup", "plate")),
        placed(left, dialogue_id="c", candidates=(left,)),
    ]
    gathered = gather(held, "invig")
    done = Settler(gathered.held)(gathered.entries[0].item, outcome(100, 50))
    assert done.item is not None
    assert [(one.object_id, one.category, one.bbox, one.area) for one in done.item.objects] == [
        ("p#box-1", "cup", (10, 20, 30, 10), 300),
        ("p#box-2", "plate", (50, 20, 40, 10), 400),
    ]
    assert [len(one.candidate_boxes) for one in done.item.dialogues] == [2, 2, 1]


def test_a_picture_without_a_dialogue_left_is_refused() -> None:
    held = [placed((500, 0, 600, 9), dialogue_id=name) for name in "ab"]
    gathered = gather(held, "invig")
    done = Settler(gathered.held)(gathered.entries[0].item, outcome(100, 50))
    assert done.item is None
    rejects: tuple[Reject, ...] = done.rejects
    assert [(one.kind, one.source_id, one.reason) for one in rejects] == [
        ("picture", "p", "no_dialogue"),
        ("dialogue", "a", "box_outside"),
        ("dialogue", "b", "box_outside"),
    ]
