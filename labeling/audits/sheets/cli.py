"""The command review-labels sheet."""

import re
from pathlib import Path
from typing import TYPE_CHECKING

import click

from benchwright.commands import progress_bar, say, seed_option, workspace_option
from benchwright.errors import UsageError
from benchwright.workspace import Workspace
from labeling.audits.options import task_options
from labeling.audits.tasks.names import DISAGREEMENTS, AuditName, ThirdLook

if TYPE_CHECKING:
    from labeling.audits.tasks.task import AuditSettings

_NAME = re.compile(r"\w[\w.-]*(?<!\.)")
_PART = re.compile(r"-\d+")  # what ends the name of a page of several


def _names(
    _context: click.Context, _parameter: click.Parameter, names: tuple[str, ...]
) -> tuple[str, ...]:
    """Return the names, trimmed; refuse what no auditor or file is called, or two files would."""
    from benchwright.decisions.auditors import auditor_name  # noqa: PLC0415  # imports pyarrow

    try:
        names = tuple(map(auditor_name, names))
    except UsageError as error:
        raise click.BadParameter(f"{error}.") from error
    for name in names:
        if not _NAME.fullmatch(name) or _PART.search(name, max(0, name.rfind("-"))):
            raise click.BadParameter(
                f"{name!r} names a file; give letters, digits, '_', '.' and '-', and no number"
                " after a last '-'."
            )
    if len({name.casefold() for name in names}) < len(names):
        raise click.BadParameter("name each auditor once.")
    return names


def _refuse_without_effect(settings: "AuditSettings") -> None:
    """Raise UsageError for an option that changes nothing of a third look, as in the App."""
    odd = {"--blind": settings.blind, "--limit": settings.limit is not None}
    for option in (name for name, is_odd in odd.items() if is_odd):
        raise UsageError(f"{option} changes nothing of an audit of disagreements; leave it away")


@click.command("sheet")
@task_options
@click.option(
    "--auditor",
    "auditors",
    multiple=True,
    required=True,
    callback=_names,
    help="Who judges; give it several times to share the work.",
)
@click.option(
    "--out",
    type=click.Path(file_okay=False, path_type=Path),
    help="Where the sheets go.  [default: audits/sheets in the workspace]",
)
@seed_option
@workspace_option
def sheet_command(
    audit: AuditName | ThirdLook,
    auditors: tuple[str, ...],
    blind: bool,
    out: Path | None,
    limit: int | None,
    overlap: float,
    run: str | None,
    seed: int,
    workspace: Workspace,
) -> None:
    """Write an audit as pages and CSV files, to judge without a database.

    Each auditor gets a page that needs nothing but a browser, and a CSV with the same tasks to
    fill in by hand. review-labels sync --sheet FILE reads back either CSV.
    """
    from benchwright.run_path import run_path  # noqa: PLC0415
    from labeling.audits.sheets.report import sheet_lines  # noqa: PLC0415  # imports pyarrow
    from labeling.audits.sheets.writing import write_sheets, write_third_looks  # noqa: PLC0415
    from labeling.audits.tasks.kinds import kind_of  # noqa: PLC0415
    from labeling.audits.tasks.task import AuditSettings  # noqa: PLC0415

    folder = None if run is None else run_path(run, workspace)
    settings = AuditSettings(blind=blind, overlap=overlap, seed=seed, run=folder, limit=limit)
    if audit == DISAGREEMENTS:
        _refuse_without_effect(settings)
        sheets = write_third_looks(workspace, settings, auditors, out, progress_bar)
    else:
        sheets = write_sheets(workspace, kind_of(audit), settings, auditors, out, progress_bar)
    for line in sheet_lines(sheets, workspace, audit):
        say(line)
