"""What tests of pages share: worlds to follow them in."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from stand_ins.reader.chapters import (
    NOT_RUN,
    OTHER_LINES,
    OTHER_NUMBERS,
    RUN_AS,
    Chapter,
    commands_in,
    reason,
)
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
def world(
    run: Callable[..., Any],
    shelf: dict[str, Path],
    tmp_path: Path,
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[Callable[[str], World]]:
    """Make a world by its name; what runs in it ends with the test."""
    with ExitStack() as stack:

        def make(name: str) -> World:
            folder = tmp_path / name
            folder.mkdir()
            storage = tmp_path_factory.mktemp("shelf")
            making = Making(folder=folder, run=run, shelf=shelf, storage=storage, stack=stack)
            return WORLDS[name](making)

        yield make


@pytest.fixture
def read(run: Callable[..., Any]) -> Callable[[Sequence[Chapter], World], list[str]]:
    """Follow chapters in a world and return what does not do as its page says.

    A command that fails ends it: what comes after builds on it.
    """

    def read_chapters(chapters: Sequence[Chapter], place: World) -> list[str]:
        wrong: list[str] = []
        said: dict[int, str] = {}
        files = files_of((ROOT / chapters[0].page).read_text("utf-8"))
        for command in (one for chapter in chapters for one in commands_in(chapter)):
            if reason(command, NOT_RUN) is not None and command.text not in RUN_AS:
                continue
            while files and files[0].line < command.line:
                write_file(files.pop(0), place)
            done = follow(command, place, run, in_app=chapters[0].in_app)
            if done.code != 0:
                return [*wrong, f"{command}: exit code {done.code}\n{done.out}{done.err}"]
            said[command.block] = said.get(command.block, "") + done.out + done.err
            missing = _missing(command, said[command.block])
            if missing:
                wrong.append(f"{command}: does not say {missing}, but\n{said[command.block]}")
        return wrong

    return read_chapters


def _missing(command: Command, said: str) -> list[str]:
    has_others = reason(command, OTHER_LINES) is not None
    return not_said(
        command.shown[:1] if has_others else command.shown,
        said,
        with_numbers=not has_others and reason(command, OTHER_NUMBERS) is None,
    )
