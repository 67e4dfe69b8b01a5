"""The candidate-set protocol (CandVG): its prompt, how boxes are read, its scores.

Boxes are asked for in thousandths of the picture's sides, since a harness may resize a picture and
pixels would then be those of no picture that we know. The matching is that of ``benchwright``.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Any

Row = Mapping[str, Any]  # of the config candidate-set, with width and height of its picture
Box = tuple[float, float, float, float]  # x, y, width, height in pixels

MOST_BOXES = 15  # that are counted, the first ones
_NUMBER = r"\s*(-?\d{1,7}(?:\.\d{1,9})?)\s*"
_CORNERS = re.compile(rf"\[{_NUMBER},{_NUMBER},{_NUMBER},{_NUMBER}\]")
_THOUGHT = re.compile(r"<think>.*?(?:</think>|\Z)", re.DOTALL | re.IGNORECASE)


def prompt(row: Row) -> str:
    """Return what is asked of a dialogue up to a turn."""
    said = "\n".join(f"{one['speaker']}: {one['text']}" for one in row["context"])
    return (
        f"Two people talk about the picture:\n\n{said}\n\n"
        f"Which objects may still be meant by the first words, “{row['first_utterance']}”, after"
        " all that was said? It may be one, or several between which nothing has decided yet. Give"
        " a box for each as a JSON list of [x1, y1, x2, y2]: left, top, right and bottom in"
        " thousandths of the picture's width and height, from 0 to 1000. Give"
        f" {MOST_BOXES} boxes at most and nothing else."
    )


def boxes_in(response: str, width: int, height: int) -> list[Box]:
    """Return the boxes that a response gives, in pixels of a picture of this size."""
    from benchwright.boxes import from_corners  # noqa: PLC0415

    across, down = width / 1000, height / 1000
    found = _CORNERS.findall(_THOUGHT.sub("", response))[:MOST_BOXES]
    return [
        from_corners(float(x1) * across, float(y1) * down, float(x2) * across, float(y2) * down)
        for x1, y1, x2, y2 in found
    ]


def true_boxes(row: Row) -> list[Box]:
    """Return the boxes that are still plausible."""
    boxes = {one["box_id"]: tuple(one["bbox"]) for one in row["boxes"]}
    return [boxes[name] for name in row["candidate_ids"]]


def score_single(row: Row, response: str) -> dict[str, float]:
    """Return Acc@0.5: 1 for exactly one box, duplicates apart, that overlaps the true one."""
    from benchwright.box_matching import match_boxes  # noqa: PLC0415

    boxes = list(dict.fromkeys(boxes_in(response, row["width"], row["height"])))
    return {"accuracy": float(len(boxes) == 1 and bool(match_boxes(boxes, true_boxes(row))))}


def score_several(row: Row, response: str) -> dict[str, float]:
    """Return precision, recall and F1 of the boxes against the true ones."""
    from benchwright.box_matching import score_set  # noqa: PLC0415

    score = score_set(boxes_in(response, row["width"], row["height"]), true_boxes(row))
    return {"precision": score.precision, "recall": score.recall, "f1": score.f1}


def of_kind(rows: Sequence[Row], kind: str) -> list[Row]:
    """Return the rows with one true box (single) or with several (set)."""
    return [row for row in rows if row["kind"] == kind]
