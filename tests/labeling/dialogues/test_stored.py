"""The folders of dialogues: drafts, and what stands after people's decisions."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from benchwright import store
from benchwright.decisions.journal import append_decisions
from benchwright.errors import WorkspaceError
from benchwright.records import Decision
from benchwright.workspace import Workspace
from labeling.dialogues import stored
from labeling.dialogues.stored import (
    decide_dialogues,
    dialogues_folder,
    read_dialogues,
    read_drafts,
    record_digest,
    record_id_of,
    undecided_records,
    write_drafts,
)
from stand_ins.dialogues import candidate_set
from stand_ins.false_premises import (
    false_premise,
    false_premises,
    said_of,
    store_false_premises,
)

KIND = "false-premise"


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    return Workspace(tmp_path / "workspace")


def test_drafts_come_back_as_they_were_in_the_order_of_their_ids(workspace: Workspace) -> None:
    manifest = store_false_premises(workspace)
    read = read_drafts(workspace, KIND)
    assert read == sorted(false_premises(), key=lambda record: record.dialogue_id)
    assert manifest.counts == {"drafts": 4}
    assert manifest.plan.stage == "dialogues/false-premise/drafts"


def test_turns_stand_by_number(workspace: Workspace) -> None:
    turns = [candidate_set(turn) for turn in (10, 2, 1)]
    plan = store.Plan(stage="dialogues/candidate-set/drafts", inputs={}, settings={})
    write_drafts(workspace, "candidate-set", turns, plan, reasons={"too few boxes": 3})
    assert [record_id_of(turn) for turn in read_drafts(workspace, "candidate-set")] == [
        "d1/1",
        "d1/2",
        "d1/10",
    ]


def test_two_drafts_of_one_id_are_a_bug(workspace: Workspace) -> None:
    with pytest.raises(ValueError, match="drafts of one id: fp-dog"):
        store_false_premises(workspace, [false_premise(), false_premise()])


@pytest.mark.parametrize("read", [read_drafts, decide_dialogues], ids=["read", "decide"])
def test_without_drafts_it_says_how_to_make_some(workspace: Workspace, read: Any) -> None:
    with pytest.raises(
        WorkspaceError, match="run build-dialogues false-premise run --voters FILE first"
    ):
        read(workspace, KIND)
    with pytest.raises(WorkspaceError, match="run build-dialogues candidate-set draft first"):
        read(workspace, "candidate-set")


def test_without_decisions_taken_over_the_command_is_named(workspace: Workspace) -> None:
    store_false_premises(workspace)
    with pytest.raises(WorkspaceError, match="run review-labels sync first"):
        read_dialogues(workspace, KIND)


def test_nothing_stands_that_nobody_approved(workspace: Workspace) -> None:
    store_false_premises(workspace)
    manifest = decide_dialogues(workspace, KIND)
    assert read_dialogues(workspace, KIND) == []
    assert manifest.counts == {"dialogues": 0, "withheld": 4}
    assert manifest.reasons == {"not judged yet": 4}


def test_what_people_approved_stands_and_the_rest_lies_beside_it(workspace: Workspace) -> None:
    dog, woman, boat, donut = false_premises()
    store_false_premises(workspace)
    decisions = [
        said_of(dog),
        said_of(woman, verdict="rejected", after=None, failed=("naturalness",)),
        said_of(boat, verdict="unsure", after=None),
        said_of(donut, verdict="confirmed", after=record_digest(donut)),
        said_of(donut, verdict="withdrawn", after=None, at="2026-03-01T12:00:01+00:00"),
        said_of(dog, record_id="another"),  # of a record that is no draft
    ]
    append_decisions(workspace, decisions)
    manifest = decide_dialogues(workspace, KIND)
    assert [record.dialogue_id for record in read_dialogues(workspace, KIND)] == ["fp-dog"]
    assert manifest.counts == {"dialogues": 1, "withheld": 3}
    assert manifest.reasons == {"not judged yet": 1, "rejected": 1, "unsure": 1}
    withheld = store.read_table(dialogues_folder(workspace, KIND), "withheld.parquet")
    ids = withheld.column("dialogue_id").to_pylist()
    assert ids == ["fp-boat", "fp-donut", "fp-woman"]


def test_the_same_drafts_and_decisions_give_the_same_bytes(tmp_path: Path) -> None:
    written = []
    for name, order in (("one", 1), ("two", -1)):
        workspace = Workspace(tmp_path / name)
        store_false_premises(workspace, false_premises()[::order])
        append_decisions(workspace, [said_of(record) for record in false_premises()[::order]])
        decide_dialogues(workspace, KIND)
        folder = dialogues_folder(workspace, KIND)
        written.append({path.name: path.read_bytes() for path in folder.glob("*.parquet")})
    assert written[0] == written[1]
    assert written[0].keys() == {"dialogues.parquet", "withheld.parquet"}


def test_what_has_not_changed_is_not_written_again(workspace: Workspace) -> None:
    store_false_premises(workspace)
    decide_dialogues(workspace, KIND)
    path = dialogues_folder(workspace, KIND) / store.MANIFEST
    before = path.stat().st_mtime_ns
    decide_dialogues(workspace, KIND)
    assert path.stat().st_mtime_ns == before
    append_decisions(workspace, [said_of(false_premise())])
    decide_dialogues(workspace, KIND)
    assert path.stat().st_mtime_ns != before


def test_drafts_that_changed_are_decided_anew(workspace: Workspace) -> None:
    dog = false_premise()
    store_false_premises(workspace, [dog])
    append_decisions(workspace, [said_of(dog)])
    assert decide_dialogues(workspace, KIND).counts["dialogues"] == 1
    store_false_premises(workspace, [replace(dog, variant=2)])
    manifest = decide_dialogues(workspace, KIND)  # what was approved is another draft
    assert manifest.reasons == {"not judged yet": 1}


def test_turns_of_one_dialogue_stand_together(workspace: Workspace) -> None:
    plan = store.Plan(stage="dialogues/candidate-set/drafts", inputs={}, settings={})
    write_drafts(workspace, "candidate-set", [candidate_set(1), candidate_set(2)], plan)
    marked = {"image_id": None, "record_id": "d1/1", "field": "candidates", "before": None}
    said: dict[str, Any] = {"after": json.dumps(["1"]), "verdict": "confirmed", "object_id": None}
    rest: dict[str, Any] = {"auditor": "ana", "seconds": 1.0, "stratum": None, "probability": None}
    append_decisions(
        workspace, [Decision(**marked, **said, **rest, at="2026-03-01T12:00:00+00:00")]
    )
    reasons = decide_dialogues(workspace, "candidate-set").reasons
    assert reasons == {"another turn is withheld": 1, "not judged yet": 1}


def test_a_digest_is_of_all_that_a_record_holds() -> None:
    dog = false_premise()
    assert record_digest(dog) == record_digest(false_premise())
    assert record_digest(dog) != record_digest(replace(dog, complexity="multi-target separated"))
    assert len(record_digest(dog)) == 16


def test_every_kind_says_what_its_records_become() -> None:
    for kind in stored.DIALOGUE_KINDS:
        assert stored._decide_all(kind, [], {}) == []


def test_undecided_records_are_those_that_their_kind_withholds_so(workspace: Workspace) -> None:
    decisions: list[Decision] = []
    assert undecided_records(workspace, KIND, decisions) == []
    store_false_premises(workspace)
    first, second, third, _ = false_premises()
    decisions += [said_of(first, "ana"), said_of(first, "bo", verdict="rejected", after=None)]
    decisions += [said_of(second, "ana"), said_of(second, "bo")]
    decisions += [said_of(third, "ana", verdict="rejected", after=None)]
    assert undecided_records(workspace, KIND, decisions) == [first.dialogue_id]
    assert undecided_records(workspace, "candidate-set", decisions) == []
    decisions.append(said_of(first, "cy"))
    assert undecided_records(workspace, KIND, decisions) == []
