import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from benchwright import store
from benchwright.decisions.standing import outcome, standing
from benchwright.errors import UsageError, WorkspaceError
from benchwright.records import Episode, Item
from benchwright.rows import from_table, to_table
from benchwright.workspace import Workspace
from labeling.audits.tasks.galleries import CHECKLIST, KIND
from labeling.audits.tasks.kinds import kind_of
from labeling.audits.tasks.task import AuditSettings, Slot
from stand_ins.auditors import key_of


def episodes_of(workspace: Workspace, folder: str = "tau-0.3") -> dict[str, Episode]:
    table = store.read_table(workspace.galleries / folder, "episodes.parquet")
    return {f"{folder}/{one.episode_id}": one for one in from_table(table, Episode)}


def slot(verdict: str, *failed: str, auditor: str = "ana") -> Slot:
    return Slot(auditor=auditor, verdict=verdict, failed=failed, at="2026-03-01T12:00:00+00:00")  # type: ignore[arg-type]


def test_it_is_found_by_its_name() -> None:
    assert kind_of("galleries") is KIND
    assert KIND.name == "galleries"


def test_a_task_shows_a_whole_gallery(small: Path) -> None:
    workspace = Workspace(small)
    episodes = episodes_of(workspace)
    tasks = KIND.tasks(workspace, AuditSettings())
    assert {task.task_id for task in tasks} == set(episodes)
    for task in tasks:
        episode, shown = episodes[task.task_id], task.shown
        pictures = shown["pictures"]
        assert task.thing == (None, None, task.task_id, "gallery")
        assert task.image_id == episode.image_ids[shown["target"] - 1] == episode.target_id
        assert [each["number"] for each in pictures] == [*range(1, len(episode.image_ids) + 1)]
        assert [each["similarity"] for each in pictures] == list(episode.similarities)
        assert all((workspace.images / each["picture"]).is_file() for each in pictures)
        assert task.facets == {
            "tau": 0.3, "size": len(pictures), "par": episode.par,
            "identifiable": episode.identifiable,
        }  # fmt: skip
    json.dumps([task.shown for task in tasks])


def test_what_tells_a_picture_is_what_it_differs_in(small: Path) -> None:
    """In the small table each of cloth, shape and trim has one value of a picture, and is asked."""
    workspace = Workspace(small)
    for task in KIND.tasks(workspace, AuditSettings(limit=5)):
        shown = task.shown
        target = {each["type"]: each["value"] for each in shown["target_values"]}
        assert set(target) == {"cloth", "shape", "trim"}
        for each in shown["pictures"]:
            told = {(value["type"], value["value"], value["has"]) for value in each["told_by"]}
            differing = {kind for kind, _, _ in told}
            assert each["similarity"] == pytest.approx(1 - len(differing) / 3)
            # the target's value, which it has not, and its own, which the target has not
            assert len(told) == 2 * len(differing)
            assert {(kind, target[kind], False) for kind in differing} <= told
            assert (each["number"] == shown["target"]) == (not told)
        for each in shown["telling"]:
            assert each["distractors"] == sum(
                any(
                    (value["type"], value["value"]) == (each["type"], each["value"])
                    for value in picture["told_by"]
                )
                for picture in shown["pictures"]
            )


@pytest.mark.parametrize(
    ("limit", "overlap", "count", "twice"),
    [(None, 0.0, 36, 0), (10, 0.2, 10, 2), (10, 1.0, 10, 10), (1000, 0.25, 36, 10)],
)
def test_a_limit_takes_the_first_and_a_share_is_seen_twice(
    small: Path, limit: int | None, overlap: float, count: int, twice: int
) -> None:
    workspace = Workspace(small)
    tasks = KIND.tasks(workspace, AuditSettings(limit=limit, overlap=overlap))
    every = KIND.tasks(workspace, AuditSettings(overlap=overlap))
    assert [task.task_id for task in tasks] == [task.task_id for task in every][:count]
    assert sum(task.looks == 2 for task in tasks) == twice
    assert [task.looks for task in tasks] == [task.looks for task in every][:count]
    assert {task.probability for task in tasks} == {count / 36}
    other = KIND.tasks(workspace, AuditSettings(seed=1))
    assert [task.task_id for task in other] != [task.task_id for task in every]


def test_galleries_of_all_tau_are_mixed(small: Path, run: Callable[..., Any]) -> None:
    assert run("build-galleries", "--tau", "0.6", "--workspace", small).code == 0
    workspace = Workspace(small)
    (small / "galleries" / "tau-0.9").mkdir()  # a run that was stopped is no gallery yet
    tasks = KIND.tasks(workspace, AuditSettings())
    assert {task.stratum for task in tasks} == {"tau-0.3", "tau-0.6"}
    assert {task.task_id for task in tasks} == {
        *episodes_of(workspace), *episodes_of(workspace, "tau-0.6")
    }  # fmt: skip
    assert len({task.stratum for task in tasks[:20]}) == 2
    assert not any(task.shown["is_stale"] for task in tasks)


def test_galleries_of_other_labels_say_so(small: Path, run: Callable[..., Any]) -> None:
    vocabulary = small / "labels" / "vocabulary.yaml"
    text = vocabulary.read_text("utf-8")
    assert "      plain: {}\n" in text
    vocabulary.write_text(text.replace("      plain: {}\n", ""), "utf-8")
    ran = run("label-attributes", "normalise", "--workspace", small)
    assert ran.code == 0, ran.err
    tasks = KIND.tasks(Workspace(small), AuditSettings())
    assert all(task.shown["is_stale"] for task in tasks)


@pytest.mark.parametrize(
    ("taken", "after", "verdict"),
    [
        (slot("confirmed"), "good", "confirmed"),
        (slot("rejected", CHECKLIST[0]), "bad", "corrected"),
        (slot("unsure"), None, "unsure"),
        (slot("withdrawn", CHECKLIST[0]), None, "withdrawn"),
    ],
)
def test_a_slot_is_one_decision(small: Path, taken: Slot, after: str | None, verdict: str) -> None:
    task = KIND.tasks(Workspace(small), AuditSettings(limit=1))[0]
    (found,) = KIND.decisions(key_of(task), taken)
    assert (found.record_id, found.field) == (task.task_id, "gallery")
    assert (found.before, found.after, found.verdict) == ("good", after, verdict)
    assert (found.failed, found.stratum) == (taken.failed, "tau-0.3")


def test_auditors_who_differ_on_a_gallery_are_seen_to_differ(small: Path) -> None:
    key = key_of(KIND.tasks(Workspace(small), AuditSettings(limit=1))[0])
    decisions = [
        *KIND.decisions(key, slot("confirmed")),
        *KIND.decisions(key, slot("rejected", CHECKLIST[1], auditor="bo")),
    ]
    assert outcome(standing(decisions)[key.thing]) == (None, "undecided")


@pytest.mark.parametrize(
    ("taken", "refusal"),
    [
        (slot("confirmed"), None),
        (slot("rejected", CHECKLIST[0], CHECKLIST[3]), None),
        (slot("rejected"), "tick at least one"),
        (slot("confirmed", CHECKLIST[2]), "cannot be approved"),
        (slot("unsure", CHECKLIST[2]), None),
        (slot("corrected"), "not corrected"),
        (slot("rejected", "it is ugly"), "no 'it is ugly'"),
        (slot("withdrawn"), None),
    ],
)
def test_verdict_and_checklist_must_agree(taken: Slot, refusal: str | None) -> None:
    found = KIND.refusal(Workspace(Path("nowhere")), {}, taken)
    assert (found is None) == (refusal is None)
    if refusal is not None:
        assert found is not None
        assert refusal in found
        assert "\n" not in found


def test_what_cannot_be_audited_is_named(small: Path, tmp_path: Path) -> None:
    workspace = Workspace(small)
    with pytest.raises(UsageError, match="leave --blind away"):
        KIND.tasks(workspace, AuditSettings(blind=True))
    with pytest.raises(WorkspaceError, match="run build-galleries first"):
        KIND.tasks(Workspace(tmp_path / "empty"), AuditSettings())
    items = store.read_table(workspace.catalog, "items-*.parquet")
    kept = list(from_table(items, Item))[1:]
    plan = store.Plan(stage="catalog", inputs={}, settings={})
    with store.writing(workspace.catalog, plan, configs={"items": "items-*.parquet"}) as out:
        out.shards("items", to_table(kept, Item))
    with pytest.raises(WorkspaceError, match=r"has no picture .* run build-galleries again"):
        KIND.tasks(workspace, AuditSettings())
    shutil.rmtree(workspace.galleries)
    with pytest.raises(WorkspaceError, match="run build-galleries first"):
        KIND.tasks(workspace, AuditSettings())
