"""The command of question-chain that reports shortcuts."""

from pathlib import Path
from typing import Any

import click

from benchwright.asking.options import Paying, paying_options, retries_option
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
@retries_option(1)
@paying_options
@workspace_option
def shortcuts_command(
    voters_path: Path | None,
    only: tuple[str, ...],
    of: Any,
    max_retries: int,
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
    from labeling.dialogues.question_chain.shortcuts.text_only import (  # noqa: PLC0415
        guess_estimates,
        guess_settings,
    )

    if voters_path is None and (only or paying.estimate or paying.batch):
        raise UsageError("--only, --estimate and --batch are about models; name some with --voters")
    voters = () if voters_path is None else chosen_voters(voters_path, only)
    judged = judged_chains(workspace, of)
    settings = guess_settings(max_retries, batch=paying.batch)
    if paying.estimate:
        every = [choice for some in judged.choices.values() for choice in some]
        estimates = guess_estimates(workspace, voters, every, paying.spending(), settings)
        for line in estimate_lines(estimates):
            say(line)
        return 0
    found = find_shortcuts(
        workspace,
        judged,
        voters,
        paying.spending(),
        settings,
        progress=progress_bar,
    )
    for line in shortcut_lines(found, workspace):
        say(line)
    guesses = found.guesses
    is_silent = bool(guesses) and not any(one.against.n for one in guesses)
    return 1 if is_silent or any(one.failed for one in guesses) else 0
