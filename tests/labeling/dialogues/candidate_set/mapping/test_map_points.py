"""Annotations become decisions dialogue by dialogue, once."""

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from benchwright import store
from benchwright.boxes import area
from benchwright.decisions.journal import read_journal
from benchwright.errors import WorkspaceError
from benchwright.records import BoxOfPicture, CandidateSet, MappedDialogue
from benchwright.rows import from_table
from benchwright.workspace import Workspace
from labeling.audits.tasks.candidate_set import KIND
from labeling.audits.tasks.task import AuditSettings, Slot, TaskKey
from labeling.dialogues.candidate_set.drafts import draft_candidate_sets
from labeling.dialogues.candidate_set.mapping.annotations import Given
from labeling.dialogues.candidate_set.mapping.map_points import (
    Mapped,
    map_annotations,
    mapped_folder,
)
from labeling.dialogues.stored import read_dialogues, read_drafts
from stand_ins.dialogues import catalog_of, invig_items, spoken_about, with_boxes_laid_over

DIALOGUES = Path(__file__).parents[4] / "data" / "invig" / "derived_test_dialogs.jsonl.gz"
WHEN = "2026-03-01T12:00:00+00:00"
ONE, TWO, THREE = [20, 30], [50, 30], [80, 40]  # in boxes 1, 2 and 3 of ``spoken_about``


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    """Two dialogues of three turns, three boxes each."""
    made = catalog_of(tmp_path / "w", spoken_about("d1"), spoken_about("d2"))
    draft_candidate_sets(made)
    return made


def row(dialogue: str, turn: Any, points: Any, annotator: str = "ana", **more: Any) -> Any:
    return {
        "dialogue_id": dialogue,
        "turn": turn,
        "annotator": annotator,
        "points": points,
        "at": WHEN,
        **more,
    }


def whole(dialogue: str, annotator: str = "ana") -> list[dict[str, Any]]:
    """Return the rows of a dialogue of which three boxes, two and one stay."""
    marks = ([ONE, TWO, THREE], [TWO, ONE], [TWO])
    return [row(dialogue, turn, points, annotator) for turn, points in enumerate(marks, 1)]


def mapped(workspace: Workspace, rows: Sequence[Any], given: Given | None = None) -> Mapped:
    path = workspace.root.parent / "marks.jsonl"
    path.write_text("".join(json.dumps(each) + "\n" for each in rows), "utf-8")
    return map_annotations(workspace, [path], given or Given())


def rows_of(workspace: Workspace) -> list[MappedDialogue]:
    table = store.read_table(mapped_folder(workspace), "mapped.parquet")
    return list(from_table(table, MappedDialogue))


def test_marks_become_decisions_and_dialogues(workspace: Workspace) -> None:
    found = mapped(workspace, whole("d1"))
    assert found.new_decisions == 3
    said = {one.record_id: one.after for one in read_journal(workspace).decisions}
    assert said == {"d1/1": '["1", "2", "3"]', "d1/2": '["1", "2"]', "d1/3": '["2"]'}
    stand = read_dialogues(workspace, "candidate-set")
    assert [(one.turn, one.candidate_ids, one.kind) for one in stand] == [
        (1, ("1", "2", "3"), "set"),
        (2, ("1", "2"), "set"),
        (3, ("2",), "single"),
    ]
    assert found.manifest.counts == {
        "dialogues": 1, "kept": 1, "annotated": 1, "annotated_and_kept": 1, "rejects": 0
    }  # fmt: skip


def test_a_decision_is_the_one_that_the_app_stores(workspace: Workspace) -> None:
    mapped(workspace, whole("d1"))
    (task,) = (one for one in KIND.tasks(workspace, AuditSettings()) if one.task_id == "d1/2")
    slot = Slot(auditor="ana", verdict="confirmed", boxes=("2", "1"), at=WHEN)
    key = TaskKey(
        task_id=task.task_id, kind=task.kind, thing=task.thing, before=task.before,
        stratum=task.stratum, probability=task.probability,
    )  # fmt: skip
    assert set(KIND.decisions(key, slot)) <= set(read_journal(workspace).decisions)


def test_the_same_file_again_adds_nothing(
    workspace: Workspace, holdings: Callable[[Path], dict[str, Any]]
) -> None:
    rows = [*whole("d1"), *whole("d2", "bo"), row("d2", 1, [ONE], "cy")]
    mapped(workspace, rows)
    before = holdings(workspace.root)
    journal = (workspace.audits / "decisions.jsonl").read_bytes()
    assert mapped(workspace, rows).new_decisions == 0
    assert holdings(workspace.root) == before
    # in whatever order its rows are
    assert mapped(workspace, rows[::-1]).new_decisions == 0
    assert (workspace.audits / "decisions.jsonl").read_bytes() == journal


def test_a_killed_run_leaves_nothing_half(workspace: Workspace) -> None:
    mapped(workspace, whole("d1"))
    (workspace.audits / "decisions.jsonl").unlink()  # it died before it came to the journal
    assert mapped(workspace, whole("d1")).new_decisions == 3
    assert len(read_dialogues(workspace, "candidate-set")) == 3


@pytest.mark.parametrize(
    ("changed", "turn", "reason"),
    [
        ({2: row("d1", 2, [[5, 5]])}, 2, "in_no_box"),
        ({3: row("d1", 3, [TWO, [51, 31]])}, 3, "two_in_one_box"),
        ({1: row("d1", 1, [[101, 5]])}, 1, "outside_picture"),
        ({2: None}, 2, "missing_turn"),
        ({4: row("d1", 4, [TWO])}, 4, "unknown_turn"),
        ({2: row("d1", 2, [])}, 2, "nothing_marked"),
        ({2: row("d1", 2, "TWO")}, 2, "bad_points"),
        ({2: row("d1", 2, [TWO], at="?")}, 2, "bad_time"),
        ({2: row("d1", 2, None, boxes=[4])}, 2, "unknown_box"),
        ({2: row("d1", 2, None, boxes=[[0, 0, 5, 5]])}, 2, "like_no_box"),
        # the first turn that fails is named
        ({2: None, 3: row("d1", 3, [[5, 5]])}, 2, "missing_turn"),
        # said twice, and not the same
        ({4: row("d1", 2, [ONE])}, 2, "two_answers"),
    ],
)
def test_a_dialogue_is_kept_whole_or_not(
    workspace: Workspace, changed: dict[int, Any], turn: int, reason: str
) -> None:
    rows: dict[int, Any] = dict(enumerate(whole("d1"), 1)) | changed
    found = mapped(workspace, [each for each in rows.values() if each] + whole("d2"))
    first, second = rows_of(workspace)
    assert (first.is_kept, first.failed_turn, first.reason) == (False, turn, reason)
    assert first.detail
    assert (second.dialogue_id, second.is_kept, second.failed_turn) == ("d2", True, None)
    assert {one.record_id for one in read_journal(workspace).decisions} == {"d2/1", "d2/2", "d2/3"}
    assert (found.manifest.counts["dialogues"], found.manifest.counts["kept"]) == (2, 1)
    assert found.manifest.reasons == {reason: 1}


def test_an_unknown_dialogue_is_listed(workspace: Workspace) -> None:
    mapped(workspace, whole("d9"))
    (only,) = rows_of(workspace)
    assert (only.reason, only.failed_turn) == ("unknown_dialogue", None)
    assert not read_journal(workspace).decisions


def test_annotators_do_not_hang_on_each_other(workspace: Workspace) -> None:
    found = mapped(workspace, [*whole("d1"), row("d1", 1, [[5, 5]], "bo"), *whole("d1", "cy")])
    assert [(one.annotator, one.is_kept) for one in found.dialogues] == [
        ("ana", True),
        ("bo", False),
        ("cy", True),
    ]
    assert (found.manifest.counts["annotated"], found.manifest.counts["kept"]) == (3, 1)


def test_the_same_twice_is_once_and_a_later_file_wins(workspace: Workspace) -> None:
    later = {"at": "2026-03-02T12:00:00+00:00"}
    assert mapped(workspace, [*whole("d1"), *whole("d1")]).new_decisions == 3
    changed = [{**each, **later} for each in whole("d1")]
    changed[2]["points"] = [THREE]
    assert mapped(workspace, changed).new_decisions == 3
    assert mapped(workspace, whole("d1")).new_decisions == 0  # the old file does not come back
    assert read_dialogues(workspace, "candidate-set")[2].candidate_ids == ("3",)


def test_rows_of_nobody_are_kept_with_their_reason(workspace: Workspace) -> None:
    found = mapped(workspace, [*whole("d1"), row("d1", "x", [ONE]), row("", 1, [ONE])])
    assert [one.reason for one in found.rejects] == ["no_turn", "no_dialogue"]
    table = store.read_table(mapped_folder(workspace), "rejects.parquet")
    assert table.column("row").to_pylist() == [4, 5]
    assert found.new_decisions == 3


def test_without_drafts_it_says_what_to_run(tmp_path: Path) -> None:
    made = catalog_of(tmp_path / "w", spoken_about("d1"))
    with pytest.raises(WorkspaceError, match="build-dialogues candidate-set draft"):
        mapped(made, whole("d1"))


def test_pictures_that_are_gone_are_named(workspace: Workspace) -> None:
    catalog_of(workspace.root, spoken_about("d1"))
    with pytest.raises(WorkspaceError, match=r"has no picture \w+ \(1 of 2 of the drafts\)"):
        mapped(workspace, whole("d1"))


def centre(box: BoxOfPicture) -> list[float]:
    x, y, width, height = box.bbox
    return [x + width / 2, y + height / 2]


def held_by(point: Sequence[float], boxes: Sequence[BoxOfPicture]) -> str:
    """Return the smallest box about a point, of all that there are."""
    about = [
        (area(box.bbox), int(box.box_id))
        for box in boxes
        if 0 <= point[0] - box.bbox[0] <= box.bbox[2] and 0 <= point[1] - box.bbox[1] <= box.bbox[3]
    ]
    return str(min(about)[1])


def marked(draft: CandidateSet) -> list[BoxOfPicture]:
    """Return fewer boxes turn by turn, one at least."""
    return list(draft.boxes[: max(1, len(draft.boxes) // draft.turn)])


def test_the_real_dialogues_with_the_centres_of_boxes(tmp_path: Path) -> None:
    made = catalog_of(tmp_path / "w", *with_boxes_laid_over(invig_items(DIALOGUES)))
    draft_candidate_sets(made)
    drafts = read_drafts(made, "candidate-set")
    rows, wanted, failing = [], {}, set()
    for draft in drafts:
        points = [centre(box) for box in marked(draft)]
        ids = {held_by(point, draft.boxes) for point in points}
        rows.append(row(draft.dialogue_id, draft.turn, points))
        wanted[draft.dialogue_id, draft.turn] = ids
        if len(ids) < len(points):
            failing.add(draft.dialogue_id)
    found = mapped(made, rows)
    assert found.manifest.counts["dialogues"] == 1998
    assert 0 < len(failing) < 1998
    assert {one.dialogue_id for one in found.dialogues if not one.is_kept} == failing
    assert found.manifest.reasons == {"two_in_one_box": len(failing)}
    stand = read_dialogues(made, "candidate-set")
    assert {one.dialogue_id for one in stand} == {one.dialogue_id for one in drafts} - failing
    assert all(set(one.candidate_ids) == wanted[one.dialogue_id, one.turn] for one in stand)
