"""The commands that put questions to models, as ``benchwright`` has them."""

import json
from collections.abc import Generator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from benchwright.asking.options import Chosen, Paying, chosen_option, paying_options
from benchwright.asking.running import run
from benchwright.commands import progress_bar, say, workspace_option
from benchwright.errors import BenchwrightError, BudgetSpent, UsageError
from benchwright.plain_text import plain
from benchwright.workspace import Workspace

if TYPE_CHECKING:
    from benchwright.asking.ask import Asked, Asking, QuestionsAsked
    from benchwright.asking.questions import Answered


@click.command()
@click.argument(
    "pictures",
    nargs=-1,
    required=True,
    metavar="PICTURE...",
    type=click.Path(path_type=Path),
)
@click.option(
    "--question", "questions", multiple=True, required=True, help="A yes/no question; repeatable."
)
@chosen_option("Ask")
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
    chosen: Chosen,
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
    from benchwright.asking.ask import QuestionsAsked, shown_pictures  # noqa: PLC0415  # imports openai

    if not all(question.strip() for question in questions):
        raise UsageError("--question: one is empty; ask something about the picture")
    inquiry = QuestionsAsked(
        voters=chosen.voters(),
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
    workspace: Workspace, inquiry: "QuestionsAsked", paying: Paying, *, probe: bool
) -> None:
    from benchwright.asking.ask import estimate_asking  # noqa: PLC0415
    from benchwright.asking.estimates import estimate_lines  # noqa: PLC0415

    found = run(
        estimate_asking(workspace, inquiry, paying.spending(), batch=paying.batch, probe=probe)
    )
    for line in estimate_lines(found):
        say(line)


def _ask(
    workspace: Workspace, inquiry: "QuestionsAsked", paying: Paying, *, probe: bool, as_lines: bool
) -> None:
    from benchwright.asking.ask import ask_voters  # noqa: PLC0415
    from benchwright.asking.sheet import as_json, sheet_lines, total_line  # noqa: PLC0415

    pairs: list[tuple[Asking, Answered]] = []
    counted, total = 0, len(inquiry)
    bar = _steps(total if not (as_lines or paying.batch) else 0)
    next(bar, None)  # shows it empty

    def show(asking: "Asking", answered: "Answered") -> None:
        nonlocal counted
        counted += 1
        next(bar, None)
        if as_lines:
            said = as_json(asking, answered)
            say(json.dumps(said, sort_keys=True))
        else:
            pairs.append((asking, answered))

    asking = ask_voters(
        workspace, inquiry, paying.spending(), show, batch=paying.batch, probe=probe
    )
    try:
        asked = run(asking)
    except BenchwrightError:
        raise
    except BaseException:  # a signal, as a rule
        if not paying.batch:
            say(f"note: {counted:,} of {total:,} answered and kept", err=True)
        raise
    finally:
        bar.close()
    if not as_lines:
        gone = {
            name: fault
            for name, fault in asked.faults.items()
            if not isinstance(fault, BudgetSpent)
        }
        for line in sheet_lines(sorted(pairs, key=lambda pair: pair[0].place), gone):
            say(line)
        say(total_line(asked, inquiry.voters, batch=paying.batch))
    _print_troubles(asked)


def _steps(total: int) -> Generator[None, None, None]:
    """Yield so often, under a progress bar."""
    for _ in progress_bar("asking", total)(range(total)):
        yield


def _print_troubles(asked: "Asked") -> None:
    """Print notes and errors; raise BenchwrightError for the last of these."""
    for line in (*asked.notes, *(line for outcome in asked.batches for line in outcome.notes)):
        say(f"note: {plain(line)}", err=True)
    *others, last = asked.errors() or [""]
    for line in others:
        say(f"error: {plain(line)}", err=True)
    if last:
        raise BenchwrightError(last)
