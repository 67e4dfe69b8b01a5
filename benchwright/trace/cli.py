"""The command ``benchwright trace``."""

import json
from pathlib import Path

import click

from benchwright.commands import say, workspace_option
from benchwright.workspace import Workspace


@click.command("trace")
@click.argument("asked", metavar="ID")
@click.option("--run", metavar="NAME", help="Of the runs that played it, this one alone.")
@click.option(
    "--release",
    type=click.Path(path_type=Path, file_okay=False),
    help="The folder of a release that lies in no workspace, or in another one.",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object of nodes and edges.")
@workspace_option
def trace_command(
    asked: str, run: str | None, release: Path | None, as_json: bool, workspace: Workspace
) -> None:
    """Follow what ID names from the score back to the source row.

    ID is that of a picture, an episode, a dialogue (DIALOGUE/TURN for one turn of a candidate
    set), a chain, a response, a stored answer, a row of the source, kept or left out, or the name
    of a run or a release; six letters or more stand for all of it. KIND:ID chooses where it names
    several things. Every step says in which file it was read, and whether that file and what it
    was made of are still as they were recorded.
    """
    from benchwright.trace.lines import way_lines  # noqa: PLC0415  # imports pyarrow
    from benchwright.trace.trace import trace  # noqa: PLC0415

    way = trace(workspace, asked, run=run, release=release)
    if as_json:
        say(json.dumps(way.as_json(), indent=1, sort_keys=True))
        return
    for line in way_lines(way):
        say(line)
