"""Pictures with numbered boxes drawn on them, as models see them; kept in the workspace."""

import io
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from PIL import Image, ImageDraw

from benchwright import files, store
from benchwright.asking.requests import PicturePart
from benchwright.asking.tokens import Size
from benchwright.boxes import Box, intersection
from benchwright.records import BoxOfPicture
from benchwright.thumbnails import read_stored
from benchwright.workspace import Workspace
from labeling.dialogues.candidate_set.proposing.digits import drawn_number
from labeling.dialogues.stored import dialogues_folder

SIDE = 1280  # pixels of the longer side, at most
_WAY = 1  # of drawing: another one makes other files
_QUALITY = 90
_COLOURS = (  # easily told apart, on each other and on photographs; dark ink on the light ones
    ((230, 25, 75), False),
    ((60, 220, 80), True),
    ((255, 225, 25), True),
    ((40, 90, 230), False),
    ((245, 130, 48), True),
    ((145, 30, 180), False),
    ((70, 240, 240), True),
    ((240, 50, 230), False),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class NumberedPicture:
    """A picture of the catalog and its boxes; ``size`` is its width and height in pixels."""

    path: Path
    size: Size
    boxes: tuple[BoxOfPicture, ...]

    def drawn_size(self) -> Size:
        """Return width and height of what is drawn."""
        longest = max(self.size)
        if longest <= SIDE:
            return self.size
        width, height = (max(1, round(side * SIDE / longest)) for side in self.size)
        return width, height

    def drawn_boxes(self) -> list[Box]:
        """Return where the boxes are in what is drawn."""
        across, down = (new / old for new, old in zip(self.drawn_size(), self.size, strict=True))
        return [
            (x * across, y * down, width * across, height * down)
            for x, y, width, height in (box.bbox for box in self.boxes)
        ]


def numbered_folder(workspace: Workspace) -> Path:
    """Return where pictures with numbers are kept."""
    return dialogues_folder(workspace, "candidate-set") / "numbered"


def kept_picture(
    workspace: Workspace, numbered: NumberedPicture, drawn_in: Path | None = None
) -> PicturePart:
    """Return the part of a message that shows a picture with its numbers, drawn once.

    One that is not kept yet is drawn in ``drawn_in``, where that is given, and not kept.

    A file is named by what is drawn, not by its bytes: with another version of a library the
    picture that was sent before is sent again, and its answers are not bought twice.

    Raises LostPicture where the picture is gone or another.
    """
    path = _path(workspace, numbered)
    if not path.is_file() and drawn_in is not None:
        path = drawn_in / path.name
    if not path.is_file():
        with read_stored(numbered.path) as picture:
            data = _encoded(draw_numbers(picture, numbered))
        path.parent.mkdir(parents=True, exist_ok=True)
        files.write_bytes(path, data)
    return PicturePart(sha256=files.sha256_of(path), path=path)


def draw_numbers(picture: Image.Image, numbered: NumberedPicture) -> Image.Image:
    """Return an upright picture with a frame and a number for each box, the longer side SIDE.

    A tag lies at a corner of its box, where it hides none of the tags before it.
    """
    shown = picture.convert("RGB")
    if shown.size != numbered.drawn_size():
        shown = shown.resize(numbered.drawn_size(), Image.Resampling.LANCZOS)
    pen = ImageDraw.Draw(shown)
    thick = max(2, round(max(shown.size) / 400))
    dot = max(2, round(max(shown.size) / 350))
    drawn = numbered.drawn_boxes()
    for place, (x, y, width, height) in enumerate(drawn):
        colour, _ = _COLOURS[place % len(_COLOURS)]
        corners = (round(x), round(y), round(x + width), round(y + height))
        pen.rectangle(corners, outline=colour, width=thick)
    tags: list[Box] = []
    for place, (box, known) in enumerate(zip(drawn, numbered.boxes, strict=True)):
        colour, is_light = _COLOURS[place % len(_COLOURS)]
        mask = drawn_number(known.box_id, dot)
        tag = _free_place(box, mask.size, shown.size, tags)
        tags.append(tag)
        at = round(tag[0]), round(tag[1])
        shown.paste(colour, (*at, at[0] + mask.width, at[1] + mask.height))
        shown.paste((0, 0, 0) if is_light else (255, 255, 255), at, mask)
    return shown


def _free_place(box: Box, tag: Size, picture: Size, taken: Sequence[Box]) -> Box:
    """Return where a tag goes: the first of its places that hides least of the others."""
    x, y, width, height = box
    wide, high = tag
    right, below = x + width - wide, y + height - high
    corners = [(x, y - high), (x, y), (right, y - high), (right, y), (x, below), (right, below)]
    places = [
        (
            float(min(max(0, round(left)), max(0, picture[0] - wide))),
            float(min(max(0, round(top)), max(0, picture[1] - high))),
            float(wide),
            float(high),
        )
        for left, top in corners
    ]
    return min(places, key=lambda place: sum(intersection(place, other) for other in taken))


def _encoded(image: Image.Image) -> bytes:
    stream = io.BytesIO()
    image.save(stream, "JPEG", quality=_QUALITY, subsampling="4:4:4")
    return stream.getvalue()


def _path(workspace: Workspace, numbered: NumberedPicture) -> Path:
    boxes = [[box.box_id, *box.bbox] for box in numbered.boxes]
    said = [_WAY, SIDE, _QUALITY, numbered.path.name, boxes]
    return numbered_folder(workspace) / f"{store.digest_of(said)[:32]}.jpg"
