"""What changed between two versions that were built, why, and which version that asks for."""

import json
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from benchwright import store
from benchwright.decisions.journal import append_decisions
from benchwright.errors import UsageError
from benchwright.workspace import Workspace
from exports.differing.diff import Diff, diff_releases
from exports.differing.report import diff_lines, diff_rows
from exports.provenance.errata import note_erratum
from exports.provenance.takedowns import take_down
from labeling.dialogues.stored import drafts_folder, read_drafts, write_drafts
from stand_ins.false_premises import said_of
from stand_ins.whole_workspace import (
    catalog_says,
    decide_labels,
    pictures_of,
    ruled,
    store_galleries,
    store_votes,
)

Release = Callable[..., Path]
EPISODES = "hidden-target-tau-0.3"


def _audited(workspace: Workspace) -> None:
    """Two auditors say that the fourth picture has lace and no bow."""
    item = pictures_of(workspace)[3]
    append_decisions(
        workspace,
        [
            ruled(item, "shape", "round", "yes", "bo"),
            ruled(item, "cloth", "crimson", "yes", "ana"),
        ],
    )
    decide_labels(workspace)
    store_galleries(workspace)


def _voted(workspace: Workspace) -> None:
    """One voter of three no longer sees any lace."""
    store_votes(
        workspace,
        lambda voter, item, type_, value: (
            (voter, value) != ("one", "lace") and catalog_says(voter, item, type_, value)
        ),
    )
    decide_labels(workspace)
    store_galleries(workspace)


def _fewer_dialogues(workspace: Workspace) -> None:
    first = read_drafts(workspace, "false-premise")[0]
    rejected = said_of(first, "bo", after=None, verdict="rejected")
    more = said_of(first, "cy", after=None, verdict="rejected")
    append_decisions(workspace, [rejected, more])


def _more_approvals(workspace: Workspace) -> None:
    append_decisions(workspace, [said_of(read_drafts(workspace, "false-premise")[0], "bo")])


def _more_said_and_more_dialogues(workspace: Workspace) -> None:
    _more_approvals(workspace)
    _more_dialogues(workspace)


def _corrected(workspace: Workspace) -> None:
    drafts = read_drafts(workspace, "false-premise")
    changed = [replace(drafts[0], category="another"), *drafts[1:]]
    manifest = store.require(drafts_folder(workspace, "false-premise"), "")
    write_drafts(workspace, "false-premise", changed, manifest.plan)
    append_decisions(workspace, [said_of(changed[0])])


def _more_dialogues(workspace: Workspace) -> None:
    drafts = read_drafts(workspace, "false-premise")
    made = replace(drafts[0], dialogue_id="fp-new")
    manifest = store.require(drafts_folder(workspace, "false-premise"), "")
    write_drafts(workspace, "false-premise", [*drafts, made], manifest.plan)
    append_decisions(workspace, [said_of(made)])


def _taken_down(workspace: Workspace) -> None:
    item = pictures_of(workspace)[1]  # of the candidate set
    take_down(workspace, "things", item.image_id, "asked for")


def _taken_down_and_fewer_dialogues(workspace: Workspace) -> None:
    _taken_down(workspace)
    _fewer_dialogues(workspace)


def _erratum(workspace: Workspace, *, withdrawn: bool) -> None:
    note_erratum(
        workspace,
        "things",
        config="question-chain",
        sample_id="c1",
        reason="its question is ambiguous",
        withdrawn=withdrawn,
    )


def _fewer_pictures(workspace: Workspace) -> None:
    """Only dialogues are left, about four pictures."""
    shutil.rmtree(workspace.galleries)


# what happened, what is said of it, the bump
@pytest.mark.parametrize(
    ("change", "said", "bump"),
    [
        # people corrected labels, so that galleries are others
        (_audited, ["labels:", "changed: audit: auditor-", "such as "], "major"),
        (_audited, [f"{EPISODES}:", "labels of its pictures changed"], "major"),
        # votes of a share that is another: the answers stand
        (_voted, ["labels:", "changed: votes: score 1.000 to 0.667"], "patch"),
        # dialogues come, are mended, and go
        (
            _more_dialogues,
            [
                "1 added: audit: auditor-1 confirmed, such as fp-new",
                "decisions: 1 added",
                "1 added: a new decision",
            ],
            "minor",
        ),
        # one more approval is said about a dialogue and does not change it
        (_more_approvals, ["false-premise: 1 changed", "fields: approvals 1"], "patch"),
        (
            _more_said_and_more_dialogues,
            ["false-premise: 1 added, 1 changed", "fields: approvals 1"],
            "minor",
        ),
        (_corrected, ["false-premise: 1 changed", "audit: auditor-1 confirmed"], "major"),
        (
            _fewer_dialogues,
            [
                "false-premise: 1 removed",
                "1 removed: left out: rejected",
                "decisions: 1 removed",
                "1 removed: what it is about is no longer released",
            ],
            "major",
        ),
        # galleries by other settings
        (
            lambda at: store_galleries(at, per_value=4),
            ["made with other settings: per_value 7 to 4"],
            "major",
        ),
        (lambda at: store_galleries(at, seed=9), ["with other settings: seed 0 to 9"], "major"),
        (lambda at: store_galleries(at, "0.5"), ["hidden-target-tau-0.5: ", "added"], "minor"),
        # a picture that was taken down, and what showed it
        (
            _taken_down,
            ["candidate-set: 2 removed", "2 removed: a picture of it was taken down"],
            "patch",
        ),
        (_taken_down, [f"{EPISODES}: ", "removed: a picture of it was taken down"], "patch"),
        (_taken_down, ["images: 1 removed", "1 removed: taken down, such as"], "patch"),
        # a dialogue that somebody rejected besides
        (
            _taken_down_and_fewer_dialogues,
            ["removed: a picture of it was taken down", "1 removed: left out: rejected"],
            "major",
        ),
        (_fewer_pictures, [f"{EPISODES}: 36 removed", "the config is gone"], "major"),
        # faults that are published
        (
            lambda at: _erratum(at, withdrawn=True),
            ["question-chain: 1 removed", "1 removed: erratum: its question is ambiguous, such"],
            "patch",
        ),
        (lambda at: _erratum(at, withdrawn=False), ["no row differs"], "patch"),
        (lambda at: None, ["no row differs"], "none"),
    ],
)
def test_what_changed_is_said_with_its_reason(
    whole: Workspace,
    release: Release,
    change: Callable[[Workspace], object],
    said: list[str],
    bump: str,
) -> None:
    change(whole)
    new = release(whole, "1.0.1")
    diff = diff_releases(whole.releases / "things" / "1.0.0", new)
    text = "\n".join(diff_lines(diff))
    assert [one for one in said if one not in text] == [], text
    assert diff.bump == bump
    _check_rows(diff)
    _check_mirrored(diff, diff_releases(new, whole.releases / "things" / "1.0.0"))


def _check_rows(diff: Diff) -> None:
    """Each row that differs is written once."""
    rows = [json.loads(line) for line in diff_rows(diff)]
    for change in diff.changes:
        kinds = [row["change"] for row in rows if row["config"] == change.config]
        assert kinds.count("added") == change.added.num_rows
        assert kinds.count("removed") == change.removed.num_rows
        assert kinds.count("changed") == change.after.num_rows
    assert all(row["why"] for row in rows)


def _check_mirrored(diff: Diff, back: Diff) -> None:
    for one, other in zip(diff.changes, back.changes, strict=True):
        assert one.config == other.config
        assert one.same == other.same
        assert one.fields == other.fields
        assert one.added.equals(other.removed)
        assert one.removed.equals(other.added)
        assert one.before.equals(other.after)
        assert (one.added_columns, one.removed_columns) == (
            other.removed_columns,
            other.added_columns,
        )


def test_a_release_does_not_differ_from_itself(whole_once: Workspace) -> None:
    folder = whole_once.releases / "things" / "1.0.0"
    diff = diff_releases(folder, folder)
    assert list(diff_lines(diff)) == [
        "no row differs",
        "things 1.0.0 holds what 1.0.0 holds: no version is asked for",
    ]
    assert list(diff_rows(diff)) == []
    rows = {name: config.rows for name, config in _configs(folder).items()}
    assert {change.config: change.same for change in diff.changes} == rows


def _configs(folder: Path) -> Any:
    from exports.locking.lock import read_lock  # noqa: PLC0415

    lock = read_lock(folder)
    assert lock is not None
    return lock.configs


def test_a_step_that_is_too_small_is_said(
    whole: Workspace, release: Release, tmp_path: Path, run: Callable[..., Any]
) -> None:
    _more_dialogues(whole)
    folders = whole.releases / "things" / "1.0.0", release(whole, "1.0.1")
    ran = run("push-release", "diff", *folders, "--rows", tmp_path / "rows.jsonl")
    assert ran.code == 0, ran.err
    assert ran.out.splitlines()[-1] == (
        "that asks for a minor version: 1.1.0 or later; 1.0.1 is too small a step from 1.0.0"
    )
    rows = [json.loads(line) for line in (tmp_path / "rows.jsonl").read_text().splitlines()]
    assert {"config": "false-premise", "id": ["fp-new"], "change": "added"}.items() <= next(
        row for row in rows if row["config"] == "false-premise"
    ).items()


def test_what_is_no_release_is_one_line(whole_once: Workspace, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="is no release"):
        diff_releases(whole_once.releases / "things" / "1.0.0", tmp_path)


def test_answers_that_are_held_back_are_no_other_settings(
    whole: Workspace, release: Release, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BENCHWRIGHT_ANSWER_KEY", "k" * 32)
    old = whole.releases / "things" / "1.0.0"
    held = release(whole, "2.0.0", private_answers=True)
    text = "\n".join(diff_lines(diff_releases(old, held)))
    differ = "held back: ids differ, so samples cannot be compared, such as"
    assert f"36 removed: answers are {differ}" in text, text
    assert f"36 added: answers are {differ}" in text
    assert "2 changed: answers are held back, such as" in text
    assert "removed: answers are held back, such as" in text  # decisions
    assert "left out: tells answers that are held back" in text  # labels
    assert "settings" not in text
    assert "its source changed" not in text
    back = "\n".join(diff_lines(diff_releases(held, old)))
    assert f"36 added: answers are no longer {differ}" in back, back
    assert "settings" not in back
    assert "audit:" not in back  # the decisions are no newer, only shown


def test_two_datasets_ask_for_no_version(
    whole: Workspace, release: Release, tmp_path: Path
) -> None:
    """Nothing of one explains the other, its errata least of all."""
    _erratum(whole, withdrawn=True)
    old = whole.releases / "things" / "1.0.0"
    new = Path(shutil.copytree(release(whole, "1.0.1"), tmp_path / "other"))
    lock = json.loads((new / "release.lock.json").read_text("utf-8"))
    (new / "release.lock.json").write_text(json.dumps({**lock, "name": "other"}), "utf-8")
    lines = list(diff_lines(diff_releases(old, new)))
    assert lines[0] == (
        "two datasets, things 1.0.0 and other 1.0.1: what differs is no change of either"
    )
    assert "  1 removed: only things has it, such as c1" in lines
    back = list(diff_lines(diff_releases(new, old)))
    assert "  1 added: only things has it, such as c1" in back
    assert not [one for one in (*lines, *back) if "erratum" in one or "asks for" in one]


def test_an_erratum_is_no_reason_to_add(whole: Workspace, release: Release) -> None:
    """A sample that was withdrawn stands in the older again, where the two are turned round."""
    old = whole.releases / "things" / "1.0.0"
    _erratum(whole, withdrawn=False)
    noted = release(whole, "1.0.1")
    _erratum(whole, withdrawn=True)
    gone = release(whole, "1.0.2")
    text = "\n".join(diff_lines(diff_releases(gone, noted)))
    assert "question-chain: 1 added" in text
    assert "erratum" not in text
    assert "erratum" in "\n".join(diff_lines(diff_releases(old, gone)))
