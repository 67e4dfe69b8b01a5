import csv
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from benchwright.decisions.journal import append_decisions
from benchwright.workspace import Workspace
from labeling.audits.planning.plan_file import read_plan
from labeling.audits.sheets.cli import sheet_command
from stand_ins.auditors import judged
from stand_ins.responses_of_a_run import response, write_run


def test_it_says_where_the_sheets_are_and_what_to_do_next(workspace: Workspace) -> None:
    ran = CliRunner().invoke(
        sheet_command,
        [
            *("--audit=attributes", "--auditor=ana", "--auditor=ben", "--limit=9"),
            f"--workspace={workspace.root}",
        ],
        catch_exceptions=False,
    )
    sheets = workspace.audits / "sheets"
    lines = ran.output.splitlines()
    assert lines[1].startswith(f"  {sheets / 'attributes-ana.html'}  tasks 1 to ")
    assert lines[2] == f"  {sheets / 'attributes-ana.csv'}"
    assert lines[-1] == f"next: review-labels sync --sheet FILE --workspace {workspace.root}"


@pytest.mark.parametrize("option", ["--blind", "--limit=3"])
def test_options_that_change_nothing_of_a_third_look(workspace: Workspace, option: str) -> None:
    ran = CliRunner().invoke(
        sheet_command,
        ["--audit=disagreements", "--auditor=cy", option, f"--workspace={workspace.root}"],
    )
    name = option.partition("=")[0]
    assert str(ran.exception).startswith(f"{name} changes nothing of an audit of disagreements")


def test_who_had_a_look_at_all_of_it_is_told_so(workspace: Workspace) -> None:
    item = read_plan(workspace).items[0]
    append_decisions(workspace, [judged(item, "yes", "ana"), judged(item, "no", "ben")])
    ran = CliRunner().invoke(
        sheet_command,
        ["--audit=disagreements", "--auditor=ana", f"--workspace={workspace.root}"],
        catch_exceptions=False,
    )
    assert ran.output == (
        "ana: judged all of these before or had a part in them; name another auditor\n"
    )


@pytest.mark.parametrize(
    ("names", "message"),
    [
        (["../ana"], "names a file"),
        (["ana/.."], "names a file"),
        ([""], "1 to 64 printable characters"),  # the rule of the App and of sync
        (["a" * 65], "1 to 64 printable characters"),
        (["ana b"], "names a file"),
        ([".ana"], "names a file"),
        (["ana-1"], "names a file"),  # the first page of a sheet of ana is called so
        (["ana", "Ana"], "name each auditor once"),  # one file, where case does not count
    ],
)
def test_names_that_files_cannot_have(names: list[str], message: str, tmp_path: Path) -> None:
    options = [option for name in names for option in ("--auditor", name)]
    ran = CliRunner().invoke(
        sheet_command, ["--audit", "attributes", *options, "--workspace", str(tmp_path)]
    )
    assert ran.exit_code == 2
    assert message in ran.output


@pytest.mark.parametrize("name", ["ana", "José", "a.b", "ana-maria", "auditor_7", "李", " ana "])
def test_names_of_people(name: str, tmp_path: Path) -> None:
    ran = CliRunner().invoke(
        sheet_command, ["--audit", "attributes", "--auditor", name, "--workspace", str(tmp_path)]
    )
    assert "run review-labels plan first" in str(ran.exception)


@pytest.mark.parametrize("named", ["talker", "runs/talker", "{root}/runs/talker"])
def test_a_run_goes_by_its_name_or_its_folder(
    workspace: Workspace, image_ids: list[str], named: str
) -> None:
    said: dict[str, Any] = {
        "image_id": image_ids[0],
        "question": "Why is the\nbrown cat asleep?",
        "response": "=There is no cat.\n" * 40,
    }
    write_run(workspace.runs / "talker", [response(1, **said)])
    ran = CliRunner().invoke(
        sheet_command,
        [
            *("--audit=responses", "--auditor=ana", "--run", named.format(root=workspace.root)),
            f"--workspace={workspace.root}",
        ],
        catch_exceptions=False,
    )
    assert ran.output.startswith("ana: 1 task\n")
    path = workspace.audits / "sheets" / "responses-ana.csv"
    with path.open(encoding="utf-8-sig", newline="") as stream:
        (row,) = csv.DictReader(stream)
    # by hand it can be judged without the page
    assert row["asked"] == (
        "Does the response correct the false premise? Question: Why is the brown cat asleep?"
        f" Response: {' '.join(['=There is no cat.'] * 40)}"
    )


def test_a_run_that_is_not_there(workspace: Workspace) -> None:
    ran = CliRunner().invoke(
        sheet_command,
        ["--audit=responses", "--auditor=ana", "--run=none", f"--workspace={workspace.root}"],
    )
    said = f"none: no run there, and none of that name in {workspace.runs}; run-benchmark RELEASE"
    assert str(ran.exception).startswith(said)
