from pathlib import Path
from typing import Any

import pytest

from benchwright import store
from benchwright.workspace import Workspace
from labeling.dialogues.false_premise.checking.report import drafted_lines, next_line, seen_lines


def made(counts: dict[str, int], **more: Any) -> store.Manifest:
    settings = {"voters": [{"name": "m1"}, {"name": "m2"}], "most_boxes": 8}
    said: dict[str, Any] = {
        "plan": store.Plan(stage="x", inputs={}, settings=settings),
        "version": "1",
        "files": {},
        "content": {},
        "counts": counts,
        "reasons": {},
        "seconds": 1.0,
    }
    return store.Manifest(**{**said, **more})


SEEN = {
    "dialogues": 42,
    "sightings": 2_475,
    "failed": 0,
    "silent": 0,
    "boxes_left_out": 0,
    "pictures_cut": 0,
}
DRAFTED = {"drafts": 40, "settled": 30, "affirmed": 0}


def test_what_was_seen_and_nothing_more_where_all_went_well() -> None:
    assert list(seen_lines(made(SEEN))) == ["2,475 sightings of 42 dialogues by m1, m2"]


@pytest.mark.parametrize(
    ("counts", "line"),
    [
        ({"silent": 1_200}, "  without an answer (refused, cut or unreadable): 1,200"),
        (
            {"boxes_left_out": 116, "pictures_cut": 17},
            "  not looked at: 116 boxes of 17 dialogues, beyond the 8 that --boxes allows, which"
            " are the largest",
        ),
        (
            {"failed": 3},
            "  failed: 3; their dialogues are no drafts until the same command is run again and"
            " they are answered",
        ),
    ],
)
def test_what_is_lacking_is_said(counts: dict[str, int], line: str) -> None:
    assert list(seen_lines(made(SEEN | counts)))[1:] == [line]


def test_drafts_and_why_there_are_not_more() -> None:
    lines = drafted_lines(made(DRAFTED, reasons={"voters have still to look": 2}))
    assert list(lines) == [
        "40 drafts: 30 passed by sight, 10 are not settled and come first in the audit",
        "  no draft, voters have still to look: 2",
    ]


@pytest.mark.parametrize(
    ("failed", "affirmed", "line"),
    [
        (0, 0, "next: review-labels open --audit false-premise --auditor NAME --workspace w"),
        (
            0,
            2,
            "next: build-dialogues false-premise falsify --voters FILE --workspace w"
            " (for other false descriptions)",
        ),
        (
            1,
            2,
            "next: build-dialogues false-premise check --voters FILE --workspace w"
            " (the same again; what was answered is kept)",
        ),
    ],
)
def test_what_comes_next(failed: int, affirmed: int, line: str) -> None:
    seen, drafts = made(SEEN | {"failed": failed}), made(DRAFTED | {"affirmed": affirmed})
    assert next_line(seen, drafts, Workspace(Path("w"))) == line
