"""Making a release anew of what its workspace recorded: the first stage that differs is named."""

import json
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from benchwright import store
from benchwright.decisions.journal import append_decisions, journal_path
from benchwright.records import Item
from benchwright.rows import from_table, to_table
from benchwright.workspace import Workspace
from exports.contents.private_answers import KEY
from exports.provenance.errata import note_erratum
from exports.provenance.takedowns import take_down
from exports.verifying import rebuilding
from exports.verifying.finding import Finding
from exports.verifying.rebuilding import rebuild_release
from labeling.dialogues.stored import drafts_folder, read_drafts, write_drafts
from stand_ins.whole_workspace import (
    decide_labels,
    pictures_of,
    ruled,
    store_galleries,
    store_votes,
)

Release = Callable[..., Path]
GALLERIES = "galleries/tau-0.3"


def at(workspace: Workspace, version: str = "1.0.0") -> Path:
    return workspace.releases / "things" / version


def found(workspace: Workspace, version: str = "1.0.0") -> list[Finding]:
    return rebuild_release(at(workspace, version), workspace)


def first_fault(workspace: Workspace) -> tuple[str, str]:
    """Return the stage that differs and what is said; nothing comes after it."""
    checks = found(workspace)
    assert [one.holds for one in checks] == [True] * (len(checks) - 1) + [False]
    return checks[-1].check, checks[-1].faults[0]


def test_all_of_it_is_made_anew(
    whole: Workspace, holdings: Callable[[Path], dict[str, Any]]
) -> None:
    before = holdings(whole.root)
    checks = found(whole)
    assert [one.check for one in checks] == [
        "catalog",
        "dialogues/candidate-set/drafts",
        "dialogues/false-premise/drafts",
        "dialogues/question-chain/drafts",
        "labels/votes",
        "words and decisions",
        "labels",
        GALLERIES,
        "dialogues/candidate-set",
        "dialogues/false-premise",
        "dialogues/question-chain",
        "configs",
        "bytes",
    ]
    assert [line for one in checks for line in one.faults] == []
    assert holdings(whole.root) == before


def test_what_happened_since_does_not_matter(whole: Workspace, release: Release) -> None:
    item = pictures_of(whole)[3]
    append_decisions(whole, [ruled(item, "trim", "lace", "yes", "bo")])
    decide_labels(whole)
    shutil.rmtree(whole.galleries)
    store_galleries(whole, "0.3,0.5", seed=7)
    release(whole, "1.1.0")
    assert [line for one in found(whole) for line in one.faults] == []
    assert [line for one in found(whole, "1.1.0") for line in one.faults] == []


def test_what_was_declared_since_does_not_matter(whole: Workspace, release: Release) -> None:
    take_down(whole, "things", pictures_of(whole)[0].image_id, "they asked")
    release(whole, "1.0.1")
    noted = pq.read_table(at(whole, "1.0.1") / "data" / "false-premise")["dialogue_id"][0].as_py()
    note_erratum(
        whole,
        "things",
        config="false-premise",
        sample_id=noted,
        reason="two",
        withdrawn=True,
    )
    release(whole, "1.0.2")
    for version in ("1.0.0", "1.0.1", "1.0.2"):
        assert [line for one in found(whole, version) for line in one.faults] == [], version


def test_what_was_declared_and_is_gone_is_named(whole: Workspace, release: Release) -> None:
    take_down(whole, "things", pictures_of(whole)[0].image_id, "they asked")
    folder = release(whole, "1.0.1")
    (whole.releases / "things" / "takedowns.jsonl").write_text("", "utf-8")
    (*_, last) = rebuild_release(folder, whole)
    assert last.check == "words and decisions"
    assert "takedowns.jsonl: does not begin with the lines that it held" in last.faults[0]


def _votes(workspace: Workspace) -> None:
    store_votes(workspace, lambda voter, _item, _type, value: (voter, value) == ("one", "bow"))


def _vocabulary(workspace: Workspace) -> None:
    path = workspace.vocabulary
    path.write_text(path.read_text("utf-8").replace("exclusive: true", "exclusive: false"), "utf-8")


def _drafts(workspace: Workspace) -> None:
    drafts = [replace(one, category="another") for one in read_drafts(workspace, "false-premise")]
    manifest = store.require(drafts_folder(workspace, "false-premise"), "")
    write_drafts(workspace, "false-premise", drafts, manifest.plan)


def _catalog(workspace: Workspace) -> None:
    manifest = store.require(workspace.catalog, "")
    items = list(from_table(store.read_table(workspace.catalog, "items-*.parquet"), Item))
    items[0] = replace(items[0], title="Another")
    with store.writing(workspace.catalog, manifest.plan, configs={}) as out:
        out.shards("items", to_table(items, Item))
        for name in ("changes", "rejects"):
            out.table(name, store.read_table(workspace.catalog, f"{name}.parquet"))


def _spoil(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.write_bytes(bytes(data))


# what was done to the workspace, the stage that is named, what is said
@pytest.mark.parametrize(
    ("change", "stage", "said"),
    [
        (_votes, "labels/votes", "votes holds other rows than it did"),
        (lambda at: shutil.rmtree(at.votes), "labels/votes", "nothing finished here"),
        (lambda at: _spoil(next(at.votes.glob("*.parquet"))), "labels/votes", "is not the file"),
        (_drafts, "dialogues/false-premise/drafts", "drafts holds other rows than it did"),
        (_vocabulary, "words and decisions", "vocabulary.yaml: is another than it was"),
        (lambda at: _spoil(journal_path(at)), "words and decisions", "does not begin with the"),
        (lambda at: journal_path(at).unlink(), "words and decisions", "does not begin with the"),
    ],
)
def test_what_was_recorded_and_is_another_is_named(
    whole: Workspace, change: Callable[[Workspace], object], stage: str, said: str
) -> None:
    change(whole)
    name, fault = first_fault(whole)
    assert name == stage
    assert said in fault


def _stage(name: str, **values: Any) -> Callable[[dict[str, Any]], Any]:
    """Return a change of what the lock says of a stage."""
    return lambda lock: lock["stages"][name].update(values)


def _config(lock: dict[str, Any]) -> None:
    lock["configs"]["labels"]["digest"] = "0" * 64


def _file(lock: dict[str, Any]) -> None:
    lock["files"]["croissant.json"]["sha256"] = "0" * 64


# what a lock says that is not so, the stage that is named, what is said
@pytest.mark.parametrize(
    ("change", "stage", "said"),
    [
        (_stage("labels", content={"labels": "0" * 64}), "labels", "other rows in labels"),
        (_stage(GALLERIES, seed=8), GALLERIES, "other rows in episodes"),
        (
            _stage("dialogues/false-premise", content={"dialogues": "0" * 64}),
            "dialogues/false-premise",
            "other rows in dialogues",
        ),
        (_config, "configs", "labels: other rows than were released"),
        (_file, "bytes", "croissant.json: other bytes than were released"),
        (lambda lock: lock.update(card="0" * 64), "bytes", "README.md: another generated block"),
        (lambda lock: lock["settings"].update(new=1), "making it anew", "does not know (new)"),
    ],
)
def test_the_stage_that_differs_first_is_named(
    whole: Workspace, change: Callable[[dict[str, Any]], Any], stage: str, said: str
) -> None:
    path = at(whole) / "release.lock.json"
    lock = json.loads(path.read_text("utf-8"))
    change(lock)
    path.write_text(json.dumps(lock), "utf-8")
    name, fault = first_fault(whole)
    assert name == stage
    assert said in fault


def test_bytes_are_not_compared_under_other_versions(whole: Workspace) -> None:
    path = at(whole) / "release.lock.json"
    lock = json.loads(path.read_text("utf-8"))
    lock["packages"] |= {"pyarrow": "1.0", "gone": "2.0"}
    lock["files"]["croissant.json"]["sha256"] = "0" * 64
    path.write_text(json.dumps(lock), "utf-8")
    last = found(whole)[-1]
    assert (last.check, last.holds) == ("bytes", True)
    assert last.looked_at.endswith(", gone 2.0 (here none)")
    assert last.looked_at.startswith("not compared: made with pyarrow 1.0 (here ")


def test_weights_of_a_file_elsewhere_are_said(whole: Workspace) -> None:
    path = at(whole) / "release.lock.json"
    lock = json.loads(path.read_text("utf-8"))
    lock["stages"]["labels"]["inputs"]["weights_file"] = "0" * 64
    path.write_text(json.dumps(lock), "utf-8")
    checks = {one.check: one for one in found(whole)}
    assert checks["labels"].looked_at == "as they are: weighed by a file elsewhere"
    assert all(one.holds for one in checks.values())


def test_a_release_that_holds_its_answers_back(
    whole: Workspace, release: Release, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(KEY, "k" * 32)
    release(whole, "2.0.0", private_answers=True)
    checks = found(whole, "2.0.0")
    assert [line for one in checks for line in one.faults] == []
    assert checks[-1].check == "bytes"
    monkeypatch.setenv(KEY, "another key, of another maker " * 2)
    (*_, last) = found(whole, "2.0.0")
    assert last.check == "configs"
    monkeypatch.delenv(KEY)
    (*_, last) = found(whole, "2.0.0")
    assert KEY in last.faults[0]


def test_paired_galleries_are_built_together(
    whole: Workspace, release: Release, monkeypatch: pytest.MonkeyPatch, run: Callable[..., Any]
) -> None:
    built = ("build-galleries", "--tau", "0.3,0.5", "--paired", "--episodes", "9", "--size", "6-8")
    ran = run(*built, "--seed", "3", "--workspace", whole.root)
    assert ran.code == 0, ran.err
    release(whole, "1.1.0")
    assert [line for one in found(whole, "1.1.0") for line in one.faults] == []


def test_labels_of_a_catalog_alone(small: Path, release: Release) -> None:
    workspace = Workspace(small)
    release(workspace)
    assert [line for one in found(workspace) for line in one.faults] == []


def test_decisions_that_came_after_the_first_version(small: Path, release: Release) -> None:
    workspace = Workspace(small)
    release(workspace)
    append_decisions(workspace, [ruled(pictures_of(workspace)[0], "trim", "bow", "yes")])
    assert [line for one in found(workspace) for line in one.faults] == []


def test_the_command_goes_on_to_the_workspace(whole: Workspace, run: Callable[..., Any]) -> None:
    ran = run("push-release", "verify", at(whole), "--workspace", whole.root)
    assert ran.code == 0, ran.out + ran.err
    assert "ok  labels: decided anew of votes, catalog and decisions" in ran.out
    _votes(whole)
    ran = run("push-release", "verify", at(whole), "--workspace", whole.root)
    assert ran.code == 1
    assert "NO  labels/votes: recorded" in ran.out


def test_no_place_is_left_behind(
    whole: Workspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = tmp_path / "places"
    place.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(place))

    def broken(*_: object, **__: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(rebuilding, "build_release", broken)
    with pytest.raises(ZeroDivisionError):
        found(whole)
    assert list(place.iterdir()) == []
    assert pictures_of(whole)  # links went, not what they lead to
