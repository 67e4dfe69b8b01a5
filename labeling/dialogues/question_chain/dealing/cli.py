"""The command build-dialogues question-chain verify."""

import click

from benchwright.commands import force_option, say, seed_option, workspace_option
from benchwright.errors import UsageError
from benchwright.workspace import Workspace


def _names(
    _context: click.Context, _parameter: click.Parameter, value: str | None
) -> tuple[str, ...]:
    """Return the names between the commas; refuse what no auditor is called, and one twice."""
    from benchwright.decisions.auditors import auditor_name  # noqa: PLC0415  # imports pyarrow

    try:
        names = () if value is None else tuple(map(auditor_name, value.split(",")))
    except UsageError as error:
        raise click.BadParameter(f"{error}.") from error
    if len({name.casefold() for name in names}) < len(names):
        raise click.BadParameter("name each auditor once.")
    return names


@click.command("verify")
@click.option(
    "--auditors",
    metavar="NAME,NAME,NAME",
    callback=_names,
    help="Who checks; those of the last time where nobody is named.",
)
@seed_option
@force_option
@workspace_option
def verify_command(auditors: tuple[str, ...], seed: int, force: bool, workspace: Workspace) -> None:
    """Deal chains to checkers for two rounds, and say what became of those that were checked.

    Each gets whole scenarios that they did not write, in the second round others than in the
    first; the audit keeps to it. Run it again as chains, people and verdicts come: what was dealt
    stays. Name all but one who never comes, and what was theirs is dealt anew.
    """
    from labeling.dialogues.question_chain.dealing.report import verify_lines  # noqa: PLC0415  # pyarrow
    from labeling.dialogues.question_chain.dealing.verifying import verify  # noqa: PLC0415
    from labeling.dialogues.question_chain.waiting import next_line  # noqa: PLC0415

    for line in verify_lines(verify(workspace, auditors, seed=seed, force=force)):
        say(line)
    say(next_line(workspace))
