"""The command verify: what it prints, and what it refuses."""

from collections.abc import Callable
from typing import Any

import pytest
from click.testing import CliRunner, Result

from benchwright.workspace import Workspace
from labeling.dialogues.question_chain.dealing.cli import verify_command
from labeling.dialogues.question_chain.dealing.verifying import read_checkers
from labeling.dialogues.stored import decide_dialogues

Begun = Callable[..., Any]


def run(workspace: Workspace, *arguments: str) -> Result:
    return CliRunner().invoke(
        verify_command, [*arguments, "--workspace", str(workspace.root)], catch_exceptions=False
    )


def test_it_prints_the_deal_and_what_became_of_the_chains(sitting: Begun) -> None:
    sat = sitting(map_1="ana", map_2="bo", trend_1="ana", trend_2="ana", topic_1=None)
    ran = run(sat.workspace, "--auditors", "ana, bo,cy")
    assert ran.exit_code == 0
    lines = ran.output.splitlines()
    assert lines[0] == "4 chains of 2 scenarios, 3 auditors: 8 checks dealt, 0 as before"
    assert lines[1].split() == ["auditor", "round", "chains", "checked", "scenarios"]
    assert len(lines) == 14
    table = {tuple(line.split()[:2]): line.split(maxsplit=4)[2:] for line in lines[2:8]}
    assert sum(int(row[0]) for row in table.values()) == 8
    assert {tuple(row[2:]) for row in table.values()} <= {
        (), ("map",), ("trend",), ("map, trend",), ("map (1 of 2)",), ("map (1 of 2), trend",),
    }  # fmt: skip
    assert lines[8:10] == [
        "dealt by chains in round 2, since nobody could take all of it: map",
        "not dealt yet: 1 chain by models that no person approved",
    ]
    assert lines[10:13] == [
        "what became of the chains of each (feedback.json):",
        "  ana wrote 3 (3 open)",
        "  bo wrote 1 (1 open)",
    ]
    assert lines[13].startswith("next: review-labels open --audit question-chain --auditor NAME")

    first, second = (row.auditor for row in read_checkers(sat.workspace) if row.chain_id == "map_1")
    assert sat.judge("map_1", first) is None
    assert sat.judge("map_1", second, "rejected", note="a\nlong\x1b story") is None
    ran = run(sat.workspace)
    assert "\x1b" not in ran.output
    lines = ran.output.splitlines()
    assert lines[0].endswith("0 checks dealt, 8 as before")
    assert "  ana wrote 3 (1 invalid, 2 open)" in ran.output
    assert any(line.startswith(f"  {first} ") for line in lines)
    assert ran.output.count("checked 1 (1 invalid)") == 2
    assert sum("map_1 invalid by" in line for line in lines) == 2  # to ana and to the first
    assert run(sat.workspace).output.splitlines()[0].endswith("dealt already")


def test_nobody_is_sent_to_chains_that_are_all_valid(sitting: Begun) -> None:
    sat = sitting(map_1="ana", map_2="ana")
    where = f"--workspace {sat.workspace.root}"
    people = f"next: review-labels open --audit question-chain --auditor NAME {where}"
    for name in ("map_1", "map_2"):
        for checker in ("bo", "cy"):
            assert last(run(sat.workspace, "--auditors", "ana,bo,cy")) == people
            assert sat.judge(name, checker) is None
    # the journal holds all that people say of them, and what follows is not decided yet
    assert last(run(sat.workspace)) == f"next: review-labels sync {where}"
    decide_dialogues(sat.workspace, "question-chain")
    assert last(run(sat.workspace)) == "nothing waits"


def last(ran: Result) -> str:
    return ran.output.splitlines()[-1]


def test_what_nobody_can_check_is_said(sitting: Begun) -> None:
    ran = run(sitting(map_1="ana").workspace, "--auditors", "ana,bo")
    assert "not dealt: 1 chain of map in round 2, the only one who did not write it" in ran.output
    assert "name more people" in ran.output


@pytest.mark.parametrize(
    ("auditors", "reason"),
    [
        # nobody between commas, one twice but for case, a name that cannot be printed
        ("ana,,bo", "a name has 1 to 64"),
        ("ana,bo,Ana", "name each auditor once"),
        ("ana,b\x07o", "printable"),
        ("", "a name has 1 to 64"),
        # one that only a model can be called
        ("ana,model:qwen", "those of models"),
        ("Model:qwen", "those of models"),
    ],
)
def test_names_that_are_none_are_refused(sitting: Begun, auditors: str, reason: str) -> None:
    ran = run(sitting(map_1="ana").workspace, "--auditors", auditors)
    assert ran.exit_code == 2
    assert reason in ran.output
