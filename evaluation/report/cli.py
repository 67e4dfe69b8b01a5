"""The command run-benchmark report."""

from pathlib import Path

import click

from benchwright.commands import say, seed_option, workspace_option
from benchwright.workspace import Workspace


@click.command("report")
@click.argument("runs", nargs=-1, required=True)
@click.option(
    "--out",
    type=click.Path(path_type=Path, file_okay=False),
    help="Where the page and the table are written.  [default: leaderboard in the workspace]",
)
@click.option(
    "--pictures",
    type=click.IntRange(min=0),
    default=12,
    show_default=True,
    help="How many episodes or dialogues of each run the page holds with their pictures, drawn by"
    " the seed.",
)
@click.option(
    "--release", help="The release that was played, where the runs do not find it themselves."
)
@seed_option
@workspace_option
def report_command(
    runs: tuple[str, ...],
    out: Path | None,
    pictures: int,
    release: str | None,
    seed: int,
    workspace: Workspace,
) -> None:
    """Set runs beside each other: one page with tables, figures and the episodes themselves.

    RUNS are names of runs in the workspace, their folders, or folders with a score alone. Runs on
    one config of one release share a table. docs/leaderboard.md says how to read it.
    """
    from benchwright.plain_text import counted  # noqa: PLC0415  # the others take seconds
    from evaluation.report.report import write_report  # noqa: PLC0415

    folder = out or workspace.root / "leaderboard"
    made = write_report(runs, workspace, folder, most=pictures, release=release, seed=seed)
    say("\n".join(made.lines))
    say(
        f"Wrote {made.page.name} ({made.page_bytes / 1e6:.1f} MB, with"
        f" {counted(made.items, 'item')} to page through) and {made.table.name} to {folder};"
        f" open {made.page} in a browser"
    )
