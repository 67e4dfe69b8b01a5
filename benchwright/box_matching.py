"""Boxes of two sets as pairs, one to one, and what a predicted set is worth (CandVG, section 4)."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.optimize import linear_sum_assignment

from benchwright.boxes import Box

THRESHOLD = 0.5  # IoU from which two boxes may be a pair
# sides in decimals are rounded, and so is an overlap that is the threshold itself
_ROUNDED = 1e-12

Reals = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True)
class BoxPair:
    """A pair: the places, from 0, of its boxes in the first and the second set, and their IoU."""

    first: int
    second: int
    iou: float


@dataclass(frozen=True, slots=True, kw_only=True)
class SetScore:
    """Precision, recall and F1 of one predicted set, or their means over sets; each 0 to 1."""

    precision: float
    recall: float
    f1: float


def match_boxes(
    first: Sequence[Box], second: Sequence[Box], threshold: float = THRESHOLD
) -> list[BoxPair]:
    """Return the one-to-one matching with the most pairs, then with the largest total IoU.

    Pairs have an IoU of ``threshold`` (above 0) or more and come in the order of ``first``. An
    assignment on IoU alone with a threshold after it can lose pairs: here one more pair outweighs
    any sum of IoUs. Boxes without area are in no pair.

    Raises ValueError for a box of which a number, or the area, is not finite.
    """
    if not first or not second:
        return []
    overlaps = ious(first, second)
    may_be_pair = overlaps >= threshold - _ROUNDED
    most = min(overlaps.shape)  # no sum of IoUs is more
    worth = np.where(may_be_pair, most + 1 + overlaps, 0.0)
    rows, columns = linear_sum_assignment(worth, maximize=True)
    return [
        BoxPair(first=int(row), second=int(column), iou=float(overlaps[row, column]))
        for row, column in zip(rows, columns, strict=True)
        if may_be_pair[row, column]
    ]


def ious(first: Sequence[Box], second: Sequence[Box]) -> Reals:
    """Return the IoU of each box with each, (first, second), 0 where neither has an area.

    Raises ValueError for a box of which a number, or the area, is not finite.
    """
    near, far, areas = _corners(first)
    others_near, others_far, others_areas = _corners(second)
    sides = np.minimum(far[:, None], others_far) - np.maximum(near[:, None], others_near)
    shared = np.maximum(sides, 0.0).prod(axis=2)
    union = areas[:, None] + others_areas - shared
    found: Reals = np.divide(shared, union, out=np.zeros_like(shared), where=union > 0)
    return found


def score_set(predicted: Sequence[Box], true: Sequence[Box]) -> SetScore:
    """Return what a predicted set is worth beside the true one; none predicted is 0, 0, 0.

    Of boxes that are predicted twice one is a pair at most, and each counts in the precision.
    Raises ValueError where no box is true, and as ``match_boxes`` does.
    """
    if not true:
        raise ValueError("a set is scored against one true box or more")
    matched = len(match_boxes(predicted, true))
    return SetScore(
        precision=matched / len(predicted) if predicted else 0.0,
        recall=matched / len(true),
        f1=2 * matched / (len(predicted) + len(true)),
    )


def _corners(boxes: Sequence[Box]) -> tuple[Reals, Reals, Reals]:
    """Return the near and far corners (boxes, 2) and the areas (boxes,)."""
    table = np.asarray(boxes, float).reshape(-1, 4)
    sides = np.maximum(table[:, 2:], 0.0)
    with np.errstate(over="ignore"):
        areas: Reals = sides.prod(axis=1)
    if not (np.isfinite(table).all() and np.isfinite(areas).all()):
        worst = int(np.argmin(np.isfinite(table).all(axis=1) & np.isfinite(areas)))
        raise ValueError(f"{list(boxes[worst])} is no box: wanted four finite numbers")
    return table[:, :2], table[:, :2] + sides, areas
