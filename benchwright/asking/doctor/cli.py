"""The command benchwright doctor."""

import click

from benchwright.asking.options import Chosen, Paying, chosen_option, paying_options
from benchwright.commands import progress_bar, say, workspace_option
from benchwright.errors import UsageError
from benchwright.workspace import Workspace


@click.command("doctor")
@workspace_option
@chosen_option("Probe")
@click.option(
    "--judge",
    "judge_name",
    metavar="NAME",
    help="Try the voters out on what people labelled for this judge of an evaluation"
    " (correction, detector) instead. The options below go with it.",
)
@paying_options
def doctor_command(
    workspace: Workspace, chosen: Chosen, judge_name: str | None, paying: Paying
) -> int:
    """Probe the servers of a voters' file: what they see, take, keep to and cost.

    What was found is written to labels/doctor.json; the exit code is not 0 when a voter cannot
    be asked about pictures.

    With --judge the voters are asked labelled questions, and a table says how often they are right.
    Answers are kept and not bought again; the exit code is not 0 when some are missing.
    """
    if judge_name is not None:
        return _try(workspace, chosen, judge_name, paying)
    _refuse(paying)
    from benchwright.asking.doctor.doctor import (  # noqa: PLC0415  # imports openai
        announcement,
        doctor,
    )
    from benchwright.asking.doctor.report import report_lines  # noqa: PLC0415

    say(announcement(chosen.voters()))
    all_examined = doctor(workspace, chosen.path, chosen.only)
    for examined in all_examined:
        say("")
        for line in report_lines(examined, chosen.path):
            say(line)
    return 0 if all(examined.findings.is_usable for examined in all_examined) else 1


def _refuse(paying: Paying) -> None:
    """Raise UsageError for options of money: probing takes few calls, and keeps no answers."""
    named = {
        "--estimate": paying.estimate,
        "--max-calls": paying.max_calls is not None,
        "--max-cost": paying.max_cost is not None,
        "--batch": paying.batch,
        "--again": bool(paying.again),
    }
    given = [name for name, is_given in named.items() if is_given]
    if given:
        raise UsageError(
            f"{', '.join(given)}: goes with --judge alone; what probing takes is said beforehand,"
            " and it is asked anew each time"
        )


def _try(workspace: Workspace, chosen: Chosen, judge_name: str, paying: Paying) -> int:
    from benchwright.asking.doctor.judging import estimate_judge, try_judge  # noqa: PLC0415
    from benchwright.asking.estimates import estimate_lines  # noqa: PLC0415
    from benchwright.asking.judges import judge_named  # noqa: PLC0415

    judge = judge_named(judge_name)
    voters, spending = chosen.voters(), paying.spending()
    if paying.estimate:
        estimates = estimate_judge(workspace, voters, spending, judge, batch=paying.batch)
        for line in estimate_lines(estimates):
            say(line)
        return 0
    found = try_judge(workspace, voters, spending, judge, batch=paying.batch, progress=progress_bar)
    for line in judge.sheet(found):
        say(line)
    missing = sum(one.verdict is None for some in found.values() for one in some)
    if missing:
        say(f"error: {missing:,} cases without an answer; run it again to ask for them", err=True)
    return 1 if missing else 0
