"""All steps of candidate sets up to the people: filter, sample, draft."""

from collections.abc import Callable

from benchwright.workspace import Workspace
from labeling.dialogues.candidate_set.choosing.filtering import filter_dialogues
from labeling.dialogues.candidate_set.choosing.rules import FilterSettings
from labeling.dialogues.candidate_set.choosing.sampling import sample_dialogues
from labeling.dialogues.candidate_set.drafts import draft_candidate_sets
from labeling.dialogues.candidate_set.funnel import count_funnel
from labeling.dialogues.candidate_set.marked import refuse_loss
from labeling.dialogues.candidate_set.report import (
    draft_lines,
    filter_lines,
    funnel_lines,
    sample_lines,
)


def run_candidate_sets(
    workspace: Workspace,
    settings: FilterSettings,
    dialogues: int,
    *,
    seed: int = 0,
    say: Callable[[str], None] = lambda _line: None,
) -> None:
    """Filter, sample and draft the dialogues of the catalog; what is done already stays.

    ``say`` gets what each step says, and the funnel. Raises what the steps raise, and before
    any of them UsageError where a dialogue would be left out that people marked.
    """
    refuse_loss(workspace, settings, dialogues, seed=seed)
    for line in filter_lines(filter_dialogues(workspace, settings)):
        say(line)
    for line in sample_lines(sample_dialogues(workspace, dialogues, seed=seed)):
        say(line)
    for line in draft_lines(draft_candidate_sets(workspace)):
        say(line)
    for line in funnel_lines(count_funnel(workspace)):
        say(line)
