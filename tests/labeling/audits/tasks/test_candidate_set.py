import json
from pathlib import Path
from typing import Any

import pytest

from benchwright import store
from benchwright.decisions.standing import Thing
from benchwright.errors import WorkspaceError
from benchwright.records import Item, ProposedMarks
from benchwright.rows import to_table
from benchwright.workspace import Workspace
from labeling.audits.tasks.blinding import without_machine
from labeling.audits.tasks.candidate_set import KIND
from labeling.audits.tasks.kinds import kind_of
from labeling.audits.tasks.task import AuditSettings, Slot, TaskKey
from labeling.dialogues.candidate_set.drafts import draft_candidate_sets
from labeling.dialogues.candidate_set.proposing.proposals import proposals_folder
from labeling.dialogues.stored import drafts_folder
from stand_ins.auditors import key_of
from stand_ins.dialogues import spoken_about

LEFT, RIGHT, LOW = (10.0, 10.0, 20.0, 40.0), (40.0, 10.0, 20.0, 40.0), (0.0, 50.0, 90.0, 20.0)


def drafted(root: Path, *items: Item) -> Workspace:
    workspace = Workspace(root)
    plan = store.Plan(stage="catalog", inputs={}, settings={"items": len(items)})
    with store.writing(workspace.catalog, plan, configs={"items": "items-*.parquet"}) as out:
        out.shards("items", to_table(items, Item))
    draft_candidate_sets(workspace)
    return workspace


@pytest.fixture
def several(tmp_path: Path) -> Workspace:
    """Ten dialogues of three turns each."""
    return drafted(tmp_path, *(spoken_about(f"d{number}") for number in range(10)))


def slot(verdict: str = "confirmed", **more: Any) -> Slot:
    return Slot(auditor="ana", verdict=verdict, at="2026-03-01T12:00:00+00:00", **more)  # type: ignore[arg-type]


def test_it_is_found_by_its_name() -> None:
    assert kind_of("candidate-set") is KIND
    assert KIND.name == "candidate-set"


def test_the_turns_of_a_dialogue_follow_each_other(several: Workspace) -> None:
    tasks = KIND.tasks(several, AuditSettings())
    dialogues = [task.task_id.rpartition("/")[0] for task in tasks]
    assert [task.facets["turn"] for task in tasks] == [1, 2, 3] * 10
    assert [len(set(dialogues[at : at + 3])) for at in range(0, 30, 3)] == [1] * 10
    assert dialogues[::3] != sorted(dialogues[::3])  # a random part comes first
    assert tasks == KIND.tasks(several, AuditSettings())
    assert {each.task_id for each in tasks} == {
        each.task_id for each in KIND.tasks(several, AuditSettings(seed=1))
    }


@pytest.mark.parametrize(
    ("overlap", "limit", "count", "twice"),
    [
        (0.05, None, 30, 6),  # two of ten dialogues, with all of their turns
        (0.0, None, 30, 0),
        (1.0, None, 30, 30),
        (0.2, 9, 9, 6),  # two of three, as without the limit
        (0.0, 11, 9, 0),  # whole dialogues only
        (0.0, 1, 3, 0),  # one at least
    ],
)
def test_a_share_is_seen_twice_and_a_limit_takes_whole_dialogues(
    several: Workspace, overlap: float, limit: int | None, count: int, twice: int
) -> None:
    tasks = KIND.tasks(several, AuditSettings(overlap=overlap, limit=limit))
    assert len(tasks) == count
    assert sum(task.looks == 2 for task in tasks) == twice
    assert len({task.task_id.rpartition("/")[0] for task in tasks if task.looks == 2}) == twice / 3
    every = KIND.tasks(several, AuditSettings(overlap=overlap))
    assert [task.task_id for task in tasks] == [task.task_id for task in every][:count]
    assert [task.looks for task in tasks] == [task.looks for task in every][:count]


def test_a_task_shows_the_dialogue_so_far(tmp_path: Path) -> None:
    workspace = drafted(tmp_path, spoken_about(candidates=[LOW, RIGHT, LEFT], target=RIGHT))
    first, second, _ = KIND.tasks(workspace, AuditSettings())
    assert second.task_id == "d1/2"
    assert second.thing == (None, None, "d1/2", "candidates")
    assert second.before is None
    assert second.shown == {
        "dialogue_id": "d1",
        "turn": 2,
        "turns": 3,
        "picture": "aa/d1.png",
        "width": 100,
        "height": 80,
        "first_utterance": "the bottle, please.",
        "context": [
            {"speaker": "human", "text": "the bottle, please."},
            {"speaker": "agent", "text": "which one?"},
            {"speaker": "human", "text": "a green one."},
        ],
        "said": 1,  # the lines from here on are new in this turn
        "boxes": [
            {"id": "1", "category": None, "bbox": list(LEFT)},
            {"id": "2", "category": None, "bbox": list(RIGHT)},
            {"id": "3", "category": None, "bbox": list(LOW)},
        ],
        "target": "2",
        "proposed": None,
        "model_marks": None,
    }
    assert (first.shown["said"], len(first.shown["context"])) == (0, 1)
    assert [box.is_target for box in second.boxes] == [False, True, False]
    json.dumps([task.shown for task in (first, second)])  # screens get it as JSON


def test_a_blind_task_does_not_tell_what_is_meant(tmp_path: Path) -> None:
    workspace = drafted(tmp_path, spoken_about(candidates=[LEFT, RIGHT], target=RIGHT))
    blind = KIND.tasks(workspace, AuditSettings(blind=True))
    seeing = KIND.tasks(workspace, AuditSettings())
    for one, other in zip(blind, seeing, strict=True):
        assert (one.shown["target"], other.shown["target"]) == (None, "2")
        assert not any(box.is_target for box in one.boxes)
        assert {**one.shown, "target": "2"} == other.shown
        assert one.facets == other.facets


def test_what_a_model_proposed_is_shown_as_its_own(tmp_path: Path) -> None:
    workspace = drafted(tmp_path, spoken_about(candidates=[LEFT, RIGHT], target=RIGHT))
    propose_boxes(workspace, turn=2, box_ids=("1",))
    said = {
        task.task_id: task.shown["model_marks"] for task in KIND.tasks(workspace, AuditSettings())
    }
    assert said == {"d1/1": None, "d1/2": {"model": "seer", "boxes": ["1"]}, "d1/3": None}
    seeing = KIND.tasks(workspace, AuditSettings())
    # nothing is ticked beforehand, and a decision is not held against it
    assert {(task.shown["proposed"], task.before) for task in seeing} == {(None, None)}
    blind = KIND.tasks(workspace, AuditSettings(blind=True))
    assert {task.shown["model_marks"] for task in blind} == {None}
    assert {without_machine(task).shown["model_marks"] for task in seeing} == {None}


def propose_boxes(workspace: Workspace, turn: int, box_ids: tuple[str, ...]) -> None:
    drafts = store.require(drafts_folder(workspace, "candidate-set"), "draft").digest()
    plan = store.Plan(stage="proposals", inputs={"drafts": drafts}, settings={})
    row = ProposedMarks(
        dialogue_id="d1", turn=turn, box_ids=box_ids, model="seer", advice=None, faults=(),
        is_failed=False,
    )  # fmt: skip
    with store.writing(proposals_folder(workspace), plan, configs={}) as out:
        out.table("proposals", to_table([row], ProposedMarks))


@pytest.mark.parametrize(
    ("verdict", "boxes", "before", "after", "decided"),
    [
        ("confirmed", ("2", "10", "1"), None, '["1", "2", "10"]', "confirmed"),
        # against what a machine proposed
        ("confirmed", ("1",), '["1"]', '["1"]', "confirmed"),
        ("confirmed", ("1",), '["1", "2"]', '["1"]', "corrected"),
        ("corrected", ("1",), None, '["1"]', "confirmed"),
        ("unsure", (), None, None, "unsure"),
        ("unsure", ("1",), None, None, "unsure"),  # marks that were left standing say nothing
        ("rejected", (), '["1"]', None, "rejected"),
        ("withdrawn", ("1",), None, None, "withdrawn"),
    ],
)
def test_a_slot_is_one_decision(
    verdict: str, boxes: tuple[str, ...], before: str | None, after: str | None, decided: str
) -> None:
    task = TaskKey(
        task_id="d1/2", kind="candidate-set", before=before, stratum=None, probability=None,
        thing=Thing(None, None, "d1/2", "candidates"),
    )  # fmt: skip
    (found,) = KIND.decisions(task, slot(verdict, boxes=boxes, note="far", seconds=2.0))
    assert (found.record_id, found.field, found.image_id) == ("d1/2", "candidates", None)
    assert (found.before, found.after, found.verdict) == (before, after, decided)
    assert (found.auditor, found.note, found.seconds) == ("ana", "far", 2.0)


def test_marks_of_no_box_are_no_decision(several: Workspace) -> None:
    task = KIND.tasks(several, AuditSettings())[0]
    with pytest.raises(ValueError, match="without a box"):
        KIND.decisions(key_of(task), slot())


@pytest.mark.parametrize(
    ("taken", "refusal"),
    [
        (slot(boxes=("1", "3")), None),
        (slot(), "no box is marked; mark each object that may still be meant"),
        (
            slot(boxes=("1", "4")),
            "the picture has no box 4; mark each object that may still be meant",
        ),
        (slot("unsure"), None),
        (slot("rejected"), None),
        (slot("withdrawn"), None),
    ],
)
def test_what_cannot_be_stored_is_refused(
    several: Workspace, taken: Slot, refusal: str | None
) -> None:
    shown = KIND.tasks(several, AuditSettings())[0].shown
    assert KIND.refusal(several, shown, taken) == refusal


@pytest.mark.parametrize(
    ("draft", "failed", "advice"),
    [
        ({"boxes": ["1", "2"], "last": None}, [], []),
        ({"boxes": ["1"], "last": ["1", "2"]}, [], []),
        # it can be stored, but it widens, or leaves out what is meant
        ({"boxes": ["1", "3"], "last": ["1", "2"]}, [], ["within the last turn's"]),
        ({"boxes": ["2"], "last": ["1", "2"]}, [], ["the target is among them"]),
        ({"boxes": []}, ["at least one box"], ["the target is among them"]),
        ({"boxes": ["1", "x"]}, ["boxes of the picture"], []),
        # what no screen sends
        ({}, ["at least one box"], ["the target is among them"]),
        ({"boxes": "12", "last": 3}, ["at least one box"], ["the target is among them"]),
        ({"boxes": [1, None, "1"], "last": ["1"]}, [], []),
    ],
)
def test_marks_are_checked(
    several: Workspace, draft: dict[str, Any], failed: list[str], advice: list[str]
) -> None:
    shown = KIND.tasks(several, AuditSettings())[0].shown
    found = KIND.check(several, shown, draft)
    assert [each["name"] for each in found["checks"] if not each["passed"]] == failed
    assert [each["name"] for each in found["advice"] if not each["passed"]] == advice


def test_what_is_missing_is_named(tmp_path: Path, several: Workspace) -> None:
    with pytest.raises(WorkspaceError, match="build-dialogues candidate-set"):
        KIND.tasks(Workspace(tmp_path / "empty"), AuditSettings())
    plan = store.Plan(stage="catalog", inputs={}, settings={})
    with store.writing(several.catalog, plan, configs={"items": "items-*.parquet"}) as out:
        out.shards("items", to_table([spoken_about("d3")], Item))
    with pytest.raises(WorkspaceError, match=r"no picture of dialogue d0 \(9 of 10 dialogues\)"):
        KIND.tasks(several, AuditSettings())


def test_without_the_machine_they_are_those_of_a_blind_audit(several: Workspace) -> None:
    sighted, blind = (KIND.tasks(several, AuditSettings(blind=blind)) for blind in (False, True))
    assert [task.shown["target"] for task in sighted] != [task.shown["target"] for task in blind]
    assert [without_machine(task) for task in sighted] == blind
