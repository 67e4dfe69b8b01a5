"""Segmentations of COCO, in all their shapes, as one compressed RLE in the annotation's frame.

pycocotools draws them, but it takes on trust what it is given: run lengths that do not add up make
it write past its memory, a polygon of four numbers is a box to it, and a coordinate of a billion
asks for gigabytes. So all of it is looked at here first.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from pycocotools import mask as coco_mask

from benchwright.boxes import Box, from_corners
from builders import masks
from builders.coco.values import number_of, numbers_of, whole_of

_REACH = 10  # pictures' lengths that a polygon may lie outside of its picture


@dataclass(frozen=True, slots=True, kw_only=True)
class Drawn:
    """A segmentation that was drawn: its RLE and its box, and what of it could not be used.

    ``faults`` are reason codes with a message each. The box may reach out of the picture.
    """

    mask: str | None = None
    box: Box | None = None
    faults: tuple[tuple[str, str], ...] = ()


def draw(segmentation: Any, width: int, height: int) -> Drawn:
    """Return the mask of a segmentation in a picture of this size in pixels.

    It may be missing, empty, a flat list, a list of polygons or of points, an RLE of either kind,
    or a list of RLEs. What is wrong in it is left out and named in the faults.
    """
    rles: list[dict[str, Any]] = []
    corners: list[Box] = []
    faults: list[tuple[str, str]] = []
    for part in _parts(segmentation):
        try:
            if isinstance(part, dict):
                rle = _rle(part, width, height)
                x, y, wide, high = (float(one) for one in coco_mask.toBbox(rle))
                corners += [(x, y, x + wide, y + high)] if wide > 0 else []
            else:
                points = _polygon(part, width, height)
                rle = coco_mask.frPyObjects([list(points)], height, width)[0]
                xs, ys = points[0::2], points[1::2]
                corners.append((min(xs), min(ys), max(xs), max(ys)))
            rles.append(rle)
        except _Unusable as fault:
            faults.append((fault.reason, str(fault)))
        except RecursionError:
            faults.append(("bad_mask", "a segmentation nested too deeply"))
    if not rles:
        return Drawn(faults=tuple(faults))
    merged = coco_mask.merge(rles) if len(rles) > 1 else rles[0]
    mask: str = merged["counts"].decode("ascii")
    if masks.mask_area(mask, width, height) == 0:
        faults.append(("empty_mask", "the segmentation covers no pixel"))
        return Drawn(box=_around(corners), faults=tuple(faults))
    return Drawn(mask=mask, box=_around(corners), faults=tuple(faults))


def rle_size(segmentation: Any) -> tuple[int, int] | None:
    """Return the width and height that an RLE states, None for other segmentations."""
    for part in _parts(segmentation):
        if isinstance(part, dict):
            size = part.get("size")
            if isinstance(size, list) and len(size) == 2:
                height, width = whole_of(size[0]), whole_of(size[1])
                if height is not None and width is not None and height > 0 and width > 0:
                    return width, height
    return None


class _Unusable(Exception):
    def __init__(self, reason: str, message: str) -> None:
        super().__init__(message)
        self.reason = reason


def _parts(segmentation: Any) -> Iterator[Any]:
    """Yield the polygons (lists) and RLEs (dicts), and whatever else stands there."""
    if segmentation is None or segmentation in ([], {}, ""):
        return
    if isinstance(segmentation, list) and not _is_one(segmentation):
        yield from (part for part in segmentation if part not in ([], {}, None))
    else:
        yield segmentation


def _is_one(value: list[Any]) -> bool:
    """Tell whether a list is one polygon: flat, or of points."""
    return number_of(value[0]) is not None or _is_points(value)


def _is_points(value: list[Any]) -> bool:
    return len(value) >= 3 and all(
        isinstance(one, list) and len(one) == 2 and numbers_of(one) is not None for one in value
    )


def _polygon(part: Any, width: int, height: int) -> tuple[float, ...]:
    if isinstance(part, list) and _is_points(part):
        part = [coordinate for point in part for coordinate in point]
    points = numbers_of(part)
    if points is None:
        raise _Unusable("bad_polygon", "a polygon that is no list of finite numbers")
    if len(points) < 6 or len(points) % 2:
        raise _Unusable("bad_polygon", f"a polygon of {len(points)} numbers; x and y of 3 at least")
    if max(map(abs, points)) > _REACH * max(width, height):
        raise _Unusable("bad_polygon", f"a polygon that reaches {max(map(abs, points)):g} pixels")
    return points


def _rle(part: dict[str, Any], width: int, height: int) -> dict[str, Any]:
    size = part.get("size")
    wanted = [height, width]
    if not isinstance(size, list) or [whole_of(one) for one in size] != wanted:
        raise _Unusable("mask_size", f"an RLE of the size {str(size)[:40]}; {wanted} was wanted")
    wholes = [whole_of(one) for one in _runs(part.get("counts"))]
    lengths = [one for one in wholes if one is not None and one >= 0]
    if not lengths or len(lengths) != len(wholes):
        raise _Unusable("bad_mask", "an RLE whose counts are no run lengths")
    total = sum(lengths)
    if total != width * height:
        raise _Unusable("bad_mask", f"an RLE of {total} pixels for a picture of {width * height}")
    packed = masks.from_counts(_even(lengths), width, height)
    return {"size": wanted, "counts": packed.encode("ascii")}


def _runs(counts: Any) -> list[Any]:
    try:
        runs = masks.unpack(counts) if isinstance(counts, str) else counts
    except ValueError as error:
        raise _Unusable("bad_mask", f"an RLE whose counts are {error}") from error
    return runs if isinstance(runs, list) else []


def _even(runs: list[int]) -> list[int]:
    """Return runs of one spelling: none is empty but the first, where the mask begins with 1."""
    even: list[int] = []
    kind = 1  # of the last run
    for place, run in enumerate(runs):
        if run == 0:
            continue
        if even and kind == place % 2:
            even[-1] += run
            continue
        if not even and place % 2:
            even.append(0)
        even.append(run)
        kind = place % 2
    return even


def _around(corners: list[Box]) -> Box | None:
    if not corners:
        return None
    x1, y1, x2, y2 = zip(*corners, strict=True)
    return from_corners(min(x1), min(y1), max(x2), max(y2))
