"""How a command ends: its exit code and its one line."""

import errno
import logging
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
import pytest

from benchwright import __version__
from benchwright.commands import (
    NoteFormatter,
    entry_point,
    seed_option,
    version_option,
    workspace_option,
)
from benchwright.errors import CorruptShard, PictureError, UsageError, WorkspaceError
from benchwright.workspace import Workspace


@pytest.fixture(autouse=True)
def _signals() -> Iterator[None]:
    before = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    yield
    for number, handler in before.items():
        signal.signal(number, handler)


@pytest.fixture
def ended(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Any:
    """Run a command that does ``body`` and return its exit code and what it printed."""

    def run(body: Any, *arguments: str) -> tuple[object, str, str]:
        monkeypatch.setattr(sys, "argv", ["tool", *arguments])
        with pytest.raises(SystemExit) as stop:
            entry_point(body if isinstance(body, click.Command) else click.command()(body))()
        out, err = capfd.readouterr()
        return stop.value.code, out, err

    return run


def raising(error: BaseException) -> Any:
    def body() -> None:
        raise error

    return body


def test_a_command_that_does_its_work(ended: Any) -> None:
    assert ended(lambda: click.echo("done")) == (0, "done\n", "")


@pytest.mark.parametrize(
    ("error", "line"),
    [
        (UsageError("give more"), "give more"),
        (UsageError("two\n  lines\tof it"), "two lines of it"),  # always one
        (WorkspaceError("nothing here"), "nothing here"),
        (PictureError("svg", "no pixels"), "no pixels"),
        (
            CorruptShard(Path("a/b.parquet"), "is cut"),
            "a/b.parquet: is cut; make the stage again with --force, or bring the file back",
        ),
        (
            OSError(errno.ENOSPC, "No space left on device", "/w/x"),
            "/w/x: No space left on device; make room and run it again",
        ),
        # without a name it is one of the workspace's files
        (
            OSError(errno.ENOSPC, "No space left on device"),
            "the workspace: No space left on device; make room and run it again",
        ),
        (
            PermissionError(errno.EACCES, "Permission denied", "/w/x"),
            "/w/x: Permission denied; mend the rights and run it again",
        ),
        # a file called labels in the workspace, and a stage below it
        (
            FileExistsError(errno.EEXIST, "File exists", "w/labels"),
            "w/labels: File exists; a file stands where a folder belongs: move it away, or choose"
            " another --workspace",
        ),
        (
            NotADirectoryError(errno.ENOTDIR, "Not a directory", "w/labels/votes"),
            "w/labels/votes: Not a directory; a file stands where a folder belongs: move it away,"
            " or choose another --workspace",
        ),
    ],
)
def test_what_a_user_can_mend_is_one_line(ended: Any, error: Exception, line: str) -> None:
    assert ended(raising(error)) == (1, "", f"error: {line}\n")


@pytest.mark.parametrize(
    ("arguments", "name"),
    [
        (("build-catalog", "sample", "--n", "2"), "catalog"),  # a stage of its own
        (("label-attributes", "normalise"), "labels"),  # a stage below it comes first
    ],
)
def test_a_file_in_the_place_of_a_folder_is_one_line(
    arguments: tuple[str, ...], name: str, small: Path, run: Any
) -> None:
    shutil.rmtree(small / name, ignore_errors=True)
    (small / name).touch()
    ran = run(*arguments, "--workspace", small)
    assert ran.code == 1
    assert ran.err.startswith(f"error: {small / name}")
    assert "a file stands where a folder belongs: move it away" in ran.err
    assert ran.err.count("\n") == 1


@pytest.mark.parametrize("error", [ValueError("bug"), KeyError("bug"), OSError(errno.EBADF, "bug")])
def test_a_bug_keeps_its_traceback(monkeypatch: pytest.MonkeyPatch, error: Exception) -> None:
    monkeypatch.setattr(sys, "argv", ["tool"])
    with pytest.raises(type(error), match="bug"):
        entry_point(click.command()(raising(error)))()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_stops_it(ended: Any, number: signal.Signals) -> None:
    def body() -> None:
        os.kill(os.getpid(), number)

    code, out, err = ended(body)
    assert (code, out) == (130, "")
    assert err == "error: stopped; nothing is half written: run the same command again to go on\n"


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (("--version",), 0, __version__),
        (("--help",), 0, "--workspace"),
        (("--seed", "-1"), 2, "--seed"),
        (("--seed", str(2**63)), 2, "--seed"),  # does not fit the records
        (("--sed", "1"), 2, "--sed"),
        (("--seed", str(2**63 - 1)), 0, "9223372036854775807"),
    ],
)
def test_options(ended: Any, arguments: tuple[str, ...], code: int, said: str) -> None:
    @click.command()
    @workspace_option
    @seed_option
    @version_option
    def tool(workspace: Workspace, seed: int) -> None:
        click.echo(f"{workspace.root} {seed}")

    found, out, err = ended(tool, *arguments)
    assert found == code
    assert said in out + err


@pytest.mark.parametrize(
    ("arguments", "variable", "expected"),
    [
        ((), None, "workspace"),
        ((), "from/the environment", "from/the environment"),
        (("--workspace", "given"), "from/the environment", "given"),  # what is said last wins
        ((), "", "workspace"),  # set to nothing is not set
    ],
)
def test_where_the_workspace_is(
    ended: Any,
    monkeypatch: pytest.MonkeyPatch,
    arguments: tuple[str, ...],
    variable: str | None,
    expected: str,
) -> None:
    monkeypatch.delenv("BENCHWRIGHT_WORKSPACE", raising=False)
    if variable is not None:
        monkeypatch.setenv("BENCHWRIGHT_WORKSPACE", variable)

    @click.command()
    @workspace_option
    def tool(workspace: Workspace) -> None:
        click.echo(str(workspace.root))

    assert ended(tool, *arguments) == (0, f"{expected}\n", "")


def test_a_reader_that_goes_away_is_no_error() -> None:
    code = (
        "import click; from benchwright.commands import entry_point\n"
        "def body():\n"
        "    for number in range(200000): click.echo(str(number))\n"
        "entry_point(click.command()(body))()\n"
    )
    with subprocess.Popen(
        [sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.readline()
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait(timeout=30) != 0


def test_a_note_cannot_steer_a_terminal() -> None:
    record = logging.LogRecord("x", logging.WARNING, "", 1, "%s:  two", ("\x1b[2Ja\x07",), None)
    assert NoteFormatter("note: %(message)s").format(record) == "note:  [2Ja :  two"
