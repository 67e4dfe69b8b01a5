"""What a dialogue must have to be worth marking: pure rules (CandVG, section 3)."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from benchwright.boxes import area
from benchwright.errors import UsageError
from benchwright.records import BoxOfPicture, Dialogue, Item
from labeling.dialogues.candidate_set.choosing.choice import Choice
from labeling.dialogues.candidate_set.numbering import (
    has_candidates,
    numbered_boxes,
    target_of,
)

Reason = Literal[
    "no_picture",
    "no_line",
    "no_target",
    "no_candidate_boxes",
    "no_ambiguity",
    "too_many_boxes",
    "sizes_apart",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class FilterSettings:
    """The thresholds, each of which is still kept.

    ``most_boxes`` of the picture, as many as the paper has; ``fewest_of_category`` boxes that may
    be of the target's category; ``size_ratio`` of the areas of the largest and the smallest of
    those, for which the paper gives no number. Raises UsageError where nothing could be kept.
    """

    most_boxes: int = 15
    fewest_of_category: int = 2
    size_ratio: float = 100.0

    def __post_init__(self) -> None:
        if self.most_boxes < self.fewest_of_category:
            raise UsageError(
                f"--most-boxes {self.most_boxes} is under --fewest-of-category"
                f" {self.fewest_of_category}: no dialogue could be kept; change one of them"
            )


def rivals(boxes: Sequence[BoxOfPicture], target: str | None) -> tuple[BoxOfPicture, ...]:
    """Return the boxes that may be of the target's category, the target's among them.

    A box without a category may be of any; where the target has none, or there is no target, all
    boxes may be of its category.
    """
    category = category_of(boxes, target)
    return tuple(box for box in boxes if category is None or box.category in (category, None))


def category_of(boxes: Sequence[BoxOfPicture], target: str | None) -> str | None:
    """Return the category of the target, null where no source says it."""
    return next((box.category for box in boxes if box.box_id == target), None)


def size_ratio(boxes: Sequence[BoxOfPicture]) -> float | None:
    """Return the area of the largest box over that of the smallest, 1 or more.

    It is infinite where the smallest has no area, and null where there is no box.
    """
    areas = [area(box.bbox) for box in boxes]
    if not areas:
        return None
    return max(areas) / min(areas) if min(areas) > 0 else math.inf


def counts_any_category(choice: Choice) -> bool:
    """Tell whether a target without a category made boxes of any category count."""
    unlooked: tuple[Reason, ...] = ("no_picture", "no_line", "no_target", "no_candidate_boxes")
    return choice.category is None and choice.reason not in unlooked


def choice_of(item: Item, dialogue: Dialogue, settings: FilterSettings) -> Choice:
    """Return what a dialogue is judged by, and the first of the rules that it breaks."""
    boxes = numbered_boxes(item, dialogue)
    target = target_of(boxes, dialogue)
    among = rivals(boxes, target)
    ratio = size_ratio(among)
    reason: Reason | None = None
    if item.image is None:
        reason = "no_picture"
    elif not dialogue.utterances:
        reason = "no_line"
    elif target is None:
        reason = "no_target"
    elif not has_candidates(item, dialogue):
        reason = "no_candidate_boxes"
    elif len(among) < settings.fewest_of_category:
        reason = "no_ambiguity"
    elif len(boxes) > settings.most_boxes:
        reason = "too_many_boxes"
    elif ratio is not None and ratio > settings.size_ratio:
        reason = "sizes_apart"
    return Choice(
        dialogue_id=dialogue.dialogue_id,
        image_id=item.image_id,
        boxes=len(boxes),
        category=category_of(boxes, target),
        of_category=len(among),
        size_ratio=ratio,
        reason=reason,
    )
