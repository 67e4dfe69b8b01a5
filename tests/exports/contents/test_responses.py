"""Responses of runs, as they go out."""

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from benchwright.errors import SourceError
from benchwright.records import Response
from benchwright.rows import from_table
from benchwright.workspace import Workspace
from exports.contents.responses import audited_ids, responses_table
from labeling.audits.tasks.responses import run_name
from stand_ins.responses_of_a_run import response, write_run

KNOWN = frozenset({"d0", "d1", "d2"})


def test_responses_to_released_dialogues_by_run_dialogue_and_turn(workspace: Workspace) -> None:
    said = [
        response(at, run=run, response_id=f"{run}/{at}", dialogue_id=f"d{at % 4}", turn=4 + at % 3)
        for run in ("b", "a")
        for at in range(8)
    ]
    write_run(workspace.runs / "one", said[:5], "00001")
    write_run(workspace.runs / "one", said[5:8], "00000")
    # a folder for each model and benchmark
    write_run(workspace.runs / "two" / "false-premise", said[8:])
    found = list(from_table(responses_table(workspace, KNOWN), Response))
    kept = [one for one in said if one.dialogue_id in KNOWN]
    assert found == sorted(
        kept, key=lambda one: (one.run, one.dialogue_id, one.turn, one.response_id)
    )


def test_further_columns_are_passed_over(workspace: Workspace) -> None:
    folder = write_run(workspace.runs / "one", [response(0)])
    path = folder / "responses-00000.parquet"
    table = pq.read_table(path)
    pq.write_table(table.append_column("seconds", pa.array([1.5])), path)
    assert responses_table(workspace, KNOWN).num_rows == 1


@pytest.mark.parametrize("spoilt", ["text", "columns", "types"])
def test_a_file_that_holds_no_responses(spoilt: str, workspace: Workspace) -> None:
    path = write_run(workspace.runs / "one", [response(0)]) / "responses-00000.parquet"
    table = pq.read_table(path)
    if spoilt == "text":
        path.write_bytes(b"hello")
    elif spoilt == "columns":
        pq.write_table(table.drop_columns(["question"]), path)
    else:
        at = table.schema.get_field_index("turn")
        pq.write_table(table.set_column(at, "turn", pa.array(["fourth"])), path)
    with pytest.raises(SourceError, match=r"responses-00000\.parquet: is no table of resp") as told:
        responses_table(workspace, KNOWN)
    assert "\n" not in str(told.value)


def test_without_runs_there_are_none(workspace: Workspace) -> None:
    assert responses_table(workspace, KNOWN).num_rows == 0
    assert audited_ids(workspace, KNOWN) == frozenset()


def test_a_run_that_is_left_out(workspace: Workspace) -> None:
    kept = write_run(workspace.runs / "one", [response(0, run="one")])
    # its name is that of the folder in runs/, also where one lies in another
    write_run(workspace.runs / "trial" / "false-premise", [response(1, run="trial")])
    assert responses_table(workspace, KNOWN)["run"].to_pylist() == ["one", "trial"]
    assert responses_table(workspace, KNOWN, {"trial"})["run"].to_pylist() == ["one"]
    assert audited_ids(workspace, KNOWN, {"trial"}) == {f"{run_name(kept)}/secret-model/0"}


def test_decisions_name_responses_by_the_run(workspace: Workspace) -> None:
    folder = write_run(workspace.runs / "one", [response(0), response(7, dialogue_id="d9")])
    assert audited_ids(workspace, KNOWN) == {f"{run_name(folder)}/secret-model/0"}


@pytest.fixture
def workspace(tmp_path_factory: pytest.TempPathFactory) -> Workspace:
    return Workspace(tmp_path_factory.mktemp("runs"))
