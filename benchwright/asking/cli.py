"""The commands that put questions to models, as ``benchwright`` has them."""

import asyncio
import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from benchwright.asking.options import Paying, paying_options, voters_option
from benchwright.commands import workspace_option
from benchwright.errors import BenchwrightError
from benchwright.workspace import Workspace

if TYPE_CHECKING:
    from benchwright.asking.ask import Pair


@click.command()
@click.argument(
    "pictures",
    nargs=-1,
    required=True,
    metavar="PICTURE...",
    type=click.Path(path_type=Path, dir_okay=False),
)
@click.option(
    "--question", "questions", multiple=True, required=True, help="A yes/no question; repeatable."
)
@voters_option
@click.option(
    "--samples",
    type=click.IntRange(1, 1000),
    default=1,
    show_default=True,
    help="Answers of each voter: the first at temperature 0, further ones at 1.",
)
@click.option(
    "--max-tokens",
    type=click.IntRange(1),
    default=16,
    show_default=True,
    help="Cap of an answer; raised once where it was cut before it said anything.",
)
@paying_options
@click.option("--no-probe", is_flag=True, help="Do not check first that the voters see pictures.")
@click.option("--json", "as_lines", is_flag=True, help="Print a JSON object for each answer.")
@workspace_option
def ask(
    pictures: tuple[Path, ...],
    questions: tuple[str, ...],
    voters_path: Path,
    samples: int,
    max_tokens: int,
    paying: Paying,
    no_probe: bool,
    as_lines: bool,
    workspace: Workspace,
) -> None:
    """Ask every voter of a file about pictures and show the answers side by side.

    What was answered before is taken from the workspace and not bought again.
    """
    from benchwright.asking.ask import (  # noqa: PLC0415  # imports openai
        ask_voters,
        ask_voters_by_batch,
        askings,
        check_sights,
        estimates,
    )
    from benchwright.asking.estimates import estimate_lines  # noqa: PLC0415
    from benchwright.asking.voters import read_voters  # noqa: PLC0415

    voters = read_voters(voters_path)
    asked = list(askings(voters, pictures, questions, samples=samples, max_tokens=max_tokens))
    if paying.estimate:
        found = asyncio.run(estimates(workspace, voters, asked, batch=paying.batch))
        for line in estimate_lines(found):
            click.echo(line)
        return
    for doubt in [] if no_probe else asyncio.run(check_sights(workspace, voters, asked)):
        click.echo(f"note: {doubt}", err=True)
    way = ask_voters_by_batch if paying.batch else ask_voters
    answers = asyncio.run(way(workspace, voters, asked, paying.spending()))
    _show(answers.pairs, as_lines=as_lines)
    for line in (line for outcome in answers.batches for line in outcome.notes):
        click.echo(f"note: {line}", err=True)
    if answers.fault is not None:
        raise answers.fault
    if len(answers.pairs) < len(asked):
        stopped = next((one.stopped for one in answers.batches if one.stopped), None)
        raise BenchwrightError(
            stopped
            or f"{len(asked) - len(answers.pairs)} answers are not there yet; run it again to go on"
        )


def _show(pairs: "Sequence[Pair]", *, as_lines: bool) -> None:
    from benchwright.asking.sheet import as_json, sheet_lines, total_line, totals  # noqa: PLC0415

    if as_lines:
        for pair in pairs:
            click.echo(json.dumps(as_json(*pair), sort_keys=True, ensure_ascii=False))
        return
    for line in sheet_lines(pairs):
        click.echo(line)
    click.echo(total_line(totals(pairs)))
