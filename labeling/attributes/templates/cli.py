"""The command label-attributes templates."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from benchwright.asking.options import Paying, paying_options
from benchwright.asking.running import run
from benchwright.commands import say, workspace_option
from benchwright.errors import UsageError
from benchwright.workspace import Workspace

if TYPE_CHECKING:
    from benchwright.asking.voters import Voter
    from labeling.attributes.templates.writing import Written


@click.command("templates")
@workspace_option
@click.option(
    "--per-value",
    type=click.IntRange(1, 50),
    default=4,
    show_default=True,
    help="Templates that each value has at least.",
)
@click.option(
    "--voters",
    "voters_path",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Have a model of this YAML file write them; patterns fill up.",
)
@click.option("--voter", "voter_name", metavar="NAME", help="Which model of the file writes.")
@paying_options
@click.option(
    "--replace", "anew", is_flag=True, help="Write those anew that no person wrote or edited."
)
@click.option("--check", is_flag=True, help="Only list the templates that break a rule.")
def templates_command(
    workspace: Workspace,
    per_value: int,
    voters_path: Path | None,
    voter_name: str | None,
    paying: Paying,
    anew: bool,
    check: bool,
) -> None:
    """Give every value of vocabulary.yaml paraphrases of its yes/no question.

    They are made by patterns, or by a model whose every wording is checked. What you wrote
    yourself comes first and stays as it is.
    """
    from labeling.attributes.templates.account import account_lines, check_lines  # noqa: PLC0415
    from labeling.attributes.templates.making import (  # noqa: PLC0415
        check_templates,
        make_templates,
        read_vocabulary,
    )
    from labeling.attributes.templates.writing import Written  # noqa: PLC0415

    if check:
        vocabulary = read_vocabulary(workspace)
        _print(check_lines(check_templates(vocabulary), vocabulary))
        return
    voter = _voter(voters_path, voter_name, paying)
    written: Written | None = Written()
    if voter is not None:
        written = _written(workspace, voter, per_value, paying, anew=anew)
    if written is None:
        return
    # it reads the vocabulary for itself: somebody may have edited it while the model wrote
    made = make_templates(workspace, wanted=per_value, written=written.wordings, anew=anew)
    writer = None if voter is None else voter.name
    _print(account_lines(made, written.faults, writer=writer, wanted=per_value))


def _print(lines: Sequence[str]) -> None:
    for line in lines:
        say(line)


def _voter(path: Path | None, name: str | None, paying: Paying) -> "Voter | None":
    """Return the model that writes, null where patterns do."""
    from benchwright.asking.voters import read_voters  # noqa: PLC0415

    if path is None:
        if name is not None or paying.estimate or paying.batch:
            raise UsageError(
                "--voter, --estimate and --batch want --voters FILE: patterns cost nothing"
            )
        return None
    voters = read_voters(path)
    chosen = [voter for voter in voters if name in (None, voter.name)]
    if len(chosen) != 1:
        names = ", ".join(voter.name for voter in voters)
        came = f"{name!r} is none of" if name else "one voter writes;"
        raise UsageError(f"{path}: {came} {names}; choose with --voter NAME")
    return chosen[0]


def _written(
    workspace: Workspace, voter: "Voter", wanted: int, paying: Paying, *, anew: bool
) -> "Written | None":
    """Return a model's wordings; null where only their estimate was wanted, which is printed."""
    from benchwright.asking.estimates import estimate_lines  # noqa: PLC0415
    from labeling.attributes.templates.making import (  # noqa: PLC0415
        read_vocabulary,
        values_to_write,
    )
    from labeling.attributes.templates.writing import (  # noqa: PLC0415
        estimate_writing,
        write_wordings,
    )

    vocabulary = read_vocabulary(workspace)
    values = values_to_write(workspace, vocabulary, wanted, anew=anew)
    asked = (workspace, voter, vocabulary, values)
    spending, batch = paying.spending(), paying.batch
    if paying.estimate:
        found = run(estimate_writing(*asked, wanted=wanted, spending=spending, batch=batch))
        _print(estimate_lines([found]))
        return None
    return run(write_wordings(*asked, wanted=wanted, spending=spending, batch=batch))
