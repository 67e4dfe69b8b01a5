"""Candidate sets of a release as a COCO file: one annotation for each box of each dialogue.

Numbers are given in the order of the release; its own ids stand beside them. An annotation says in
``candidate_turns`` after which turns its box is still plausible; what was said until then stands
under ``dialogues``, which readers of COCO pass over. Boxes without a category are of ``object``.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Any

from benchwright import files
from benchwright.boxes import area, as_box
from benchwright.errors import UsageError
from benchwright.release_loading import load_config
from exports.coco.objects import as_bytes, is_link
from exports.contents.private_answers import COLUMN as COMMITMENT
from exports.embedded_pictures import write_embedded

_UNNAMED = "object"
_Json = dict[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class WrittenCandidateSets:
    """What was written: the file, and how many pictures, dialogues and boxes are in it."""

    path: Path
    pictures: int
    dialogues: int
    boxes: int


def write_candidate_sets(release: Path, folder: Path) -> WrittenCandidateSets:
    """Write candidate_sets.json into a folder, and the pictures into ``images/`` beside it.

    Raises UsageError for a release that has no candidate sets, holds back their answers, or names
    pictures that are no files of its own.
    """
    from datasets import Image  # noqa: PLC0415  # takes seconds

    turns = load_config(release, "candidate-set")
    if COMMITMENT in turns.column_names:
        raise UsageError(
            f"{release}: holds back which boxes are candidates; there is no COCO of it"
        )
    shown = set(turns["image_id"])
    rows = load_config(release, "images").cast_column("image", Image(decode=False))
    places = [at for at, name in enumerate(rows["image_id"]) if name in shown]
    pictures = []
    (folder / "images").mkdir(parents=True, exist_ok=True)
    for row in rows.select(places):
        written = write_embedded(row.pop("image"), folder / "images")
        pictures.append({**row, "file_name": f"images/{written.name}"})
    whole = candidate_sets_of(list(turns), pictures)
    path = folder / "candidate_sets.json"
    files.write_bytes(path, as_bytes(whole))
    return WrittenCandidateSets(
        path=path,
        pictures=len(pictures),
        dialogues=len(whole["dialogues"]),
        boxes=len(whole["annotations"]),
    )


def candidate_sets_of(
    turns: Sequence[Mapping[str, Any]], pictures: Sequence[Mapping[str, Any]]
) -> _Json:
    """Return the COCO object of rows of the config candidate-set and the pictures they show.

    Pictures are rows of the config images with a ``file_name``.
    """
    by_dialogue: dict[str, list[Mapping[str, Any]]] = {}
    for turn in turns:
        by_dialogue.setdefault(turn["dialogue_id"], []).append(turn)
    named = {box["category"] or _UNNAMED for turn in turns for box in turn["boxes"]}
    categories = {name: number for number, name in enumerate(sorted(named), 1)}
    numbers = {row["image_id"]: number for number, row in enumerate(pictures, 1)}
    licences = {
        text: number
        for number, text in enumerate(sorted({row["licence"] for row in pictures} - {None}), 1)
    }
    ids = count(1)
    return {
        "info": {"description": "candidate sets, written by benchwright", "version": "1"},
        "licenses": [
            {"id": number, "name": text, "url": text if is_link(text) else ""}
            for text, number in licences.items()
        ],
        "images": [_picture(row, numbers[row["image_id"]], licences) for row in pictures],
        "annotations": [
            _annotation(box, said, next(ids), numbers, categories)
            for said in by_dialogue.values()
            for box in said[0]["boxes"]
        ],
        "categories": [
            {"id": number, "name": name, "supercategory": ""} for name, number in categories.items()
        ],
        "dialogues": [_dialogue(said, numbers) for said in by_dialogue.values()],
    }


def _picture(row: Mapping[str, Any], number: int, licences: Mapping[str, int]) -> _Json:
    record = {"id": number, **{name: row[name] for name in ("file_name", "width", "height")}}
    record |= {name: row[name] for name in ("image_id", "source", "source_id")}
    stated = {"url": row["url"], "author": row["author"], "license": licences.get(row["licence"])}
    return record | {name: value for name, value in stated.items() if value is not None}


def _annotation(
    box: Mapping[str, Any],
    said: Sequence[Mapping[str, Any]],
    number: int,
    numbers: Mapping[str, int],
    categories: Mapping[str, int],
) -> _Json:
    bbox = as_box(box["bbox"])
    return {
        "id": number,
        "image_id": numbers[said[0]["image_id"]],
        "category_id": categories[box["category"] or _UNNAMED],
        "bbox": list(bbox),
        "area": area(bbox),
        "iscrowd": 0,
        "dialogue_id": said[0]["dialogue_id"],
        "box_id": box["box_id"],
        "candidate_turns": [
            turn["turn"] for turn in said if box["box_id"] in turn["candidate_ids"]
        ],
    }


def _dialogue(said: Sequence[Mapping[str, Any]], numbers: Mapping[str, int]) -> _Json:
    last = max(said, key=lambda turn: turn["turn"])
    return {
        "dialogue_id": last["dialogue_id"],
        "image_id": numbers[last["image_id"]],
        "turns": [turn["turn"] for turn in said],
        "utterances": [dict(one) for one in last["context"]],
    }
