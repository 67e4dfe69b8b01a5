"""All steps of question chains up to the people: author and draft, distract, integrate."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from benchwright import store
from benchwright.asking.estimates import estimate_lines
from benchwright.asking.purse import Purse
from benchwright.asking.session import Spending
from benchwright.asking.voters import Voter
from benchwright.errors import UsageError
from benchwright.progress import Progress, no_progress
from benchwright.workspace import Workspace
from labeling.dialogues.question_chain.authoring.author import author_chains
from labeling.dialogues.question_chain.authoring.authored import (
    authored_folder,
    gather_authored,
    read_rejected,
)
from labeling.dialogues.question_chain.authoring.draft import (
    DraftSettings,
    draft_chains,
    estimate_drafts,
)
from labeling.dialogues.question_chain.authoring.report import (
    authored_lines,
    drafted_lines,
)
from labeling.dialogues.question_chain.distracting.distract import (
    DistractSettings,
    distract,
    distract_estimates,
)
from labeling.dialogues.question_chain.distracting.integrate import IntegrateSettings, integrate
from labeling.dialogues.question_chain.distracting.report import (
    distract_lines,
    has_drafts,
    integrate_lines,
)
from labeling.dialogues.question_chain.waiting import next_line

Say = Callable[[str], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Sources:
    """Where chains come from: files, and drafts by models where some are wanted.

    Without ``voters`` nothing is drafted, and people write the options to choose from as well.
    """

    files: tuple[Path, ...]
    author: str | None
    voters: tuple[Voter, ...]
    drafts: DraftSettings | None

    def check(self, workspace: Workspace) -> None:
        """Raise UsageError where no chain is there and none would come."""
        if self.drafts is not None and not self.voters:
            raise UsageError("chains to draft want models: name them with --voters FILE")
        has_any = store.load_manifest(authored_folder(workspace)) is not None
        if not (self.files or self.drafts or has_any):
            raise UsageError("no chain to begin with: name FILES of chains, or --voters FILE")


def run_question_chains(
    workspace: Workspace,
    sources: Sources,
    spending: Spending,
    *,
    say: Say,
    progress: Progress = no_progress,
) -> bool:
    """Do all steps up to the people; what is done already stays. Return whether all went well.

    It stops after a step of which calls failed; run again, it goes on. ``spending`` bounds all
    steps together. Raises what the steps raise.
    """
    sources.check(workspace)
    purse = Purse(sources.voters, spending)
    _author(workspace, sources, say)
    if sources.drafts is not None:
        drafted, was_there = draft_chains(
            workspace, sources.voters, sources.drafts, purse.step("draft"), progress=progress
        )
        _say_all(say, drafted_lines(drafted, workspace, was_there=was_there))
        if drafted.counts["failed"]:
            return False
    if not gather_authored(workspace).counts["chains"]:
        say("nothing to go on with: no chain could be read or was drafted")
        return False
    if sources.voters:
        settings = _distract_settings(sources)
        made, was_there = distract(
            workspace, sources.voters, settings, purse.step("distract"), progress=progress
        )
        _say_all(say, distract_lines(made, sources.voters, workspace, was_there=was_there))
        if made.counts["failed"] or not has_drafts(made):
            return False
    _integrate(workspace, say)
    return True


def say_estimates(workspace: Workspace, sources: Sources, spending: Spending, *, say: Say) -> None:
    """Say what the steps would take, without asking; raises what they raise.

    Distractors of chains that are still to be drafted cannot be estimated.
    """
    sources.check(workspace)
    _author(workspace, sources, say)
    if sources.drafts is not None:
        say("to draft chains:")
        found = estimate_drafts(workspace, sources.voters, sources.drafts, spending)
        _say_all(say, estimate_lines(found))
    if sources.voters and gather_authored(workspace).counts["chains"]:
        say("to draft distractors for the chains that are there:")
        settings = _distract_settings(sources)
        found = distract_estimates(workspace, sources.voters, settings, spending)
        _say_all(say, estimate_lines(found))


def _author(workspace: Workspace, sources: Sources, say: Say) -> None:
    if sources.files:
        made = author_chains(workspace, sources.files, sources.author)
        _say_all(say, authored_lines(made, read_rejected(workspace), workspace))


def _distract_settings(sources: Sources) -> DistractSettings:
    if sources.drafts is None:
        return DistractSettings()
    return DistractSettings(jobs=sources.drafts.jobs)


def _integrate(workspace: Workspace, say: Say) -> None:
    settings = IntegrateSettings()
    _say_all(say, integrate_lines(integrate(workspace, settings), settings, workspace))
    say(next_line(workspace))


def _say_all(say: Say, lines: Iterable[str]) -> None:
    """Say the lines of a step, without what it would have come next."""
    for line in lines:
        if not line.startswith("next: "):
            say(line)
