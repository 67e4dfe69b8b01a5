"""What is there before a page is followed: a folder, servers, what commands are to say instead."""

import shutil
from collections.abc import Callable, Mapping, MutableMapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from stand_ins.models import Brain, Model, Script, ScriptedServer
from stand_ins.reader.page import Command

ROOT = Path(__file__).parents[2]
# as pages write it
SERVER = "http://localhost:8000/v1"
OPENAI = "https://api.openai.com/v1"

Run = Callable[..., Any]  # of a console command, in this process; see tests/conftest.py


def _nothing(_: Command) -> None:
    """Do nothing before a command."""


@dataclass(frozen=True, slots=True, kw_only=True)
class World:
    """The folder in which a page is followed, and what stands in for the world around it.

    ``swapped`` are texts of commands with what is put in their place, ``environment`` is that of
    all commands. ``before`` is what people do by hand before a command is run. Commands with one
    of the texts in ``apart`` run in a process of their own.
    """

    folder: Path
    swapped: Mapping[str, str] = field(default_factory=dict)
    environment: Mapping[str, str] = field(default_factory=dict)
    before: Callable[[Command], None] = _nothing
    apart: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Making:
    """With what a world is made: its empty folder, and what worlds of the same kind share.

    ``shelf`` holds folders by name; they are copied and never changed.
    """

    folder: Path
    run: Run
    shelf: MutableMapping[str, Path]
    storage: Path
    stack: ExitStack

    def console(self, *command: str | Path) -> str:
        """Run a console command that succeeds, and return what it said."""
        ran = self.run(*command)
        assert ran.code == 0, f"{command}: {ran.err}"
        return str(ran.out)

    def copied(self, name: str, make: Callable[[Path], None], to: str = "workspace") -> Path:
        """Put what ``make`` made once under a name into the folder of the world."""
        if name not in self.shelf:
            place = self.storage / name
            make(place)
            self.shelf[name] = place
        return Path(shutil.copytree(self.shelf[name], self.folder / to))

    def linked(self, *names: str) -> None:
        """Put folders of the repository into the world."""
        for name in names:
            (self.folder / name).parent.mkdir(parents=True, exist_ok=True)
            (self.folder / name).symlink_to(ROOT / name)

    def served(
        self, models: Sequence[str], brain: Brain | None = None, **script: Any
    ) -> ScriptedServer:
        """Start a server of scripted models that ends with the world."""
        said = Script(models=[Model(name=name) for name in models], **script)
        return self.stack.enter_context(ScriptedServer(said, brain=brain))
