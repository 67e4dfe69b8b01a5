"""Records of dialogues, for tests: dialogues about pictures with boxes, and drafts of them."""

import gzip
import json
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from benchwright import seeds, store
from benchwright.boxes import Box, area, from_corners
from benchwright.identity import image_id_of
from benchwright.records import (
    BoxOfPicture,
    CandidateSet,
    Dialogue,
    Item,
    Said,
    SceneObject,
    Utterance,
)
from benchwright.rows import to_table
from benchwright.workspace import Workspace

_LINES = ("the bottle, please.", "which one?", "a green one.", "the left one?", "yes.")
_CATEGORIES = ("Bottle", "Person", "Chair", "Tree")
_BOXES = ((10.0, 10.0, 20.0, 40.0), (40.0, 10.0, 20.0, 40.0), (70.0, 20.0, 20.0, 40.0))


def spoken_about(
    name: str = "d1",
    lines: Sequence[str] = _LINES,
    candidates: Sequence[Box] = _BOXES,
    target: Box | None = _BOXES[0],
    **more: Any,
) -> Item:
    """Return a picture of 100 x 80 with one dialogue, the human first and then by turns."""
    utterances = tuple(
        Utterance(speaker="agent" if at % 2 else "human", text=line)
        for at, line in enumerate(lines)
    )
    dialogue = Dialogue(
        dialogue_id=name,
        utterances=utterances,
        candidate_boxes=tuple(candidates),
        target_box=target,
    )
    said: dict[str, Any] = {
        "image_id": image_id_of("spoken", name),
        "image": f"aa/{name}.png",
        "sha256": "0" * 64,
        "width": 100,
        "height": 80,
        "source": "spoken",
        "source_id": name,
        **dict.fromkeys(
            ("split", "group_id", "title", "category", "url", "licence", "author"), None
        ),
        "attributes": (),
        "objects": (),
        "captions": (),
        "dialogues": (dialogue,),
    }
    return Item(**{**said, **more})


def invig_items(path: Path) -> list[Item]:
    """Return the real dialogues of InViG's test split (a gzipped file of JSON lines).

    Each has its real target, as shares of the picture, in a square picture of 1000 pixels that is
    not there; they have no other box.
    """
    rows = [json.loads(line) for line in gzip.decompress(path.read_bytes()).splitlines()]
    return [
        spoken_about(
            name=f"{row['index']:04d}",
            lines=[text for _, text in row["utterances"]],
            candidates=[],
            target=from_corners(*(1000.0 * share for share in row["target_norm_xyxy"])),
            width=1000,
            height=1000,
        )
        for row in rows
    ]


def catalog_of(root: Path, *items: Item) -> Workspace:
    """Return a workspace with a catalog of items, in the order of their ids; it has no pictures."""
    workspace = Workspace(root)
    plan = store.Plan(stage="catalog", inputs={}, settings={"items": len(items)})
    with store.writing(workspace.catalog, plan, configs={"items": "items-*.parquet"}) as out:
        rows = sorted(items, key=lambda item: item.image_id)
        out.shards("items", to_table(rows, Item))
    return workspace


def with_boxes_laid_over(items: Iterable[Item], most: int = 15, seed: int = 0) -> list[Item]:
    """Return items whose dialogues have 2 to ``most`` boxes with the target's among them.

    The boxes beside the target's are drawn by the seed and are of no object: for dialogues whose
    source has no candidate boxes.
    """
    return [
        replace(item, dialogues=tuple(_laid_over(item, one, most, seed) for one in item.dialogues))
        for item in items
    ]


def _laid_over(item: Item, dialogue: Dialogue, most: int, seed: int) -> Dialogue:
    width, height = item.width or 0, item.height or 0
    target = () if dialogue.target_box is None else (dialogue.target_box,)
    count = 2 + seeds.below(most - 1, seed, "boxes", dialogue.dialogue_id) - len(target)
    drawn = tuple(
        _drawn(width, height, f"{dialogue.dialogue_id}/{number}", seed) for number in range(count)
    )
    return replace(dialogue, candidate_boxes=drawn + target)


def with_objects_laid_over(items: Iterable[Item], most: int = 18, seed: int = 0) -> list[Item]:
    """Return items of one dialogue each, with 1 to ``most`` objects, the target among them.

    The objects are drawn by the seed and are not in the picture. Half of them are of the target's
    category, one in thirty is tiny. In one dialogue of ten they are candidate boxes without a
    category.
    """
    return [_with_objects(item, most, seed) for item in items]


def _with_objects(item: Item, most: int, seed: int) -> Item:
    (dialogue,) = item.dialogues
    name = dialogue.dialogue_id
    of_target = seeds.below(len(_CATEGORIES), seed, "category", name)
    boxes = [] if dialogue.target_box is None else [(dialogue.target_box, of_target)]
    for number in range(seeds.below(most, seed, "objects", name)):
        one = f"{name}/{number}"
        is_tiny = seeds.below(30, seed, "tiny", one) == 0
        box = _drawn(item.width or 0, item.height or 0, one, seed)
        other = seeds.below(2, seed, "other", one) * (1 + seeds.below(3, seed, "which", one))
        category = (of_target + other) % len(_CATEGORIES)
        boxes.append(((*box[:2], 6.0, 6.0) if is_tiny else box, category))
    if seeds.below(10, seed, "categories", name) == 0:
        bare = replace(dialogue, candidate_boxes=tuple(box for box, _ in boxes))
        return replace(item, objects=(), dialogues=(bare,))
    objects = tuple(
        SceneObject(
            object_id=f"{number:02d}",
            category=_CATEGORIES[category],
            bbox=box,
            area=area(box),
            is_crowd=False,
            is_occluded=None,
            is_truncated=None,
            attributes=(),
            mask=None,
        )
        for number, (box, category) in enumerate(boxes, 1)
    )
    return replace(item, objects=objects, dialogues=(replace(dialogue, candidate_boxes=()),))


def _drawn(width: int, height: int, name: str, seed: int) -> Box:
    """Return a box in whole pixels, a twentieth to a third of each side."""
    across, down = (
        side // 20 + seeds.below(max(1, side // 3 - side // 20), seed, way, name) + 1
        for side, way in ((width, "across"), (height, "down"))
    )
    x = seeds.below(max(1, width - across), seed, "x", name)
    y = seeds.below(max(1, height - down), seed, "y", name)
    return float(x), float(y), float(across), float(down)


def candidate_set(turn: int = 1, boxes: int = 4, name: str = "d1", **more: Any) -> CandidateSet:
    """Return a draft of a turn, its boxes in a row and called 1 and on."""
    spoken = tuple(
        Said(speaker="agent" if at % 2 else "human", text=f"line {at + 1}")
        for at in range(2 * turn - 1)
    )
    said: dict[str, Any] = {
        "dialogue_id": name,
        "image_id": image_id_of("spoken", name),
        "turn": turn,
        "context": spoken,
        "first_utterance": "line 1",
        "boxes": tuple(
            BoxOfPicture(box_id=str(number), category=None, bbox=(20.0 * number, 10.0, 15.0, 30.0))
            for number in range(1, boxes + 1)
        ),
        "candidate_ids": (),
        "marks": (),
        "kind": "set",
    }
    return CandidateSet(**{**said, **more})
