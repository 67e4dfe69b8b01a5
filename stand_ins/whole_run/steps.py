"""Commands one after the other: each is printed with what it says; one that fails ends it all."""

import os
import shlex
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path


class StepFailed(Exception):
    """A command failed; what it said is printed already."""


def told(text: str) -> None:
    """Print a line at once."""
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


@dataclass(slots=True, kw_only=True)
class Steps:
    """Runs the console commands of this Python in the folder ``out``, to which paths are relative.

    ``environment`` is what they get besides that of this process.
    """

    out: Path
    environment: dict[str, str] = field(default_factory=dict)

    def do(self, command: str, *arguments: str | int | Path) -> str:
        """Run a command and return what it printed; raise StepFailed where it fails."""
        words = [command, *map(self._shown, arguments)]
        told(f"$ {shlex.join(words)}")
        said = self._run(words)
        told(said.stdout.rstrip())
        if said.returncode:
            raise StepFailed(f"{command} ended with {said.returncode}")
        return said.stdout

    @contextmanager
    def started(
        self, command: str, *arguments: str | int | Path
    ) -> "Iterator[subprocess.Popen[str]]":
        """Start a command that lasts until it is told to end; what it prints is for the caller."""
        words = [command, *map(self._shown, arguments)]
        told(f"$ {shlex.join(words)}")
        with subprocess.Popen(
            [Path(sys.executable).with_name(command), *words[1:]],
            cwd=self.out,
            env={**_plain(os.environ), **self.environment, "PYTHONUNBUFFERED": "1"},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        ) as process:
            yield process

    def do_quietly(self, command: str, *arguments: str | int | Path) -> str:
        """Do the same and print nothing of what it says, unless it fails."""
        said = self._run([command, *map(self._shown, arguments)])
        if said.returncode:
            told(said.stdout.rstrip())
            raise StepFailed(f"{command} ended with {said.returncode}")
        return said.stdout

    def _run(self, words: Sequence[str]) -> "subprocess.CompletedProcess[str]":
        script = Path(sys.executable).with_name(words[0])
        return subprocess.run(
            [script, *words[1:]],
            cwd=self.out,
            env={**_plain(os.environ), **self.environment},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )

    def python(self, program: str, *arguments: str) -> str:
        """Run a few lines of Python as a user would, and return what they print."""
        said = subprocess.run(
            [sys.executable, "-c", program, *arguments],
            cwd=self.out,
            env={**_plain(os.environ), **self.environment},
            capture_output=True,
            text=True,
            check=False,
        )
        if said.returncode:
            raise StepFailed(said.stderr)
        return said.stdout.rstrip()

    def _shown(self, argument: str | int | Path) -> str:
        if isinstance(argument, Path) and argument.is_relative_to(self.out):
            return str(argument.relative_to(self.out))
        return str(argument)


def _plain(environment: Mapping[str, str]) -> dict[str, str]:
    """Leave out what would lead a command elsewhere."""
    return {name: value for name, value in environment.items() if name != "BENCHWRIGHT_WORKSPACE"}
