"""The commands of question-chain that write, draft and check chains."""

import functools
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from benchwright.asking.options import (
    Chosen,
    Paying,
    chosen_option,
    paying_options,
    retries_option,
)
from benchwright.commands import force_option, progress_bar, say, seed_option, workspace_option
from benchwright.workspace import Workspace

if TYPE_CHECKING:  # what it imports takes a second, which --help need not wait for
    from labeling.dialogues.question_chain.authoring.draft import DraftSettings

CATEGORIES = ("deduction", "guessing", "navigation", "retrieval")

author_option = click.option(
    "--author", metavar="NAME", help="Who wrote the chains that name nobody."
)
_DRAFT_OPTIONS: tuple[Callable[[Any], Any], ...] = (
    click.option(
        "--category",
        "categories",
        type=click.Choice(CATEGORIES),
        multiple=True,
        help="Draft chains of this category alone; repeatable. By default pictures are dealt to"
        " all four in turn.",
    ),
    retries_option(),
    seed_option,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class HowDrafted:
    """What the user said of drafts by models."""

    categories: tuple[str, ...]
    max_retries: int
    seed: int

    def settings(self, chains: int, paying: Paying) -> "DraftSettings":
        """Return the settings for so many chains."""
        from benchwright.asking.jobs import JobSettings  # noqa: PLC0415
        from labeling.dialogues.question_chain.authoring.draft import (  # noqa: PLC0415
            DraftSettings,
        )

        return DraftSettings(
            chains=chains,
            categories=self.categories,
            seed=self.seed,
            jobs=JobSettings(max_retries=self.max_retries, batch=paying.batch),
        )


def draft_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add --category, --max-retries and --seed, given as ``how``."""

    @functools.wraps(command)
    def with_how(*, categories: tuple[str, ...], max_retries: int, seed: int, **others: Any) -> Any:
        how = HowDrafted(categories=categories, max_retries=max_retries, seed=seed)
        return command(how=how, **others)

    for option in reversed(_DRAFT_OPTIONS):
        with_how = option(with_how)
    return with_how


@click.command("author")
@click.argument(
    "files", nargs=-1, required=True, type=click.Path(path_type=Path, exists=True, dir_okay=False)
)
@author_option
@force_option
@workspace_option
def author_command(
    files: tuple[Path, ...], author: str | None, force: bool, workspace: Workspace
) -> None:
    """Read chains that people wrote, in FILES of YAML or JSON Lines.

    A file that was edited and is read again replaces its own chains; those of others stay. What
    is no chain is listed and left out; a chain that breaks a rule is kept, to be mended.
    """
    from labeling.dialogues.question_chain.authoring.author import author_chains  # noqa: PLC0415
    from labeling.dialogues.question_chain.authoring.authored import (  # noqa: PLC0415
        read_authored,
        read_rejected,
    )
    from labeling.dialogues.question_chain.authoring.report import (  # noqa: PLC0415
        SHOWN,
        authored_lines,
        next_line,
        step_lines,
    )

    made = author_chains(workspace, files, author, force=force)
    for line in authored_lines(made, read_rejected(workspace), workspace):
        say(line)
    there = read_authored(workspace)
    for line in step_lines(there, workspace, SHOWN):
        say(line)
    say(next_line(workspace, len(there)))


@click.command("draft")
@chosen_option("Ask")
@click.option(
    "--chains",
    type=click.IntRange(min=1),
    default=50,
    show_default=True,
    help="Chains to ask for, each about another picture.",
)
@draft_options
@paying_options
@force_option
@workspace_option
def draft_command(
    chosen: Chosen,
    chains: int,
    how: HowDrafted,
    paying: Paying,
    force: bool,
    workspace: Workspace,
) -> int:
    """Have models draft chains about pictures of the catalog, for people to write anew or own.

    Pictures are drawn by the seed, one of each group of near-duplicates, and dealt to the models
    in turn. A draft that breaks a rule of the steps is asked for anew. More --chains later keep
    those that are there.
    """
    from benchwright.asking.estimates import estimate_lines  # noqa: PLC0415
    from labeling.dialogues.question_chain.authoring.draft import (  # noqa: PLC0415
        draft_chains,
        estimate_drafts,
    )
    from labeling.dialogues.question_chain.authoring.report import (  # noqa: PLC0415
        after_draft,
        drafted_lines,
    )

    voters = chosen.voters()
    settings = how.settings(chains, paying)
    if paying.estimate:
        for line in estimate_lines(estimate_drafts(workspace, voters, settings, paying.spending())):
            say(line)
        return 0
    manifest, was_there = draft_chains(
        workspace, voters, settings, paying.spending(), force=force, progress=progress_bar
    )
    for line in drafted_lines(manifest, workspace, was_there=was_there):
        say(line)
    say(after_draft(manifest, workspace))
    return 0 if manifest.counts["chains"] and not manifest.counts["failed"] else 1


@click.command("check")
@workspace_option
def check_command(workspace: Workspace) -> None:
    """Print which rules each chain breaks: as it was written or drafted, and as a draft.

    Of what was written or drafted the steps are judged; of drafts, which have options, all. Stages
    that were made of other chains than are there now are named.
    """
    from labeling.dialogues.question_chain.check import check_lines  # noqa: PLC0415

    for line in check_lines(workspace):
        say(line)
