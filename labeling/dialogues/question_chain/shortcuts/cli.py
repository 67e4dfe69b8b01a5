"""The command of question-chain that reports shortcuts."""

from pathlib import Path
from typing import Any

import click

from benchwright.asking.options import Paying, paying_options
from benchwright.commands import progress_bar, say, workspace_option
from benchwright.errors import UsageError
from benchwright.workspace import Workspace


@click.command("shortcuts")
@click.option(
    "--voters",
    "voters_path",
    type=click.Path(path_type=Path, dir_okay=False),
    help="YAML file that names models, which guess at every choice without the picture.",
)
@click.option("--only", multiple=True, metavar="NAME", help="Ask this voter alone; repeatable.")
@click.option(
    "--of",
    type=click.Choice(("drafts", "dialogues")),
    help="Which chains: drafts, or those that people let stand. By default the latter where there"
    " are some.",
)
@paying_options
@workspace_option
def shortcuts_command(
    voters_path: Path | None,
    only: tuple[str, ...],
    of: Any,
    paying: Paying,
    workspace: Workspace,
) -> int:
    """Report what tells the true option to one who does not look at the picture.

    Its length, its place, its words, a guesser that learns the words of other chains, and models
    that see the text alone; each against chance.
    """
    from benchwright.asking.estimates import estimate_lines  # noqa: PLC0415  # imports openai
    from benchwright.asking.voters import chosen_voters  # noqa: PLC0415
    from labeling.dialogues.question_chain.shortcuts.report import shortcut_lines  # noqa: PLC0415
    from labeling.dialogues.question_chain.shortcuts.shortcuts import (  # noqa: PLC0415
        find_shortcuts,
        judged_chains,
    )
    from labeling.dialogues.question_chain.shortcuts.text_only import guess_estimates  # noqa: PLC0415

    if voters_path is None and (only or paying.estimate or paying.batch):
        raise UsageError("--only, --estimate and --batch are about models; name some with --voters")
    voters = () if voters_path is None else chosen_voters(voters_path, only)
    judged = judged_chains(workspace, of)
    if paying.estimate:
        every = [choice for some in judged.choices.values() for choice in some]
        for line in estimate_lines(guess_estimates(workspace, voters, every, paying.spending())):
            say(line)
        return 0
    found = find_shortcuts(
        workspace,
        judged,
        voters,
        paying.spending(),
        batch=paying.batch,
        progress=progress_bar,
    )
    for line in shortcut_lines(found, workspace):
        say(line)
    return 1 if any(one.failed for one in found.guesses) else 0
