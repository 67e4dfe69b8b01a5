"""The command push-release diff."""

from pathlib import Path

import click

from benchwright.commands import say


@click.command("diff")
@click.argument("old")
@click.argument("new")
@click.option(
    "--rows",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Write every row that differs, with the reason, into this file of JSON Lines.",
)
def diff_command(old: str, new: str, rows: Path | None) -> None:
    """Say what changed from release OLD to release NEW, why, and which version that asks for.

    Each is a folder, or REPO@TAG on the Hub.
    """
    from benchwright import files  # noqa: PLC0415
    from exports.differing.diff import diff_releases  # noqa: PLC0415  # imports pyarrow
    from exports.differing.report import diff_lines, diff_rows  # noqa: PLC0415
    from exports.pushing.fetching import fetched, named  # noqa: PLC0415

    before, after = fetched(old), fetched(new)
    with named(old, before), named(new, after):
        diff = diff_releases(before, after)
    if rows is not None:
        with files.atomic(rows) as stream:
            stream.writelines(line.encode() for line in diff_rows(diff))
    for line in diff_lines(diff):
        say(line)
