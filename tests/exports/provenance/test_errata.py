from collections.abc import Callable
from typing import Any

import pytest
from click.testing import CliRunner

from benchwright.errors import UsageError
from benchwright.workspace import Workspace
from exports.locking.lock import read_lock
from exports.names import Version
from exports.provenance.cli import erratum_command
from exports.provenance.errata import FILE, note_erratum, read_errata, read_published

Build = Callable[..., Any]
Lines = Callable[..., list[dict[str, Any]]]


def note(workspace: Workspace, **more: Any) -> bool:
    said = {"config": "false-premise", "sample_id": "fp-dog", "reason": "two dogs", **more}
    return note_erratum(workspace, "r", **said)[1]


def test_a_withdrawn_sample_is_in_no_later_version(
    coco: Workspace, build: Build, lines: Lines
) -> None:
    first = build(coco)
    assert not (first.folder / FILE).exists()
    assert note(coco, withdrawn=True)
    second, third = build(coco, "1.0.1"), build(coco, "1.1.0", keep_metadata=True)
    assert second.lock.configs["false-premise"].rows == 3
    assert second.lock.left_out["false-premise"] == {"withdrawn": 1}
    assert third.lock.configs["false-premise"].rows == 3
    for built in (second, third):  # the later one says when it was, not that it was now
        assert lines(built.folder / FILE) == [
            {
                "config": "false-premise",
                "found_in": "1.0.0",
                "id": "fp-dog",
                "reason": "two dogs",
                "withdrawn": True,
                "withdrawn_in": "1.0.1",
            }
        ]
        assert FILE in built.lock.files


def test_a_fault_that_is_only_noted_goes_out_with_its_sample(coco: Workspace, build: Build) -> None:
    build(coco)
    assert note(coco)
    second = build(coco, "1.0.1")
    assert second.lock.configs["false-premise"].rows == 4
    (said,) = read_published(second.folder)
    assert said.withdrawn_in is None
    assert said.reason == "two dogs"


def test_a_fault_that_is_noted_first_can_be_withdrawn_later(coco: Workspace, build: Build) -> None:
    build(coco)
    assert note(coco)
    assert note(coco, withdrawn=True)
    second = build(coco, "1.0.1")
    assert [one.withdrawn_in for one in read_published(second.folder)] == [None, "1.0.1"]
    assert second.lock.configs["false-premise"].rows == 3


def test_the_same_fault_is_declared_once(coco: Workspace, build: Build) -> None:
    build(coco)
    assert [note(coco), note(coco), note(coco, reason="other")] == [True, False, True]
    assert [one.reason for one in read_errata(coco, "r")] == ["two dogs", "other"]


def test_an_erratum_makes_another_plan_and_so_asks_for_another_version(
    coco: Workspace, build: Build
) -> None:
    build(coco)
    note(coco)  # it changes no row, but what goes out
    with pytest.raises(UsageError, match="a version never changes"):
        build(coco)
    build(coco, "1.0.1")
    assert not build(coco, "1.0.1").is_new


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ({"config": "false"}, "has no config false with ids; it has false-premise, images"),
        ({"config": "../x"}, "has no config"),
        ({"sample_id": "fp-cat"}, "false-premise has no dialogue_id fp-cat"),
        ({"found_in": Version(2, 0, 0)}, "no version stands there"),
        ({"config": "images", "withdrawn": True}, "take a picture down with push-release takedown"),
        ({"reason": " "}, "--reason wants a line"),
    ],
)
def test_what_is_no_erratum_is_refused(
    coco: Workspace, build: Build, more: dict[str, Any], said: str
) -> None:
    build(coco)
    with pytest.raises(UsageError, match=said):
        note(coco, **more)
    assert not (coco.releases / "r" / FILE).exists()


def test_errata_are_of_what_was_released(coco: Workspace) -> None:
    with pytest.raises(UsageError, match="no version of r stands"):
        note(coco)


def test_a_line_by_hand_that_is_wrong_stops_the_build(coco: Workspace, build: Build) -> None:
    build(coco)
    note(coco)
    path = coco.releases / "r" / FILE
    path.write_text(path.read_text("utf-8").replace('"withdrawn": false', '"withdrawn": "no"'))
    with pytest.raises(UsageError, match=r"errata\.jsonl, line 1: at withdrawn: "):
        build(coco, "1.0.1")


def test_the_command_says_what_comes_next(coco: Workspace, build: Build) -> None:
    build(coco)
    arguments = ["r", "--config", "false-premise", "--id", "fp-dog", "--reason", "two dogs"]
    where = ["--workspace", str(coco.root)]
    ran = CliRunner().invoke(erratum_command, [*arguments, "--withdraw", *where])
    assert ran.exit_code == 0, ran.output
    assert ran.output.splitlines() == [
        "false-premise fp-dog: a fault of 1.0.0; no later version has it",
        f"next: push-release build r --version 1.0.1 --workspace {coco.root}",
    ]
    again = CliRunner().invoke(erratum_command, [*arguments, "--withdraw", *where])
    assert "declared before; nothing to do" in again.output
    lock = read_lock(build(coco, "1.0.1").folder)
    assert lock is not None
    assert lock.configs["false-premise"].rows == 3
