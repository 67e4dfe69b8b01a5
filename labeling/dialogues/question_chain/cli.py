"""The commands build-dialogues question-chain."""

from pathlib import Path

import click

from benchwright.asking.options import Chosen, Paying, paying_options
from benchwright.commands import progress_bar, say, workspace_option
from benchwright.errors import UsageError
from benchwright.workspace import Workspace
from labeling.dialogues.question_chain.authoring.cli import (
    HowDrafted,
    author_command,
    author_option,
    check_command,
    draft_command,
    draft_options,
)
from labeling.dialogues.question_chain.dealing.cli import verify_command
from labeling.dialogues.question_chain.distracting.cli import distract_command, integrate_command
from labeling.dialogues.question_chain.shortcuts.cli import shortcuts_command

_DRAFTS = 50  # where no file of chains is named


@click.group("question-chain")
def question_chain() -> None:
    """Questions that lead step by step from a picture to the answer of a harder one."""


@click.command("run")
@click.argument("files", nargs=-1, type=click.Path(path_type=Path, exists=True, dir_okay=False))
@author_option
@click.option(
    "--voters",
    "voters_path",
    type=click.Path(path_type=Path, dir_okay=False),
    help="YAML file that names the models that draft; without it people write all options.",
)
@click.option("--only", multiple=True, metavar="NAME", help="Ask this voter alone; repeatable.")
@click.option(
    "--chains",
    type=click.IntRange(min=0),
    help=f"Chains to be drafted by models.  [default: 0 with FILES, {_DRAFTS} without]",
)
@draft_options
@paying_options
@workspace_option
def run_command(
    files: tuple[Path, ...],
    author: str | None,
    voters_path: Path | None,
    only: tuple[str, ...],
    chains: int | None,
    how: HowDrafted,
    paying: Paying,
    workspace: Workspace,
) -> int:
    """Do all steps up to the people: author FILES, draft, distract, integrate.

    What is there already is used as it is; a run that is stopped goes on.
    """
    from labeling.dialogues.question_chain.running import (  # noqa: PLC0415
        Sources,
        run_question_chains,
        say_estimates,
    )

    if voters_path is None and (only or paying.estimate):
        raise UsageError("--only and --estimate want models to ask: name them with --voters FILE")
    voters = () if voters_path is None else Chosen(path=voters_path, only=only).voters()
    wanted = chains if chains is not None else _DRAFTS * bool(voters and not files)
    drafts = how.settings(wanted, paying) if wanted else None
    sources = Sources(files=files, author=author, voters=voters, drafts=drafts)
    if paying.estimate:
        say_estimates(workspace, sources, paying.spending(), say=say)
        return 0
    is_done = run_question_chains(
        workspace, sources, paying.spending(), say=say, progress=progress_bar
    )
    return 0 if is_done else 1


for command in (
    author_command,
    draft_command,
    check_command,
    distract_command,
    integrate_command,
    shortcuts_command,
    verify_command,
    run_command,
):
    question_chain.add_command(command)
