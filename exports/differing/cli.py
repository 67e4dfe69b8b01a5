"""The command push-release diff."""

from pathlib import Path

import click

from benchwright.commands import say


@click.command("diff")
@click.argument("old")
@click.argument("new")
@click.option(
    "--json",
    "json_path",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Write every changed row with its reason into this file.",
)
def diff_command(old: str, new: str, json_path: Path | None) -> None:
    """Say what changed from release OLD to release NEW, why, and which version that asks for.

    Each is a folder, or REPO@TAG on the Hub.
    """
    from benchwright import files  # noqa: PLC0415
    from exports.differing.diff import diff_releases  # noqa: PLC0415  # imports pyarrow
    from exports.differing.report import diff_json, diff_lines  # noqa: PLC0415
    from exports.pushing.fetching import fetched  # noqa: PLC0415

    diff = diff_releases(fetched(old), fetched(new))
    for line in diff_lines(diff):
        say(line)
    if json_path is not None:
        files.write_json(json_path, diff_json(diff))
