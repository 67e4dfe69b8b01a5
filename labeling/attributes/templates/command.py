"""The command label-attributes templates."""

from collections.abc import Mapping, Sequence
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

    if check:
        vocabulary = read_vocabulary(workspace)
        _print(check_lines(check_templates(vocabulary), vocabulary))
        return
    voter = _voter(voters_path, voter_name, paying)
    if voter is not None and paying.estimate:
        _print(_estimate_lines(workspace, voter, per_value, paying, anew=anew))
        return
    written: Mapping[tuple[str, str], Sequence[str]] = {}
    faults: Mapping[tuple[str, str], str] = {}
    if voter is not None:
        written, faults = _write(workspace, voter, per_value, paying, anew=anew)
    made = make_templates(workspace, wanted=per_value, written=written, anew=anew)
    _print(account_lines(made, faults, writer=voter.name if voter else None, wanted=per_value))


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


def _estimate_lines(
    workspace: Workspace, voter: "Voter", wanted: int, paying: Paying, *, anew: bool
) -> list[str]:
    from benchwright.asking.estimates import estimate_lines  # noqa: PLC0415
    from labeling.attributes.templates.making import (  # noqa: PLC0415
        read_vocabulary,
        values_to_write,
    )
    from labeling.attributes.templates.writing import estimate_writing  # noqa: PLC0415

    vocabulary = read_vocabulary(workspace)
    values = values_to_write(workspace, vocabulary, wanted, anew=anew)
    found = run(
        estimate_writing(
            workspace,
            voter,
            vocabulary,
            values,
            wanted=wanted,
            spending=paying.spending(),
            batch=paying.batch,
        )
    )
    return estimate_lines([found])


def _write(
    workspace: Workspace, voter: "Voter", wanted: int, paying: Paying, *, anew: bool
) -> tuple[Mapping[tuple[str, str], Sequence[str]], Mapping[tuple[str, str], str]]:
    from labeling.attributes.templates.making import (  # noqa: PLC0415
        read_vocabulary,
        values_to_write,
    )
    from labeling.attributes.templates.writing import write_wordings  # noqa: PLC0415

    vocabulary = read_vocabulary(workspace)
    values = values_to_write(workspace, vocabulary, wanted, anew=anew)
    written = run(
        write_wordings(
            workspace,
            voter,
            vocabulary,
            values,
            wanted=wanted,
            spending=paying.spending(),
            batch=paying.batch,
        )
    )
    return written.wordings, written.faults
