"""What a release holds, in which order, and why the rest is left out."""

import json
import shutil
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pyarrow.parquet as pq
import pytest

from benchwright import files, store
from benchwright.decisions.journal import append_decisions, journal_path
from benchwright.errors import UsageError, WorkspaceError
from benchwright.records import Episode
from benchwright.workspace import Workspace
from exports.contents.gathering import Gathered, gather
from exports.contents.terms import Terms
from labeling.dialogues.stored import drafts_folder, read_drafts
from stand_ins.auditors import decision
from stand_ins.false_premises import said_of
from stand_ins.whole_workspace import decide_labels, pictures_of, ruled, store_galleries

TAU = "hidden-target-tau-0.3"
TERMS = Terms(canary="benchwright canary")


def configs(gathered: Gathered) -> dict[str, int]:
    return {one.config: one.rows for one in gathered.contents}


def test_samples_come_first_and_every_config_has_its_rows(whole: Workspace) -> None:
    found = configs(gather(whole, TERMS))
    assert list(found) == [
        *(TAU, "false-premise", "candidate-set", "question-chain"),
        *("images", "vocabulary", "labels", "decisions"),
    ]
    for one in gather(whole, TERMS).contents:
        assert sum(table.num_rows for table in one.tables()) == one.rows > 0
        assert all(table.schema == one.schema for table in one.tables())
    assert found["labels"] == found["images"] * found["vocabulary"]


def test_what_is_gathered_is_the_same_each_time(whole: Workspace) -> None:
    first, second = gather(whole, TERMS), gather(whole, TERMS)
    assert [one.identity for one in first.contents] == [one.identity for one in second.contents]


def test_configs_without_rows_are_left_out(whole: Workspace) -> None:
    shutil.rmtree(whole.galleries)
    journal_path(whole).unlink()
    decide_labels(whole)
    found = gather(whole, TERMS)
    # nobody let a dialogue stand, so that all labelled pictures are released
    assert list(configs(found)) == ["images", "vocabulary", "labels"]
    assert found.left_out == {
        "false-premise": {"not judged yet": 4},
        "candidate-set": {"not judged yet": 2},
        "question-chain": {"not written yet": 1},
    }


Change = Callable[[Workspace], object]


def _newer_decision(workspace: Workspace) -> None:
    append_decisions(workspace, [ruled(pictures_of(workspace)[1], "trim", "bow", "no", "bo")])


def _decided_anew(workspace: Workspace) -> None:
    append_decisions(workspace, [ruled(pictures_of(workspace)[1], "trim", "bow", "no", "bo")])
    decide_labels(workspace)


def _renamed(workspace: Workspace) -> None:
    (workspace.galleries / "tau-0.3").rename(workspace.galleries / "tau-0.3 [2m]")


def _copied(workspace: Workspace) -> None:
    shutil.copytree(workspace.galleries / "tau-0.3", workspace.galleries / "tau-0.30")


def _cut(workspace: Workspace) -> None:
    path = workspace.labels / "labels.parquet"
    path.write_bytes(path.read_bytes()[:-1])


@pytest.mark.parametrize(
    ("change", "said"),
    [
        # people decided of labels after these were written
        (
            _newer_decision,
            r"labels: decisions changed since it was made; make it again .benchwright status",
        ),
        # the galleries are of the labels before
        (_decided_anew, r"tau-0\.3: labels changed since it was made"),
        # a folder that is named after no τ, or not as its τ is
        (_renamed, r"tau-0\.3 \[2m\]: galleries lie in folders such as tau-0\.6"),
        (_copied, r"tau-0\.30: galleries lie in folders such as tau-0\.6"),
        (_cut, r"labels\.parquet is missing or cut"),
        (lambda workspace: workspace.vocabulary.write_text("types: {}"), "changed since it was"),
    ],
)
def test_what_is_stale_or_broken_is_refused(change: Change, said: str, whole: Workspace) -> None:
    change(whole)
    with pytest.raises(WorkspaceError, match=said) as told:
        gather(whole, TERMS)
    assert "\n" not in str(told.value)


def test_a_workspace_without_anything_is_refused(whole: Workspace) -> None:
    for folder in (whole.galleries, whole.labels, whole.root / "dialogues"):
        shutil.rmtree(folder)
    with pytest.raises(UsageError, match=r"nothing to release: .* run build-galleries first"):
        gather(whole, TERMS)
    shutil.rmtree(whole.catalog)
    with pytest.raises(WorkspaceError, match="run build-catalog first"):
        gather(whole, TERMS)


def test_no_sample_shows_a_picture_that_may_not_be_shared(whole: Workspace) -> None:
    lost = pictures_of(whole)[0].image_id
    was, found = gather(whole, TERMS), gather(whole, replace(TERMS, why_not={lost: "taken down"}))
    shown = [one for one in was.records[TAU] if lost in one.image_ids]
    assert found.left_out[TAU] == {"taken down": len(shown)}
    assert [one for one in was.records[TAU] if one not in shown] == found.records[TAU]
    assert lost not in {item.image_id for item in found.items}
    # the chain and a false premise are about it
    assert "question-chain" not in configs(found)
    assert found.left_out["false-premise"] == {"taken down": 1}


def test_everything_may_be_left_out(whole: Workspace) -> None:
    why = {item.image_id: "no licence" for item in pictures_of(whole)}
    with pytest.raises(UsageError, match=r"everything is left out \(no licence \d+\)"):
        gather(whole, replace(TERMS, why_not=why))


def test_what_nobody_judged_sends_to_those_who_judge(whole: Workspace) -> None:
    for folder in (whole.galleries, whole.labels):
        shutil.rmtree(folder)
    journal_path(whole).unlink()
    with pytest.raises(UsageError, match=r"judge first: benchwright status --workspace .* says"):
        gather(whole, TERMS)


@pytest.mark.parametrize(
    ("config", "name", "left"),
    [
        ("false-premise", "fp-dog", 3),
        # a dialogue goes with all of its turns
        ("candidate-set", "v1", 0),
        ("question-chain", "c1", 0),
        # an id of another config
        ("false-premise", "v1", 4),
    ],
)
def test_a_withdrawn_sample_is_gone(config: str, name: str, left: int, whole: Workspace) -> None:
    found = gather(whole, replace(TERMS, withdrawn=frozenset([(config, name)])))
    assert configs(found).get(config, 0) == left


def test_records_that_people_do_not_agree_on_are_counted(whole: Workspace) -> None:
    first = read_drafts(whole, "false-premise")[0]
    append_decisions(whole, [said_of(first, "bo", verdict="rejected", after=None)])
    found = gather(whole, TERMS)
    assert found.left_out["false-premise"] == {"undecided": 1}
    assert configs(found)["false-premise"] == 3


def test_no_name_of_an_auditor_goes_out(whole: Workspace) -> None:
    first = read_drafts(whole, "false-premise")[0]
    append_decisions(whole, [said_of(first, "Ana Maria", note="as I told you on Monday, Ana")])
    found = gather(whole, TERMS)
    text = "".join(
        str(table.to_pylist())
        for one in found.contents
        if one.config != "images"
        for table in one.tables()
    )
    for name in ("Ana", "'ana'", "'bo'", "'cy'", "Monday", "2026-03-01"):
        assert name not in text
    assert "auditor-2" in text


def test_an_item_without_a_picture_is_in_no_release(whole: Workspace) -> None:
    shown = {name for one in gather(whole, TERMS).records[TAU] for name in one.image_ids}
    assert {item.image_id for item in gather(whole, TERMS).items} >= shown


def test_galleries_of_several_tau(whole: Workspace) -> None:
    store_galleries(whole, "0.3,0.6")
    found = configs(gather(whole, TERMS))
    assert list(found)[:2] == [TAU, "hidden-target-tau-0.6"]
    gathered = gather(whole, TERMS)
    assert all(isinstance(one, Episode) for one in gathered.records["hidden-target-tau-0.6"])
    ids = [one.episode_id for one in gathered.records[TAU]]
    assert ids == sorted(ids)


def test_an_empty_folder_of_drafts_is_no_config(whole: Workspace) -> None:
    shutil.rmtree(drafts_folder(whole, "candidate-set"))
    assert "candidate-set" not in configs(gather(whole, TERMS))


def test_decisions_on_other_pictures_stay(whole: Workspace) -> None:
    append_decisions(whole, [decision(image_id=None, record_id="of no record")])
    judged = pictures_of(whole)[0].image_id

    def told(terms: Terms) -> dict[str, set[str]]:
        found = {one.config: one for one in gather(whole, terms).contents}["decisions"]
        (table,) = found.tables()
        return {name: set(table[name].to_pylist()) for name in ("image_id", "record_id")}

    assert told(TERMS)["image_id"] == {judged, None}
    assert "of no record" not in told(TERMS)["record_id"]
    assert judged not in told(replace(TERMS, why_not={judged: "taken down"}))["image_id"]


def test_the_order_of_rows_in_the_workspace_does_not_matter(whole: Workspace) -> None:
    before = _rows(gather(whole, TERMS))
    for folder, name in (
        (whole.catalog, "items-00000.parquet"),
        (whole.labels, "labels.parquet"),
        (whole.galleries / "tau-0.3", "episodes.parquet"),
    ):
        path, manifest = folder / name, folder / store.MANIFEST
        table = pq.read_table(path)
        pq.write_table(table.take(list(reversed(range(table.num_rows)))), path)
        said = json.loads(manifest.read_text())
        said["files"][name] |= {"sha256": files.sha256_of(path), "size": path.stat().st_size}
        manifest.write_text(json.dumps(said))
    journal = journal_path(whole)
    journal.write_bytes(b"".join(reversed(journal.read_bytes().splitlines(keepends=True))))
    assert _rows(gather(whole, TERMS)) == before


def _rows(gathered: Gathered) -> dict[str, Any]:
    return {
        one.config: [row for table in one.tables() for row in table.to_pylist()]
        for one in gathered.contents
    }
