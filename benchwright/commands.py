"""What every command shares: options, one-line errors, exit codes, progress."""

import errno
import io
import logging
import math
import os
import signal
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, NoReturn

import click

from benchwright import __version__
from benchwright.errors import BenchwrightError
from benchwright.plain_text import plain, printable
from benchwright.workspace import DEFAULT_WORKSPACE, Workspace

_MOVE = "a file stands where a folder belongs: move it away, or choose another --workspace"
# what the file system can refuse, and what the user can do about it; the rest is a bug
_REMEDIES = {
    errno.ENOSPC: "make room and run it again",
    errno.EDQUOT: "make room and run it again",
    errno.EACCES: "mend the rights and run it again",
    errno.EPERM: "mend the rights and run it again",
    errno.EROFS: "mend the rights, or choose another --workspace",
    errno.EIO: "have the disk looked at, or choose another --workspace",
    errno.EEXIST: _MOVE,
    errno.ENOTDIR: _MOVE,
    errno.ENAMETOOLONG: "choose a shorter --workspace",
}


class _WorkspacePath(click.ParamType):  # type: ignore[type-arg]  # older click has none
    name = "folder"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> Workspace:
        """Return the workspace; refuse a path that is a file."""
        if isinstance(value, Workspace):
            return value
        path = Path(value)
        if path.exists() and not path.is_dir():
            self.fail(f"{path} is a file; a workspace is a folder.", param, ctx)
        return Workspace(path)


class NumberRange(click.FloatRange):
    """A range of numbers; nan, which passes every comparison of click's, is none."""

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> float:
        """Return the number; refuse what is none or out of range."""
        number = float(super().convert(value, param, ctx))
        if math.isnan(number):
            self.fail("nan is no number.", param, ctx)
        return number


workspace_option = click.option(
    "--workspace",
    type=_WorkspacePath(),
    envvar="BENCHWRIGHT_WORKSPACE",
    default=DEFAULT_WORKSPACE,
    show_default=True,
    show_envvar=True,
    help="The folder that the commands work in.",
)
force_option = click.option(
    "--force", is_flag=True, help="Make it again although it is there already."
)
seed_option = click.option(
    "--seed", type=click.IntRange(0, 2**63 - 1), default=0, show_default=True, help="Random seed."
)
version_option = click.version_option(__version__, "--version", message="%(version)s")


def progress_bar(
    what: str, total: int | None = None, /
) -> Callable[[Iterable[Any]], Iterable[Any]]:
    """Return a function that shows a progress bar while its iterable is consumed."""
    from tqdm import tqdm  # noqa: PLC0415  # only commands that show progress pay for it

    return lambda values: tqdm(values, desc=what, total=total, leave=False, disable=None)


class NoteFormatter(logging.Formatter):
    """Formats what is logged as ``say`` prints: names of others cannot steer a terminal."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the note as it may be printed."""
        return printable(super().format(record))


def entry_point(command: click.Command) -> Callable[[], NoReturn]:
    """Return the function that a console script calls."""

    def main() -> NoReturn:
        notes = logging.StreamHandler()
        notes.setFormatter(NoteFormatter("note: %(message)s"))
        logging.basicConfig(handlers=[notes])
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, _stop)
        for stream in (sys.stdout, sys.stderr):  # a τ must not end a run on an old terminal
            if isinstance(stream, io.TextIOWrapper):
                stream.reconfigure(errors="replace")
        sys.exit(_run(command))

    return main


class _Stopped(BaseException):
    """Ctrl-C or SIGTERM; click would print a blank line for a KeyboardInterrupt."""


def _stop(*_: object) -> NoReturn:
    raise _Stopped


def _run(command: click.Command) -> int:
    try:
        result = command.main(standalone_mode=False)
        sys.stdout.flush()
    except click.ClickException as error:
        return _misused(command, error)
    except BenchwrightError as error:
        return _fail(str(error))
    except (_Stopped, click.Abort):
        _fail("stopped; nothing is half written: run the same command again to go on")
        return 130
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 141
    except OSError as error:
        if error.errno not in _REMEDIES:
            raise
        where = error.filename or "the workspace"
        return _fail(f"{where}: {error.strerror}; {_REMEDIES[error.errno]}")
    return result if isinstance(result, int) else 0


def _misused(command: click.Command, error: click.ClickException) -> int:
    if isinstance(error, click.exceptions.NoArgsIsHelpError):  # a group by itself: its help
        error.show()
        return error.exit_code
    context = getattr(error, "ctx", None)
    name = context.command_path if context else command.name
    _fail(f"{error.format_message()} See {name} --help")
    return error.exit_code


def say(text: str, *, err: bool = False) -> None:
    """Print a text, or to stderr with ``err``; names and values of others cannot steer a terminal.

    It is how every command prints.
    """
    click.echo(printable(text), err=err)  # noqa: TID251  # the one place


def _fail(message: str) -> int:
    say(f"error: {plain(message)}", err=True)
    return 1
