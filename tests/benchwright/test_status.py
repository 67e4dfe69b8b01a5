"""What a workspace says of its stages: which are stale, of what, and which are broken."""

from collections.abc import Callable, Mapping
from pathlib import Path

import pyarrow as pa
import pytest

from benchwright import store
from benchwright.status import current_inputs, read_status, status_lines
from benchwright.workspace import Workspace

VOCABULARY = "types: {cloth: {values: {navy: {templates: ['Is the {noun} navy?']}}}}\n"


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    """A workspace whose votes and labels were made of all that lies there."""
    made = Workspace(tmp_path / "w")
    made.labels.mkdir(parents=True)
    made.vocabulary.write_text(VOCABULARY, "utf-8")
    made.weights.write_text('{"navy": 1}', "utf-8")
    stage(made.catalog, "catalog", {})
    groups = made.catalog / "duplicates"
    stage(groups, "duplicates", {}, table="groups")
    stage(made.votes, "votes", current_inputs(made))
    stage(made.labels, "labels", current_inputs(made))
    return made


def stage(
    folder: Path, name: str, inputs: Mapping[str, str], rows: int = 1, table: str = "rows"
) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    plan = store.Plan(stage=name, inputs=inputs, settings={"method": "by hand"})
    owned = (f"{table}.parquet",)
    with store.writing(folder, plan, configs={table: owned[0]}, owns=owned) as out:
        out.table(table, pa.table({"n": range(rows)}))
        out.counts["rows"] = rows


def stale(workspace: Workspace) -> dict[str, tuple[str, ...]]:
    return {one.name: one.stale for one in read_status(workspace) if one.stale}


def test_nothing_is_stale_that_was_just_made(workspace: Workspace) -> None:
    assert [one.name for one in read_status(workspace)] == [
        *("catalog", "catalog/duplicates", "labels/votes", "labels")
    ]
    assert stale(workspace) == {}


@pytest.mark.parametrize(
    ("changed", "found"),
    [
        (lambda one: stage(one.catalog, "catalog", {}, rows=2), "catalog"),
        (lambda one: stage(one.votes, "votes", current_inputs(one), rows=2), "votes"),
        (
            lambda one: stage(one.catalog / "duplicates", "duplicates", {}, 2, table="groups"),
            "duplicates",
        ),
        (lambda one: one.weights.write_text('{"navy": 2}'), "weights"),  # calibrated again
        (lambda one: one.weights.unlink(), "weights"),
        # another wording of a question, and nothing else of the vocabulary
        (lambda one: one.vocabulary.write_text(VOCABULARY.replace("?", ", then?")), "wordings"),
        (lambda one: one.vocabulary.write_text(VOCABULARY.replace("navy:", "teal:")), "vocabulary"),
        (lambda one: one.vocabulary.write_text("types: ["), "vocabulary"),  # cannot be read
    ],
)
def test_what_was_read_and_is_no_longer_so_is_named(
    workspace: Workspace, changed: Callable[[Workspace], object], found: str
) -> None:
    changed(workspace)
    assert found in stale(workspace)["labels"]
    others = set(stale(workspace)["labels"]) - {found}
    assert others == ({"wordings"} if found == "vocabulary" else set())
    assert any(f"stale: {found}" in line for line in lines(workspace))


def test_an_input_that_no_workspace_holds_is_never_stale(workspace: Workspace) -> None:
    stage(workspace.galleries / "tau-0.3", "galleries", {"labels": "other", "table.csv": "any"})
    assert stale(workspace)["galleries/tau-0.3"] == ("duplicates", "labels")


def test_votes_that_came_after_the_labels(workspace: Workspace) -> None:
    inputs = {name: value for name, value in current_inputs(workspace).items() if name != "votes"}
    stage(workspace.labels, "labels", inputs)
    assert stale(workspace) == {"labels": ("votes",)}


def lines(workspace: Workspace) -> list[str]:
    return status_lines(workspace, read_status(workspace))


@pytest.mark.parametrize(
    ("harm", "said"),
    [
        (lambda one: (one.catalog / "rows.parquet").unlink(), "rows.parquet is missing or cut"),
        (lambda one: (one.catalog / "rows.parquet").write_bytes(b"x"), "is missing or cut"),
        (lambda one: (one.catalog / store.MANIFEST).write_text("["), "is no manifest"),
        (lambda one: (one.catalog / store.PARTS).mkdir(), "another run has begun to replace it"),
    ],
)
def test_what_is_broken_or_under_way(
    workspace: Workspace, harm: Callable[[Workspace], object], said: str
) -> None:
    assert not any(said in line for line in lines(workspace))
    harm(workspace)
    assert any(said in line for line in lines(workspace))


def test_a_stage_that_was_stopped_and_an_empty_workspace(tmp_path: Path) -> None:
    workspace = Workspace(tmp_path / "w")
    assert lines(workspace) == [f"{workspace.root}: empty"]
    (workspace.catalog / store.PARTS).mkdir(parents=True)
    assert lines(workspace)[1].endswith("stopped half-way: run its command again and it goes on")
