"""A release with dialogues whose candidates get fewer from turn to turn."""

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from benchwright import store
from benchwright.decisions.journal import append_decisions
from benchwright.records import BoxOfPicture, CandidateSet, Decision, Item, Said
from benchwright.workspace import Workspace
from labeling.dialogues.stored import record_id_of, write_drafts
from stand_ins.auditors import decision
from stand_ins.dialogues import candidate_set
from stand_ins.whole_workspace import make_release, pictures_of

_BOXES = (
    ("1", "cup", (1.0, 2.0, 8.0, 10.0)),
    ("2", "cup", (12.0, 2.0, 9.0, 11.0)),
    ("3", "cup", (2.5, 18.0, 7.0, 9.0)),
    ("4", "plate", (12.0, 17.0, 10.0, 12.0)),
)
# the cups, those above, one of them
CANDIDATES = (("1", "2", "3"), ("1", "2"), ("2",))


def store_scenes(workspace: Workspace, dialogues: int) -> Path:
    """Write so many dialogues of three turns about pictures of a catalog, and a release of them.

    Returns the folder of the release, things 1.0.0.
    """
    turns = [
        turn
        for number, item in enumerate(pictures_of(workspace)[:dialogues])
        for turn in _turns(number, item)
    ]
    plan = store.Plan(stage="dialogues/candidate-set/drafts", inputs={}, settings={}, seed=0)
    write_drafts(workspace, "candidate-set", turns, plan)
    append_decisions(workspace, list(_marks(turns)))
    return make_release(workspace)


def _turns(number: int, item: Item) -> Iterator[CandidateSet]:
    name = f"scene-{number:02d}"
    said = (
        Said(speaker="human", text=f"Pass me the cup of table {number}."),
        Said(speaker="agent", text="Which one?"),
        Said(speaker="human", text="One of the upper ones."),
        Said(speaker="agent", text="The left one?"),
        Said(speaker="human", text="No, the other."),
    )
    boxes = tuple(
        BoxOfPicture(box_id=box_id, category=category, bbox=box) for box_id, category, box in _BOXES
    )
    for turn in (1, 2, 3):
        yield replace(
            candidate_set(turn=turn, name=name, image_id=item.image_id),
            context=said[: 2 * turn - 1],
            first_utterance=said[0].text,
            boxes=boxes,
        )


def _marks(turns: list[CandidateSet]) -> Iterator[Decision]:
    for turn in turns:
        yield decision(
            image_id=None,
            record_id=record_id_of(turn),
            field="candidates",
            before=None,
            after=json.dumps(CANDIDATES[turn.turn - 1]),
        )
