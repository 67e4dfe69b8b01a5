"""Running one command of a group by itself, as its script does."""

import io
import signal
import sys
from collections.abc import Callable
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from typing import Any

import click

from benchwright.commands import entry_point


@dataclass(frozen=True)
class Ran:
    """What a command left: its exit code and what it printed."""

    code: int
    out: str
    err: str


def running(*commands: click.Command) -> Callable[..., Ran]:
    """Return a function that runs one of some commands, named first, in this process."""
    group = click.Group("build-dialogues", commands=commands)

    def run(*arguments: Any) -> Ran:
        out, err = io.StringIO(), io.StringIO()
        argv = sys.argv
        handlers = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
        sys.argv = ["build-dialogues", *map(str, arguments)]
        try:
            with redirect_stdout(out), redirect_stderr(err):
                entry_point(group)()
        except SystemExit as stop:
            code = stop.code if isinstance(stop.code, int) else 1
            return Ran(code, out.getvalue(), err.getvalue())
        finally:
            sys.argv = argv
            for number, handler in handlers.items():
                signal.signal(number, handler)
        raise AssertionError("a console script ends by SystemExit")

    return run
