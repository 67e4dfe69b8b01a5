"""The candidate-set protocol (CandVG): its prompts, how boxes are read, its scores.

All models are asked by one prompt; only the way in which boxes are written differs, and what it
says of the task where that is tried (``instruction``). A harness asks in thousandths of the
picture's sides, since it may resize a picture and pixels would then be those of no picture that we
know. Reading and matching are those of ``benchwright``.
"""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any, Literal

Row = Mapping[str, Any]  # of the config candidate-set, with width and height of its picture
Box = tuple[float, float, float, float]  # x, y, width, height in pixels
BoxFormat = Literal["pixels", "thousandths", "fractions", "tagged"]
Instruction = Literal["base", "aware", "stepwise"]

MOST_BOXES = 15  # that are counted, the first ones

_UNITS: Mapping[BoxFormat, str] = MappingProxyType(
    {
        "pixels": "in pixels of the picture, which is {width} wide and {height} high",
        "thousandths": "in thousandths of the picture's width and height, from 0 to 1000",
        "fractions": "as fractions of the picture's width and height, from 0 to 1",
        "tagged": "in thousandths of the picture's width and height, from 0 to 1000",
    }
)
_FORMS: Mapping[BoxFormat, str] = MappingProxyType(
    {
        **dict.fromkeys(
            _UNITS,
            "Give a box for each as a JSON list of [x1, y1, x2, y2]: left, top, right and"
            " bottom {unit}. Give {most} boxes at most, [] where there is none",
        ),
        "tagged": "Give a box for each as <ref>what it is</ref><box>(x1,y1),(x2,y2)</box>: left,"
        " top, right and bottom {unit}. Give {most} boxes at most, the word none where there is"
        " none",
    }
)
_GIVEN = (
    "These objects are in the picture, each with its box as [left, top, right, bottom] {unit}:"
    "\n\n{listed}\n\n"
)
_BY_NUMBER = (
    "Give the numbers of those that may be meant as one JSON list, [] where none of them may be"
)
_TASK: Mapping[Instruction, str] = MappingProxyType(
    {
        "base": "",
        "aware": " Whatever still fits counts: keep each object that nothing said has ruled out,"
        " even if another one seems likelier, and decide for a single one only where the words do."
        " Leave out what they have ruled out.",
        "stepwise": " Go step by step. First name every object in the picture that the quoted words"
        " alone could mean. Then take what was said after them, one line at a time, and strike out"
        " each object that the line rules out; what a line leaves open stays.",
    }
)
_AFTER_STEPS = ". Write the steps first, then the word Answer: and this behind it."


def prompt(
    row: Row,
    box_format: BoxFormat = "thousandths",
    instruction: Instruction = "base",
    *,
    size: tuple[int, int] = (0, 0),
    given: Sequence[str] = (),
) -> str:
    """Return what is asked of a dialogue up to a turn.

    ``size`` is width and height of the picture as it is sent, which pixels are of. ``given`` are
    boxes as they are to be shown, to choose from by their numbers, which count from 1.
    """
    said = "\n".join(f"{one['speaker']}: {one['text']}" for one in row["context"])
    unit = _UNITS[box_format].format(width=size[0], height=size[1])
    listed = "\n".join(f"{number}. {box}" for number, box in enumerate(given, 1))
    shown = _GIVEN.format(unit=unit, listed=listed) if given else ""
    form = _BY_NUMBER if given else _FORMS[box_format].format(unit=unit, most=MOST_BOXES)
    end = _AFTER_STEPS if instruction == "stepwise" else ", and write nothing else."
    return (
        f"This was said about the picture:\n\n{said}\n\n{shown}"
        f"Which objects in the picture may be meant by “{row['first_utterance']}”, after all that"
        " was said? It may be one, or several between which nothing has decided yet."
        f"{_TASK[instruction]} {form}{end}"
    )


def boxes_in(response: str, width: int, height: int) -> list[Box]:
    """Return the boxes that a response gives, in pixels of a picture of this size."""
    from benchwright.asking.box_reading import SentPicture, read_boxes  # noqa: PLC0415

    sent = SentPicture.unchanged((width, height))
    return list(read_boxes(response, "thousandths", sent).boxes[:MOST_BOXES])


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
