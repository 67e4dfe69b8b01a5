"""review-labels plan, as a user runs it."""

from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from benchwright.decisions.journal import append_decisions, journal_path
from benchwright.workspace import Workspace
from labeling.audits.planning.plan_file import read_plan


@pytest.fixture
def workspace(kit: SimpleNamespace, labelled: Callable[..., Workspace]) -> Workspace:
    return labelled(kit.labels(1200))


def test_a_plan_from_pilot_to_end(workspace: Workspace, run: Any, kit: SimpleNamespace) -> None:
    command = ("review-labels", "plan", "--pilot", "80", "--half-width", "0.04")
    where = ("--workspace", workspace.root)
    first = run(*command, *where)
    assert first.code == 0, first.err
    lines = first.out.splitlines()
    assert lines[0].startswith("pilot: 80 of 1,200 labels, ")
    assert "wanted: the share of right labels ± 0.04 at 95 % confidence" in first.out
    assert "how long they take is known once some are made" in first.out
    assert lines[-1].startswith("next: review-labels open --audit attributes --auditor NAME ")
    append_decisions(
        workspace, kit.judge(read_plan(workspace), lambda item: int(item.image_id, 16) % 9 == 0)
    )
    second = run(*command, *where)
    assert second.out.splitlines()[0].startswith("plan: ")
    assert "; 80 are judged" in second.out
    assert "by type, the worst first:" in second.out
    assert " at 2.5 s each" in second.out
    for _ in range(5):
        append_decisions(
            workspace,
            kit.judge(read_plan(workspace), lambda item: int(item.image_id, 16) % 9 == 0),
        )
        last = run(*command, *where)
        if last.out.endswith("the audit is done\n"):
            break
    assert "nothing is left to judge" in last.out


def test_bad_lines_are_told_and_do_not_stop_it(
    workspace: Workspace, run: Any, kit: SimpleNamespace
) -> None:
    append_decisions(workspace, [kit.decision(1, field="trim/v1")])
    with journal_path(workspace).open("ab") as stream:
        stream.write(b'\x1b[31m\n{"image')
    ran = run("review-labels", "plan", "--workspace", workspace.root)
    assert ran.code == 0, ran.err
    assert "2 lines are no decision and are left aside, such as line 2" in ran.out
    assert "\x1b" not in ran.out


@pytest.mark.parametrize(
    "arguments",
    [
        ("--half-width", "0"),
        ("--half-width", "0.5"),
        ("--half-width", "nan"),
        ("--confidence", "1"),
        ("--confidence", "95"),
        ("--confidence", "nan"),
        ("--overlap", "1.1"),
        ("--overlap", "nan"),
        ("--pilot", "0"),
        ("--seed", "-1"),
    ],
)
def test_what_cannot_be_planned_is_refused(
    workspace: Workspace, run: Any, arguments: tuple[str, ...]
) -> None:
    ran = run("review-labels", "plan", *arguments, "--workspace", workspace.root)
    assert ran.code != 0
    assert ran.err.startswith("error: ")
    assert ran.err.count("\n") == 1
    assert not workspace.audits.exists()


def test_without_labels_one_line_says_what_to_run(run: Any, tmp_path: Path) -> None:
    ran = run("review-labels", "plan", "--workspace", tmp_path / "none")
    assert (ran.code, ran.err.count("\n")) == (1, 1)
    assert "label-attributes run" in ran.err
