"""The commands of question-chain that draft distractors and make drafts of chains."""

import click

from benchwright.asking.options import (
    Chosen,
    Paying,
    chosen_option,
    paying_options,
    retries_option,
)
from benchwright.commands import (
    NumberRange,
    force_option,
    progress_bar,
    say,
    seed_option,
    workspace_option,
)
from benchwright.workspace import Workspace


@click.command("distract")
@chosen_option("Ask")
@click.option(
    "--step",
    type=click.IntRange(0, 11),
    default=3,
    show_default=True,
    help="Distractors of each step alone.",
)
@click.option(
    "--chains",
    type=click.IntRange(0, 11),
    default=2,
    show_default=True,
    help="Whole chains that go astray; each gives a distractor to each step.",
)
@click.option(
    "--wrong-answers",
    type=click.IntRange(0, 11),
    default=3,
    show_default=True,
    help="Wrong answers to each step.",
)
@retries_option()
@paying_options
@force_option
@workspace_option
def distract_command(
    chosen: Chosen,
    step: int,
    chains: int,
    wrong_answers: int,
    max_retries: int,
    paying: Paying,
    force: bool,
    workspace: Workspace,
) -> int:
    """Have models draft questions that mislead, and wrong answers, for chains that were authored.

    Models of all families that the file names take turns. Where a draft breaks a rule it is asked
    for anew, with the reason; whatever was dropped is listed in dropped.parquet.
    """
    from benchwright.asking.estimates import estimate_lines  # noqa: PLC0415  # imports openai
    from benchwright.asking.jobs import JobSettings  # noqa: PLC0415
    from labeling.dialogues.question_chain.distracting.distract import (  # noqa: PLC0415
        DistractSettings,
        distract,
        distract_estimates,
    )
    from labeling.dialogues.question_chain.distracting.drafting import Wanted  # noqa: PLC0415
    from labeling.dialogues.question_chain.distracting.report import (  # noqa: PLC0415
        distract_lines,
        family_lines,
        has_drafts,
    )

    voters = chosen.voters()
    settings = DistractSettings(
        wanted=Wanted(step=step, chains=chains, wrong_answers=wrong_answers),
        jobs=JobSettings(max_retries=max_retries, batch=paying.batch),
    )
    if paying.estimate:
        found = distract_estimates(workspace, voters, settings, paying.spending())
        for line in [*estimate_lines(found), *family_lines(voters)]:
            say(line)
        return 0
    manifest, was_there = distract(
        workspace, voters, settings, paying.spending(), force=force, progress=progress_bar
    )
    for line in distract_lines(manifest, voters, workspace, was_there=was_there):
        say(line)
    return 0 if has_drafts(manifest) and not manifest.counts["failed"] else 1


@click.command("integrate")
@click.option(
    "--options",
    type=click.IntRange(3, 12),
    default=4,
    show_default=True,
    help="Questions to choose from at each step, the true one among them.",
)
@click.option(
    "--answers",
    type=click.IntRange(3, 12),
    default=4,
    show_default=True,
    help="Answers to choose from at each step, the true one among them.",
)
@click.option(
    "--near",
    type=NumberRange(0, 1, min_open=True),
    default=0.8,
    show_default=True,
    help="Questions as alike as this are nearly the same, and one of them is left out.",
)
@seed_option
@force_option
@workspace_option
def integrate_command(
    options: int, answers: int, near: float, seed: int, force: bool, workspace: Workspace
) -> None:
    """Choose among distractors and make drafts of chains, for people to review.

    Near-duplicates are left out; of the others those are taken that level each step: both kinds
    of distractors, all families, lengths and forms that do not give the true option away.
    """
    from labeling.dialogues.question_chain.distracting.integrate import (  # noqa: PLC0415
        IntegrateSettings,
        integrate,
    )
    from labeling.dialogues.question_chain.distracting.report import integrate_lines  # noqa: PLC0415

    settings = IntegrateSettings(options=options, answers=answers, near=near, seed=seed)
    made = integrate(workspace, settings, force=force)
    for line in integrate_lines(made, settings, workspace):
        say(line)
