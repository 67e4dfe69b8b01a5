"""What a voter is shown of a subject: the whole, parts that overlap, an object with its context."""

from benchwright.asking.requests import PicturePart, View
from benchwright.boxes import Box
from labeling.attributes.voting.ensemble import ViewSettings
from labeling.attributes.voting.subjects import Subject


def shown(subject: Subject, settings: ViewSettings, context: float) -> tuple[PicturePart, ...]:
    """Return the pictures of one view, in reading order.

    ``context`` is what is shown around an object's box, as a share of its sides, as far as the
    picture goes.
    """
    region = _region(subject, context)
    if settings.tiles is None:
        crop = None if subject.bbox is None else region
        return (_part(subject, crop, settings),)
    return tuple(
        _part(subject, tile, settings) for tile in tiles(region, settings.tiles, settings.overlap)
    )


def tiles(region: Box, across: int, overlap: float) -> list[Box]:
    """Return ``across`` x ``across`` equal parts of a region, row by row, that cover it.

    Neighbours share ``overlap`` of a part's side.
    """
    left, top, width, height = region
    wide, high = (side / (across - (across - 1) * overlap) for side in (width, height))
    step_x, step_y = wide * (1 - overlap), high * (1 - overlap)
    return [
        (left + column * step_x, top + row * step_y, wide, high)
        for row in range(across)
        for column in range(across)
    ]


def _region(subject: Subject, context: float) -> Box:
    if subject.bbox is None:
        return (0.0, 0.0, float(subject.width), float(subject.height))
    x, y, width, height = subject.bbox
    left, top = max(0.0, x - context * width), max(0.0, y - context * height)
    right = min(float(subject.width), x + (1 + context) * width)
    bottom = min(float(subject.height), y + (1 + context) * height)
    return (left, top, right - left, bottom - top)


def _part(subject: Subject, crop: Box | None, settings: ViewSettings) -> PicturePart:
    """Return what is shown; views that would show the same of a small picture are one call."""
    longest = max(subject.width, subject.height) if crop is None else max(crop[2:])
    bounds = settings.long_side is not None and settings.long_side < longest
    view = View(crop=crop, long_side=settings.long_side if bounds else None)
    return PicturePart(sha256=subject.sha256, path=subject.path, view=view)
