"""Dialogues about boxes of COCO, in a layout of InViG: real boxes, scripted words.

Each is about a box of which there are two or more of its category: it names the category, then
the half of the picture, then the one.
"""

import json
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

Corners = tuple[float, float, float, float]
_MOST = 12  # boxes of a picture with a dialogue; the filter keeps no more than 15
_APART = 20.0  # times that the largest of a category may be larger than the smallest


def write_dialogues(annotations: Sequence[Path], pictures: set[str], path: Path) -> int:
    """Write a dialogue for each picture that allows one; return how many there are.

    ``pictures`` are the names of those whose files are here.
    """
    rows = [row for source in annotations for row in _rows(source, pictures)]
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows), "utf-8")
    return len(rows)


def _rows(source: Path, pictures: set[str]) -> Iterator[dict[str, Any]]:
    told = json.loads(source.read_text("utf-8"))
    named = {one["id"]: one["name"] for one in told["categories"]}
    things: dict[int, list[dict[str, Any]]] = defaultdict(list)
    for one in told["annotations"]:
        if not one["iscrowd"]:
            things[one["image_id"]].append(one)
    for image in told["images"]:
        name = Path(image["file_name"]).name
        some = things[image["id"]]
        target = _target(some)
        if name in pictures and target is not None and len(some) <= _MOST:
            yield _row(image, name, some, target, named)


def _target(things: Sequence[dict[str, Any]]) -> int | None:
    """Return the place of the largest box that is not alone in its category."""
    rivals: dict[int, list[float]] = defaultdict(list)
    for one in things:
        rivals[one["category_id"]].append(one["bbox"][2] * one["bbox"][3])
    may_be = [
        place
        for place, one in enumerate(things)
        if len(sizes := rivals[one["category_id"]]) > 1 and max(sizes) < _APART * min(sizes)
    ]
    return max(may_be, key=lambda place: float(things[place]["area"]), default=None)


def _row(
    image: dict[str, Any],
    name: str,
    things: Sequence[dict[str, Any]],
    target: int,
    named: dict[int, str],
) -> dict[str, Any]:
    boxes = [_corners(one["bbox"]) for one in things]
    category = named[things[target]["category_id"]]
    left, _, right, _ = boxes[target]
    half = "left" if left + right < image["width"] else "right"
    return {
        "id": f"d{image['id']}",
        "dialog": [
            ["", f"Could you look at the {category}?"],
            ["Which one do you mean?", f"The one in the {half} half."],
            ["Is it the largest there?", "Yes, that one."],
        ],
        "bbox": boxes[target],
        "raw_target": [target],
        "raw_anns": json.dumps(
            [
                {"bbox": box, "category": named[one["category_id"]]}
                for one, box in zip(things, boxes, strict=True)
            ]
        ),
        "image_path": name,
    }


def _corners(box: Sequence[float]) -> Corners:
    x, y, width, height = box
    return (x, y, x + width, y + height)
