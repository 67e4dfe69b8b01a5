"""Makes a report of runs: the page and the table."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from benchwright import files
from benchwright.plain_text import counted
from benchwright.workspace import Workspace
from evaluation.report.across import charts_by_tau
from evaluation.report.boards import boards_of
from evaluation.report.entries import read_entries
from evaluation.report.markdown import markdown_of
from evaluation.report.page import page_of
from evaluation.report.sections import Section, sections_of
from evaluation.report.viewing.choosing import embedded

PAGE, TABLE = "leaderboard.html", "leaderboard.md"


@dataclass(frozen=True, slots=True, kw_only=True)
class Made:
    """What was written; ``items`` stand in the page, ``lines`` say who leads."""

    page: Path
    table: Path
    page_bytes: int
    items: int
    lines: tuple[str, ...]


def write_report(
    runs: Sequence[str],
    workspace: Workspace,
    folder: Path,
    *,
    most: int,
    release: str | None = None,
    seed: int = 0,
) -> Made:
    """Write the page and the table of some runs into a folder.

    The page holds ``most`` items of each run. Raises as ``read_entries`` and ``boards_of`` do,
    WorkspaceError where the folder cannot be written to, LostPicture for a broken picture.
    """
    boards = boards_of(read_entries(runs, workspace, release=release, seed=seed))
    sections = sections_of(boards, seed)
    viewer = embedded(boards, most, seed)
    page = page_of(sections, charts_by_tau(boards), viewer)
    folder.mkdir(parents=True, exist_ok=True)
    files.write_bytes(folder / PAGE, page)
    files.write_bytes(folder / TABLE, markdown_of(sections).encode())
    return Made(
        page=folder / PAGE,
        table=folder / TABLE,
        page_bytes=len(page),
        items=viewer.items,
        lines=tuple(map(_led, sections)),
    )


def _led(section: Section) -> str:
    """Return who leads a table, on one line."""
    first, main = section.rows[0], sorted(section.main)
    runs = counted(len(section.rows), "run")
    if not main or first.place == "-":
        return f"{section.title}: {runs}"
    said = f"{section.headings[main[0]]} {first.cells[main[0]].value}"
    return f"{section.title}: {runs}; {first.place} {first.name}, {said}"
