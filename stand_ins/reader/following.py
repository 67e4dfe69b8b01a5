"""Doing what a page says, command by command, as its reader would."""

import contextlib
import io
import os
import re
import socket
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, replace
from pathlib import Path
from unittest import mock

from stand_ins.reader.exceptions import RUN_AS
from stand_ins.reader.page import PROGRAMS, Command, Written
from stand_ins.reader.person import Answering, audit_in_app, audit_without_app
from stand_ins.reader.world import Run, World

_SECONDS = 300.0
_PORT = re.compile(r"\s--port[ =]\d+")
_OPEN = "labeling.audits.app.opening.open_audit"
_WAIT = "labeling.audits.app.cli._wait_for_the_end"


@dataclass(frozen=True, slots=True, kw_only=True)
class Followed:
    """What a command came to: its exit code and all that it said."""

    code: int
    out: str
    err: str


def follow(command: Command, world: World, run: Run, *, in_app: bool = False) -> Followed:
    """Run one command of a page in the folder of its world.

    ``in_app`` opens audits in the FiftyOne App and closes it once it has given its page; without it
    the auditor judges without any App.
    """
    with contextlib.chdir(world.folder), mock.patch.dict(os.environ, world.environment):
        world.before(command)
        words = _words(command, world)
        is_apart = any(text in command.text for text in world.apart)
        if command.is_python and not is_apart:
            return _execute(words[-1])
        if words[0] not in PROGRAMS or is_apart:
            return _in_a_process(words)
        with _at_the_screen(words, in_app=in_app):
            ran = run(*words)
    return Followed(code=ran.code, out=ran.out, err=ran.err)


def write_file(file: Written, world: World) -> None:
    """Write a file of a page into its world, with the servers that there are."""
    text = file.text
    for said, put in world.swapped.items():
        text = text.replace(said, put)
    (world.folder / file.name).write_text(text, "utf-8")


def _words(command: Command, world: World) -> list[str]:
    text = RUN_AS.get(command.text, command.text)
    for said, put in world.swapped.items():
        text = text.replace(said, put)
    if _is_at_a_screen(command.words):
        text = f"{_PORT.sub('', text)} --port {_free_port()}"
    return replace(command, text=text).words


def _is_at_a_screen(words: Sequence[str]) -> bool:
    return tuple(words[:2]) in (("review-labels", "open"), ("run-benchmark", "human"))


def _free_port() -> int:
    with socket.socket() as sock:
        sock.bind(("127.0.0.1", 0))
        port: int = sock.getsockname()[1]
    return port


@contextlib.contextmanager
def _at_the_screen(words: Sequence[str], *, in_app: bool) -> Iterator[None]:
    """Have a person at the screen that a command opens, if it opens one."""
    person: AbstractContextManager[object] = nullcontext()
    app: AbstractContextManager[object] = nullcontext()
    if words[1:2] == ["human"]:
        person = Answering(f"http://127.0.0.1:{words[-1]}")
    elif words[1:2] == ["open"]:
        app = mock.patch(_OPEN, audit_in_app if in_app else audit_without_app)
    with person, app, mock.patch(_WAIT, return_value=None):
        yield


def _execute(code: str) -> Followed:
    """Run code of a page in this process; what it raises is raised."""
    said = io.StringIO()
    with contextlib.redirect_stdout(said):
        exec(compile(code, "page", "exec"), {})
    return Followed(code=0, out=said.getvalue(), err="")


def _in_a_process(words: Sequence[str]) -> Followed:
    """Run a command as its script does; others than ours are those of the machine."""
    scripts = Path(sys.executable).parent
    done = subprocess.run(
        list(words),
        env={**os.environ, "PATH": f"{scripts}{os.pathsep}{os.environ['PATH']}"},
        capture_output=True,
        text=True,
        check=False,
        timeout=_SECONDS,
    )
    return Followed(code=done.returncode, out=done.stdout, err=done.stderr)
