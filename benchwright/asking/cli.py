"""The commands that put questions to models, as ``benchwright`` has them."""

import json
from pathlib import Path
from typing import TYPE_CHECKING

import click

from benchwright.asking.options import Paying, paying_options, voters_option
from benchwright.asking.running import run
from benchwright.commands import workspace_option
from benchwright.errors import BenchwrightError, UsageError
from benchwright.workspace import Workspace

if TYPE_CHECKING:
    from benchwright.asking.ask import Asking, Inquiry
    from benchwright.asking.questions import Answered


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
@click.option(
    "--json", "as_lines", is_flag=True, help="Print a JSON object for each answer, as they come."
)
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
    from benchwright.asking.ask import Inquiry, shown_pictures  # noqa: PLC0415  # imports openai
    from benchwright.asking.voters import read_voters  # noqa: PLC0415

    if not all(question.strip() for question in questions):
        raise UsageError("--question: one is empty; ask something about the picture")
    inquiry = Inquiry(
        voters=read_voters(voters_path),
        pictures=shown_pictures(pictures),
        questions=questions,
        samples=samples,
        max_tokens=max_tokens,
    )
    if paying.estimate:
        _print_estimate(workspace, inquiry, paying, probe=not no_probe)
    else:
        _ask(workspace, inquiry, paying, probe=not no_probe, as_lines=as_lines)


def _print_estimate(
    workspace: Workspace, inquiry: "Inquiry", paying: Paying, *, probe: bool
) -> None:
    from benchwright.asking.ask import estimate_asking  # noqa: PLC0415
    from benchwright.asking.estimates import estimate_lines  # noqa: PLC0415

    found = run(
        estimate_asking(workspace, inquiry, paying.spending(), batch=paying.batch, probe=probe)
    )
    for line in estimate_lines(found):
        click.echo(line)


def _ask(
    workspace: Workspace, inquiry: "Inquiry", paying: Paying, *, probe: bool, as_lines: bool
) -> None:
    from benchwright.asking.ask import ask_voters  # noqa: PLC0415
    from benchwright.asking.sheet import as_json, sheet_lines, total_line  # noqa: PLC0415

    pairs: list[tuple[Asking, Answered]] = []

    def show(asking: "Asking", answered: "Answered") -> None:
        if as_lines:
            said = as_json(asking, answered)
            click.echo(json.dumps(said, sort_keys=True, ensure_ascii=False))
        else:
            pairs.append((asking, answered))

    asked = run(
        ask_voters(workspace, inquiry, paying.spending(), show, batch=paying.batch, probe=probe)
    )
    if not as_lines:
        for line in sheet_lines(sorted(pairs, key=lambda pair: pair[0].place)):
            click.echo(line)
        click.echo(total_line(asked, inquiry.voters, batch=paying.batch))
    for line in (*asked.notes, *(line for outcome in asked.batches for line in outcome.notes)):
        click.echo(f"note: {line}", err=True)
    *others, last = asked.errors() or [""]
    for line in others:
        click.echo(f"error: {line}", err=True)
    if last:
        raise BenchwrightError(last)
