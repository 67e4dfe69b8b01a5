"""The step that rules out dialogues which would make no candidate sets, each with its reason."""

from collections import Counter
from dataclasses import asdict
from typing import get_args

from benchwright import store
from benchwright.errors import UsageError
from benchwright.workspace import Workspace
from builders.catalog import iterate_items
from labeling.dialogues.candidate_set.choosing.choice import (
    Choosing,
    standing_choices,
    write_choices,
)
from labeling.dialogues.candidate_set.choosing.rules import FilterSettings, Reason, choice_of


def filter_dialogues(
    workspace: Workspace, settings: FilterSettings | None = None, *, force: bool = False
) -> Choosing:
    """Write filtered/: every dialogue of the catalog, and why it is left out where it is.

    Does nothing where it stands there by the same catalog and settings, but with ``force``.
    Raises WorkspaceError where there is no catalog, UsageError where it has no dialogue.
    """
    settings = settings or FilterSettings()
    catalog = store.require(workspace.catalog, "build-catalog")
    plan = store.Plan(
        stage="dialogues/candidate-set/filtered",
        inputs={"catalog": catalog.digest()},
        settings=asdict(settings),
    )
    if not force and (standing := standing_choices(workspace, "filtered", plan)) is not None:
        return standing
    choices = [
        choice_of(item, dialogue, settings)
        for item in iterate_items(workspace)
        for dialogue in item.dialogues
    ]
    if not choices:
        raise UsageError(
            f"{workspace.catalog}: has no dialogue to choose from; build a catalog of dialogues"
            " with build-catalog invig"
        )
    found = Counter(one.reason for one in choices)
    reasons = {reason: found[reason] for reason in get_args(Reason) if found[reason]}
    return write_choices(workspace, "filtered", choices, plan, reasons)
