"""Whether the boxes of a source are corners, as they are read, or x, y, width, height."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from PIL import Image

from benchwright.errors import UsageError
from builders.invig.draft import Corners, Draft
from builders.invig.finding import Place
from builders.invig.gathering import Placed, SourceRead
from builders.invig.rows import Rows

Size = tuple[int, int]

_SLACK = 0.002  # of a side: a rounding, and thousandths


def has_bad_boxes(read: SourceRead) -> bool:
    """Tell whether a source has a box that is no corners."""
    return bool(_bad(read))


def check_corners(
    rows: Rows, read: SourceRead, other: SourceRead, places: Mapping[str, Place]
) -> None:
    """Raise UsageError where the boxes of a source are x, y, width, height beyond doubt.

    ``other`` is the source read so, ``places`` are its pictures. Some box must be no corners, and
    every box must lie in its picture as x, y, width, height; what is a box in neither way tells
    nothing. Corners that are read so leave the picture soon; where sizes are not known, half of
    the dialogues must have a bad box.
    """
    bad, still_bad = _bad(read), _bad(other)
    mended, total = len(bad - still_bad), read.tally.dialogues
    if still_bad - bad or not mended or not other.placed:
        return
    sizes = {
        one.draft.picture.source_id: _size(places.get(one.draft.picture.source_id))
        for one in other.placed
    }
    is_known = True
    for one in other.placed:
        size = one.draft.size or sizes[one.draft.picture.source_id]
        limits = (1.0, 1.0) if one.draft.is_relative else size
        is_known = is_known and limits is not None
        if not all(_fits(box, limits) for box in _boxes(one.draft)):
            return
    if is_known or 2 * mended >= total:
        raise UsageError(
            f"{rows.name}: {mended} of {total} dialogues have a box that is no x0, y0, x1, y1, and"
            " as x, y, width, height all boxes lie in their pictures; give --boxes xywh, or --boxes"
            " corners where those are mistakes"
        )


def _bad(read: SourceRead) -> set[tuple[int | None, str | None]]:
    """Return the dialogues that have a box which cannot be read, by row and id."""
    refused = {(one.row, one.source_id) for one in read.rejects if one.reason == "bad_box"}
    return refused | {(one.row, one.draft.dialogue_id) for one in read.placed if _drops(one)}


def _drops(one: Placed) -> bool:
    return any(reason == "candidate_dropped" for reason, _ in one.draft.changes)


def _boxes(draft: Draft) -> Sequence[Corners]:
    return (draft.target, *draft.candidates)


def _fits(box: Corners, limits: tuple[float, float] | None) -> bool:
    """Tell whether a box lies in a picture; without limits, whether it may."""
    if limits is None:
        return min(box) >= 0
    across, down = limits[0] * _SLACK, limits[1] * _SLACK
    return (
        box[0] >= -across
        and box[1] >= -down
        and box[2] <= limits[0] + across
        and box[3] <= limits[1] + down
    )


def _size(place: Place | None) -> Size | None:
    """Return the size of a picture as it is stored, None where it has no file that says it."""
    if not isinstance(place, Path):
        return None
    try:
        with Image.open(place) as image:
            return image.size
    except (OSError, ValueError, Image.DecompressionBombError):
        return None
