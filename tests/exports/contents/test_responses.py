"""Responses of runs, as they go out."""

import shutil
from dataclasses import replace
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from benchwright.errors import SourceError
from benchwright.records import Response
from benchwright.rows import from_table
from benchwright.workspace import Workspace
from exports.contents.responses import Answered, answered_questions
from labeling.audits.tasks.responses import run_name
from stand_ins.responses_of_a_run import response, write_run

KNOWN = ("d0", "d1", "d2")
QUESTIONS = {(name, turn): f"{name}, {turn}?" for name in KNOWN for turn in range(1, 11)}


def to(name: str, turn: int = 4, **more: Any) -> Response:
    """Return a response to the question of a turn."""
    said = {"response_id": f"{name}/{turn}", "question": f"{name}, {turn}?", **more}
    return response(dialogue_id=name, turn=turn, **said)


def answered(workspace: Workspace, *without: str) -> Answered:
    return answered_questions(workspace, QUESTIONS, without)


def test_responses_to_released_dialogues_by_run_dialogue_and_turn(workspace: Workspace) -> None:
    said = [
        to(f"d{at % 4}", 4 + at % 3, run=run, response_id=f"{run}/{at}")
        for run in ("b", "a")
        for at in range(8)
    ]
    write_run(workspace.runs / "one", said[:5], "00001")
    write_run(workspace.runs / "one", said[5:8], "00000")
    # a folder for each model and benchmark
    write_run(workspace.runs / "two" / "false-premise", said[8:])
    found = list(from_table(answered(workspace).table, Response))
    kept = [one for one in said if one.dialogue_id in KNOWN]
    assert found == sorted(
        kept, key=lambda one: (one.run, one.dialogue_id, one.turn, one.response_id)
    )


def test_further_columns_are_passed_over(workspace: Workspace) -> None:
    folder = write_run(workspace.runs / "one", [to("d0")])
    path = folder / "responses-00000.parquet"
    table = pq.read_table(path)
    pq.write_table(table.append_column("seconds", pa.array([1.5])), path)
    assert answered(workspace).table.num_rows == 1


@pytest.mark.parametrize("spoilt", ["text", "columns", "types"])
def test_a_file_that_holds_no_responses(spoilt: str, workspace: Workspace) -> None:
    path = write_run(workspace.runs / "one", [to("d0")]) / "responses-00000.parquet"
    table = pq.read_table(path)
    if spoilt == "text":
        path.write_bytes(b"hello")
    elif spoilt == "columns":
        pq.write_table(table.drop_columns(["question"]), path)
    else:
        at = table.schema.get_field_index("turn")
        pq.write_table(table.set_column(at, "turn", pa.array(["fourth"])), path)
    with pytest.raises(SourceError, match=r"responses-00000\.parquet: is no table of resp") as told:
        answered(workspace)
    assert "\n" not in str(told.value)


def test_without_runs_there_are_none(workspace: Workspace) -> None:
    found = answered(workspace)
    assert (found.table.num_rows, found.audited_ids, found.left_out) == (0, frozenset(), {})


def test_a_run_that_is_left_out(workspace: Workspace) -> None:
    kept = write_run(workspace.runs / "one", [to("d0", run="one")])
    # its name is that of the folder in runs/, also where one lies in another
    write_run(workspace.runs / "trial" / "false-premise", [to("d1", run="trial")])
    assert answered(workspace).table["run"].to_pylist() == ["one", "trial"]
    found = answered(workspace, "trial")
    assert found.table["run"].to_pylist() == ["one"]
    assert found.audited_ids == {f"{run_name(kept)}/d0/4"}


def test_decisions_name_responses_by_the_run(workspace: Workspace) -> None:
    folder = write_run(workspace.runs / "one", [to("d0"), to("d9")])
    assert answered(workspace).audited_ids == {f"{run_name(folder)}/d0/4"}


def test_what_was_asked_in_other_words_stays(workspace: Workspace) -> None:
    """As before somebody corrected the false description: what a model said is of the old one."""
    before = [to("d0", 4, question="Is it a cat?"), to("d0", 3), to("d1", 3)]
    write_run(workspace.runs / "before", [replace(one, run="before") for one in before])
    write_run(workspace.runs / "after", [to("d0", 4, run="after")])
    found = answered(workspace)
    rows = zip(*(found.table[name].to_pylist() for name in ("run", "response_id")), strict=True)
    # of d0 nothing of the run before stays: a later turn hangs on those before it
    assert list(rows) == [("after", "d0/4"), ("before", "d1/3")]
    assert found.left_out == {"asked in other words": 2}
    assert not [name for name in found.audited_ids if name.startswith("before") and "d0" in name]


def test_a_run_that_stands_twice_is_refused(workspace: Workspace) -> None:
    folder = write_run(workspace.runs / "one", [to("d0")])
    # two models of one run may number their responses alike
    write_run(workspace.runs / "one" / "other", [to("d0", model="other")])
    assert answered(workspace).table.num_rows == 2
    shutil.copytree(folder, workspace.runs / "copy")
    with pytest.raises(SourceError, match="of the run secret-run stands in several folders"):
        answered(workspace)


@pytest.fixture
def workspace(tmp_path_factory: pytest.TempPathFactory) -> Workspace:
    return Workspace(tmp_path_factory.mktemp("runs"))
