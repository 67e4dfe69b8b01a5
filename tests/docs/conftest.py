"""What tests of pages share: worlds to follow them in."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from stand_ins.reader.chapters import Chapter, commands_in
from stand_ins.reader.exceptions import NOT_RUN, OTHER_LINES, OTHER_NUMBERS, RUN_AS, reason
from stand_ins.reader.following import follow, write_file
from stand_ins.reader.page import Command, files_of
from stand_ins.reader.shown import not_said
from stand_ins.reader.world import ROOT, Making, World
from stand_ins.reader.worlds import WORLDS


@pytest.fixture(scope="session")
def shelf() -> dict[str, Path]:
    """What was made once for the worlds of one kind."""
    return {}


@pytest.fixture
def faults_of_page(
    run: Callable[..., Any],
    shelf: dict[str, Path],
    tmp_path: Path,
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[Callable[[Sequence[Chapter]], str]]:
    """Follow chapters of one page in their world, and return what does not do as the page says.

    What runs in the world ends with the test.
    """
    with ExitStack() as stack:

        def follow_all(chapters: Sequence[Chapter]) -> str:
            name = chapters[0].world
            folder = tmp_path / name
            folder.mkdir()
            storage = tmp_path_factory.mktemp("shelf")
            making = Making(folder=folder, run=run, shelf=shelf, storage=storage, stack=stack)
            return "\n\n".join(_faults(chapters, WORLDS[name](making), run))

        yield follow_all


def _faults(chapters: Sequence[Chapter], world: World, run: Callable[..., Any]) -> Iterator[str]:
    """Yield what is wrong; a command that fails ends it, for what comes after builds on it."""
    said: dict[int, str] = {}
    files = files_of((ROOT / chapters[0].page).read_text("utf-8"))
    for command in (one for chapter in chapters for one in commands_in(chapter)):
        if reason(command, NOT_RUN) is not None and command.text not in RUN_AS:
            continue
        while files and files[0].line < command.line:
            write_file(files.pop(0), world)
        done = follow(command, world, run, in_app=chapters[0].in_app)
        if done.code != 0:
            yield f"{command}: exit code {done.code}\n{done.out}{done.err}"
            return
        said[command.block] = said.get(command.block, "") + done.out + done.err
        missing = _missing(command, said[command.block])
        if missing:
            yield f"{command}: does not say {missing}, but\n{said[command.block]}"


def _missing(command: Command, said: str) -> list[str]:
    has_others = reason(command, OTHER_LINES) is not None
    return not_said(
        (*command.shown[:1], *command.shown[-1:]) if has_others else command.shown,
        said,
        with_numbers=not has_others and reason(command, OTHER_NUMBERS) is None,
    )
