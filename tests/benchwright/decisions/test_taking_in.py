"""What comes into the journal, and what an auditor then holds of values that were named."""

import json
from pathlib import Path
from typing import Any

import pytest

from benchwright.decisions.journal import read_journal
from benchwright.decisions.on_labels import label_decisions
from benchwright.decisions.standing import Thing
from benchwright.decisions.taking_in import TakenIn, take_in
from benchwright.workspace import Workspace
from labeling.audits.tasks.attributes import KIND
from labeling.audits.tasks.task import Slot, TaskKey

PICTURE = f"{1:016x}"


def said(minute: int, asked: str, verdict: Any, answer: str | None, **text: Any) -> tuple[Any, ...]:
    """Return the decisions of what ana says, at a minute, in the task of a value."""
    key = TaskKey(
        task_id=f"{PICTURE}/colour/{asked}",
        kind="attributes",
        thing=Thing(PICTURE, None, None, f"colour/{asked}"),
        before="no",
        stratum="s",
        probability=0.1,
    )
    slot = Slot(
        auditor="ana",
        verdict=verdict,
        value=answer,
        text=json.dumps(text) if text else None,
        seconds=2.0,
        at=f"2026-03-01T12:{minute:02}:00Z",
    )
    return tuple(KIND.decisions(key, slot))


BLUE_YES = said(1, "blue", "confirmed", "yes")
BLUE_NO = said(1, "blue", "confirmed", "no")
RED_NO_BUT_BLUE = said(2, "red", "confirmed", "no", value="blue")
RED_UNDONE = said(3, "red", "withdrawn", "no", value="blue")
RED_YES_AFTER_ALL = said(3, "red", "confirmed", "yes", no_longer=["blue"])
GREEN_NO_BUT_BLUE = said(4, "green", "confirmed", "no", value="blue")
BLUE_UNDONE = said(5, "blue", "withdrawn", "yes")


@pytest.mark.parametrize(
    ("steps", "holds"),
    [
        # asked of blue first, named it for red, undid red: it still stands, as it was drawn
        ([BLUE_YES, RED_NO_BUT_BLUE, RED_UNDONE], ("yes", 0.1)),
        ([BLUE_YES, RED_NO_BUT_BLUE, RED_YES_AFTER_ALL], ("yes", 0.1)),
        # what was asked keeps the probability with which it was drawn
        ([BLUE_YES, RED_NO_BUT_BLUE], ("yes", 0.1)),
        ([BLUE_NO, RED_NO_BUT_BLUE], ("no", 0.1)),
        # it was only named, and then no more
        ([RED_NO_BUT_BLUE], ("yes", None)),
        ([RED_NO_BUT_BLUE, RED_UNDONE], None),
        ([RED_NO_BUT_BLUE, RED_YES_AFTER_ALL], None),
        # named for two and undone for one
        ([RED_NO_BUT_BLUE, RED_UNDONE, GREEN_NO_BUT_BLUE], ("yes", None)),
        ([BLUE_YES, RED_NO_BUT_BLUE, BLUE_UNDONE], ("yes", None)),
    ],
)
@pytest.mark.parametrize("at_once", [False, True])
def test_what_is_asked_and_what_is_named_are_two_words(
    tmp_path: Path, steps: list[tuple[Any, ...]], holds: Any, at_once: bool
) -> None:
    workspace = Workspace(tmp_path)
    if at_once:
        take_in(workspace, [each for step in steps for each in step])
    else:
        for step in steps:
            take_in(workspace, step)
    held = label_decisions(workspace).get(Thing(PICTURE, None, None, "colour/blue"), {}).get("ana")
    assert (None if held is None else (held.after, held.probability)) == holds


def test_what_was_never_named_is_not_withdrawn(tmp_path: Path) -> None:
    workspace = Workspace(tmp_path)
    take_in(workspace, BLUE_YES)
    # a sheet says of every value that ana holds that red does not name it
    assert take_in(workspace, RED_YES_AFTER_ALL) == TakenIn(new=1, withdrawn=0)
    assert [each.field for each in read_journal(workspace).decisions] == [
        "colour/blue",
        "colour/red",
    ]
    assert take_in(workspace, RED_YES_AFTER_ALL) == TakenIn(new=0, withdrawn=0)
