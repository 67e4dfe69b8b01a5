"""The sheets of an audit: for each auditor pages to judge on and a CSV to fill in."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchwright.decisions.auditors import warn_if_spelled_otherwise
from benchwright.decisions.journal import read_journal
from benchwright.decisions.standing import asked, standing
from benchwright.errors import SourceError, UsageError
from benchwright.progress import Progress, no_progress
from benchwright.records import Decision
from benchwright.spreadsheet_cells import readable, safe
from benchwright.workspace import Workspace
from labeling.audits.sheets.asking import told_in_a_cell
from labeling.audits.sheets.cells import FILLED
from labeling.audits.sheets.keys import SheetKey, add_keys, key_of, sheets_folder
from labeling.audits.sheets.page import Heading, Page, SheetRow, write_pages
from labeling.audits.sheets.pictures import Pictured, pictured
from labeling.audits.sheets.sharing import share
from labeling.audits.sheets.table import read_table, write_table
from labeling.audits.sheets.third_look import third_looks
from labeling.audits.tasks.names import DISAGREEMENTS, AuditName, ThirdLook
from labeling.audits.tasks.task import AuditKind, AuditSettings, Task


@dataclass(frozen=True, slots=True, kw_only=True)
class Sheet:
    """What was written for one auditor: nothing where there is nothing left to judge."""

    auditor: str
    tasks: int
    pages: Sequence[Page]
    table: Path


def write_sheets(
    workspace: Workspace,
    kind: AuditKind,
    settings: AuditSettings,
    auditors: Sequence[str],
    folder: Path | None = None,
    progress: Progress = no_progress,
) -> Sequence[Sheet]:
    """Write the sheets of an audit for some auditors, of distinct names that files may have.

    Tasks are shared as ``share`` says; the keys of the tasks stay in the workspace, whatever
    the folder. An auditor whom the journal knows in another spelling is warned of.

    Raises UsageError where the CSV of an earlier sheet holds judgements, which would be lost;
    LostPicture, and whatever the kind of audit raises.
    """
    folder = _writable(workspace, kind.name, auditors, folder)
    tasks = kind.tasks(workspace, settings)
    judged = asked(standing(_decisions(workspace, auditors)))
    work = _Work(
        audit=kind.name,
        blind=settings.blind,
        tasks=tasks,
        shared=share(tasks, auditors, judged, seed=settings.seed),
    )
    return _write_all(workspace, work, folder, progress)


def write_third_looks(
    workspace: Workspace,
    settings: AuditSettings,
    auditors: Sequence[str],
    folder: Path | None = None,
    progress: Progress = no_progress,
) -> Sequence[Sheet]:
    """Write the sheets of a third look, each task for one of the auditors who have not judged it.

    Raises as ``write_sheets`` and ``third_looks``.
    """
    folder = _writable(workspace, DISAGREEMENTS, auditors, folder)
    tasks = third_looks(workspace, _decisions(workspace, auditors), settings.run)
    work = _Work(
        audit=DISAGREEMENTS,
        blind=True,
        tasks=tasks,
        shared=share(tasks, auditors, {}, seed=settings.seed),  # who judged is barred
    )
    return _write_all(workspace, work, folder, progress)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Work:
    """The tasks of one audit, and those that each auditor gets of them."""

    audit: AuditName | ThirdLook
    blind: bool
    tasks: Sequence[Task]
    shared: Mapping[str, Sequence[Task]]


def _writable(
    workspace: Workspace, audit: AuditName | ThirdLook, auditors: Sequence[str], folder: Path | None
) -> Path:
    """Return where the sheets go, unless judgements lie there."""
    folder = sheets_folder(workspace) if folder is None else folder
    for auditor in auditors:
        _refuse_filled(folder / f"{audit}-{auditor}.csv")
    return folder


def _decisions(workspace: Workspace, auditors: Sequence[str]) -> Sequence[Decision]:
    decisions = read_journal(workspace).decisions
    warn_if_spelled_otherwise(auditors, decisions)
    return decisions


def _write_all(
    workspace: Workspace, work: _Work, folder: Path, progress: Progress
) -> Sequence[Sheet]:
    pictures = pictured(workspace, work.tasks)
    keys = {task.task_id: key_of(task) for task in work.tasks}
    add_keys(workspace, work.audit, keys.values())
    folder.mkdir(parents=True, exist_ok=True)
    return [
        _write(
            workspace,
            Heading(audit=work.audit, auditor=auditor, blind=work.blind),
            _rows(own, keys, pictures),
            pictures,
            folder,
            progress,
        )
        for auditor, own in work.shared.items()
    ]


def _write(
    workspace: Workspace,
    heading: Heading,
    rows: Sequence[SheetRow],
    pictures: Mapping[str, Pictured],
    folder: Path,
    progress: Progress,
) -> Sheet:
    name = f"{heading.audit}-{heading.auditor}"
    table = folder / f"{name}.csv"
    pages: Sequence[Page] = ()
    if rows:
        _remove_pages(folder, name)
        pages = write_pages(workspace, heading, rows, pictures, folder / f"{name}.html", progress)
        blank = ["" for _ in FILLED]
        blank[FILLED.index("auditor")] = safe(heading.auditor)
        write_table(table, ([*row.cells, *blank] for row in rows))
    return Sheet(auditor=heading.auditor, tasks=len(rows), pages=pages, table=table)


def _remove_pages(folder: Path, name: str) -> None:
    """Remove the pages of an earlier sheet, which may have been more."""
    for page in folder.glob("*.html"):
        if re.fullmatch(rf"{re.escape(name)}(-\d+)?", page.stem):
            page.unlink()


def _rows(
    tasks: Sequence[Task], keys: Mapping[str, SheetKey], pictures: Mapping[str, Pictured]
) -> Sequence[SheetRow]:
    return [
        SheetRow(
            task=task,
            key=keys[task.task_id].key,
            cells=(
                keys[task.task_id].key,
                readable(task.task_id),
                task.kind,
                f"catalog/images/{pictures[task.image_id].image}",
                readable(told_in_a_cell(task)),
                readable(str(task.facets.get("machine") or "")),
            ),
        )
        for task in tasks
    ]


def _refuse_filled(path: Path) -> None:
    """Raise UsageError where a CSV holds judgements, or cannot be told not to."""
    if not path.exists():
        return
    try:
        judged = sum(bool(line.cells["verdict"]) for line in read_table(path))
    except SourceError as error:
        raise UsageError(
            f"{error}; or move the file away: a new sheet would take its place"
        ) from error
    if judged:
        raise UsageError(
            f"{path}: holds {judged} judgements, and a new sheet would take its place; read them"
            f" by review-labels sync --sheet {path}, then move the file away"
        )
