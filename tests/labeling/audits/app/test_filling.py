"""Filling an audit and filling it again: what is there stays."""

import shutil
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from benchwright.errors import UsageError, WorkspaceError
from benchwright.workspace import Workspace
from labeling.audits.app.database import opened, served
from labeling.audits.tasks.task import TaskBox

pytest.importorskip("pymongo", reason="pymongo IS NOT INSTALLED: NOTHING WAS FILLED IN THIS RUN")

from labeling.audits.app import filling
from labeling.audits.app.filling import AuditTasks, fill_audit
from labeling.audits.app.judging import judge, next_task, progress
from labeling.audits.app.reading import audits_of, read_slots
from labeling.audits.app.stored import TASKS, stored_audit

Fill = Callable[..., Any]


def _sample(audit: Any, number: int) -> Any:
    return audit.samples.find_one({"task_id": f"task-{number}"})


def _judge(audit: Any, kit: SimpleNamespace, number: int, auditor: str = "ana") -> None:
    judge(audit, str(_sample(audit, number)["_id"]), kit.slot(auditor))


def test_filled_again_nothing_changes(filled: Fill, app_kit: SimpleNamespace) -> None:
    tasks = [app_kit.task(n) for n in range(5)]
    first = filled(tasks)
    assert (first.added, first.changed, first.closed, first.kept) == (5, 0, 0, 0)
    before = list(first.audit.samples.find().sort("_id", 1))
    again = filled(tasks)
    assert (again.added, again.changed, again.closed, again.kept) == (0, 0, 0, 5)
    assert list(again.audit.samples.find().sort("_id", 1)) == before


def test_a_plan_that_grows(filled: Fill, app_kit: SimpleNamespace) -> None:
    audit = filled([app_kit.task(n) for n in (1, 2, 3)]).audit
    _judge(audit, app_kit, 2)
    grown = [app_kit.task(n, probability=0.9) for n in (4, 2, 1, 3)]
    again = filled(grown)
    assert (again.added, again.changed, again.kept) == (1, 2, 1)  # 3 is where it was
    audit = again.audit
    assert [each["task_id"] for each in audit.samples.find().sort("rank", 1)] == [
        "task-4",
        "task-2",
        "task-1",
        "task-3",
    ]
    assert {each["probability"] for each in audit.database[TASKS].find()} == {0.9}
    ((_, slot),) = read_slots(audit.database, "attributes")
    assert slot.auditor == "ana"
    assert progress(audit, "ana").total == 4


def test_what_is_no_longer_planned_is_kept(filled: Fill, app_kit: SimpleNamespace) -> None:
    audit = filled([app_kit.task(n, looks=2) for n in (1, 2, 3)]).audit
    _judge(audit, app_kit, 1)
    again = filled([app_kit.task(3)])
    assert (again.closed, again.changed) == (2, 1)
    audit = again.audit
    assert [_sample(audit, n)["open"] for n in (1, 2, 3)] == [0, 0, 1]
    assert next_task(audit, "bo") == str(_sample(audit, 3)["_id"])
    assert [key.task_id for key, _ in read_slots(audit.database, "attributes")] == ["task-1"]
    assert progress(audit, "ana").total == 2  # what was judged, and what is planned
    # planned again it is open again, less what was judged
    audit = filled([app_kit.task(n, looks=2) for n in (1, 2, 3)]).audit
    assert [_sample(audit, n)["open"] for n in (1, 2, 3)] == [1, 2, 2]


def test_what_was_judged_is_kept_as_it_was_shown(filled: Fill, app_kit: SimpleNamespace) -> None:
    audit = filled([app_kit.task(n) for n in (1, 2)]).audit
    _judge(audit, app_kit, 1)
    other = {"before": "no", "shown": {"question": "other"}, "facets": {"type": "$other"}}
    audit = filled([app_kit.task(n, **other) for n in (1, 2)]).audit
    assert [_sample(audit, n)["task"] for n in (1, 2)] == [
        '{"question": "Is it red?"}',
        '{"question": "other"}',
    ]
    assert _sample(audit, 2)["type"] == "$other"
    before = {each["task_id"]: each["before"] for each in audit.database[TASKS].find()}
    assert before == {"task-1": "yes", "task-2": "no"}


def test_what_is_judged_while_it_is_filled_is_kept(
    filled: Fill, app_kit: SimpleNamespace, monkeypatch: pytest.MonkeyPatch
) -> None:
    audit = filled([app_kit.task(1)]).audit
    read = filling._Filling._standing

    def slow(self: Any) -> Any:
        found = list(read(self))
        if not _sample(audit, 1)["slot_1"]:
            _judge(audit, app_kit, 1)
        return iter(found)

    monkeypatch.setattr(filling._Filling, "_standing", slow)
    filled([app_kit.task(1, before="no", probability=0.9, shown={"question": "other"})])
    assert _sample(audit, 1)["task"] == '{"question": "Is it red?"}'
    ((key, _),) = read_slots(audit.database, "attributes")
    assert (key.before, key.probability) == ("yes", 0.9)


def test_who_may_not_judge_is_kept_up_to_date(filled: Fill, app_kit: SimpleNamespace) -> None:
    audit = filled([app_kit.task(n, barred=("cy",)) for n in (1, 2)]).audit
    assert _sample(audit, 1)["judged_by"] == ["cy"]
    _judge(audit, app_kit, 1)
    judged_by = {"task-1": ["ana", "bo"], "task-2": ["ana", "bo"]}
    again = filled([app_kit.task(n) for n in (1, 2)], judged_by=judged_by)
    assert again.changed == 2
    # ana may think better of what she decided here
    assert [_sample(audit, n)["judged_by"] for n in (1, 2)] == [["bo"], ["ana", "bo"]]
    assert next_task(audit, "ana") is None


def test_blind_audits_hold_nothing_of_the_machine(filled: Fill, app_kit: SimpleNamespace) -> None:
    audit = filled(
        [app_kit.task(1, before="SECRET", stratum="HIDDEN", probability=0.0123454321)], blind=True
    ).audit
    text = repr(list(audit.samples.find())) + repr(list(audit.database["datasets"].find()))
    assert "SECRET" not in text
    assert "HIDDEN" not in text
    assert "0.0123454321" not in text


def test_boxes_are_relative_to_the_picture(
    filled: Fill, app_kit: SimpleNamespace, audit_workspace: Workspace
) -> None:
    box = TaskBox(label="dress", bbox=(0, 10, 20, 30), is_target=True)
    audit = filled([app_kit.task(1, boxes=(box,))]).audit
    sample = _sample(audit, 1)
    width, height = sample["metadata"]["width"], sample["metadata"]["height"]
    (found,) = sample["boxes"]["detections"]
    assert found["bounding_box"] == [0, 10 / height, 20 / width, 30 / height]
    assert (found["label"], found["is_target"]) == ("dress", True)
    assert Path(sample["filepath"]).is_file()
    assert Path(sample["filepath"]).is_relative_to(audit_workspace.images.resolve())


def test_each_auditor_gets_a_view(filled: Fill, app_kit: SimpleNamespace) -> None:
    filled([app_kit.task(1)], auditor="ana")
    audit = filled([app_kit.task(1)], auditor="bo").audit
    assert audit.info["auditors"] == ["ana", "bo"]


def _fill(workspace: Workspace, kit: SimpleNamespace) -> Any:
    """Fill by itself, with the first picture of the catalog."""
    from benchwright import store  # noqa: PLC0415

    table = store.read_table(workspace.catalog, "items-*.parquet", ["image_id"])
    task = kit.task(1, image_id=table.column("image_id")[0].as_py())
    wanted = AuditTasks(
        name="attributes", kind="attributes", blind=False, tasks=[task], judged_by={}
    )
    with served(workspace) as address, opened(address) as database:
        return fill_audit(workspace, address, database, wanted, "ana").added


def test_a_moved_workspace_finds_its_pictures_again(
    filled: Fill,
    app_kit: SimpleNamespace,
    audit_workspace: Workspace,
    tmp_path: Path,
    shared_mongo: str,
) -> None:
    assert _fill(audit_workspace, app_kit) == 1
    moved = Workspace(tmp_path / "else $1 where")
    audit_workspace.root.rename(moved.root)
    assert _fill(moved, app_kit) == 0
    with served(moved) as address, opened(address) as database:
        (sample,) = stored_audit(database, "attributes").samples.find()
        assert Path(sample["filepath"]).is_file()
        assert sample["filepath"].startswith(str(moved.images))


def test_the_audit_of_another_workspace_is_left_alone(
    filled: Fill, app_kit: SimpleNamespace, audit_workspace: Workspace, tmp_path: Path
) -> None:
    assert _fill(audit_workspace, app_kit) == 1
    other = Workspace(Path(shutil.copytree(audit_workspace.root, tmp_path / "other")))
    with pytest.raises(UsageError, match=r"'attributes' of another workspace.*DATABASE_NAME"):
        _fill(other, app_kit)


def test_a_dataset_that_is_no_audit_is_left_alone(
    filled: Fill, app_kit: SimpleNamespace, audit_workspace: Workspace
) -> None:
    with served(audit_workspace) as address, opened(address) as database:
        mine = {"name": "attributes", "sample_collection_name": "samples.1", "info": {"a": 1}}
        database["datasets"].insert_one(dict(mine))
        with pytest.raises(UsageError, match=r"'attributes' that is no audit.*rename it"):
            filled([app_kit.task(1)])
        assert audits_of(database) == []
        with pytest.raises(WorkspaceError, match="review-labels open --audit attributes"):
            stored_audit(database, "attributes")


def test_pictures_that_are_gone(
    filled: Fill, app_kit: SimpleNamespace, audit_workspace: Workspace
) -> None:
    audit = filled([app_kit.task(n) for n in range(4)]).audit
    paths = sorted(audit.samples.distinct("filepath"))[:2]
    for path in paths:
        Path(path).unlink()
    with pytest.raises(WorkspaceError) as caught:
        filled([app_kit.task(n) for n in range(4)])
    assert str(caught.value) == (
        f"2 of 4 pictures to judge are gone, the first is {paths[0]};"
        " bring them back, or run the build-catalog command again with --force"
    )


def test_pictures_that_the_catalog_does_not_know(
    app_kit: SimpleNamespace, audit_workspace: Workspace, shared_mongo: str
) -> None:
    wanted = AuditTasks(
        name="attributes", kind="attributes", blind=False, tasks=[app_kit.task(1)], judged_by={}
    )
    with (
        served(audit_workspace) as address,
        opened(address) as database,
        pytest.raises(WorkspaceError, match="holds no picture of 1 that are to be judged"),
    ):
        fill_audit(audit_workspace, address, database, wanted, "ana")


def test_a_killed_filling_goes_on(filled: Fill, app_kit: SimpleNamespace) -> None:
    tasks = [app_kit.task(n) for n in range(6)]
    audit = filled(tasks).audit
    audit.samples.delete_many({"rank": {"$gte": 2}})  # keys were written, samples not all
    again = filled(tasks)
    assert (again.added, again.kept) == (4, 2)
    assert audit.database[TASKS].count_documents({}) == 6
