"""Which dialogues are drafted: the sampled ones, else the filtered ones, else all."""

from dataclasses import dataclass

from benchwright import store
from benchwright.errors import WorkspaceError
from benchwright.workspace import Workspace
from labeling.dialogues.candidate_set.choosing.choice import (
    ChoosingStep,
    choosing_folder,
    read_choices,
)

_FILTER = "build-dialogues candidate-set filter"
_SAMPLE = "build-dialogues candidate-set sample"


@dataclass(frozen=True, slots=True, kw_only=True)
class Chosen:
    """The dialogues that the last step of choosing kept, and the digest of that step."""

    step: ChoosingStep
    digest: str
    dialogue_ids: frozenset[str]


def chosen_dialogues(workspace: Workspace) -> Chosen | None:
    """Return the dialogues that were chosen, null where nobody filtered or sampled.

    Raises WorkspaceError, with what to run, where they were chosen from something else than what
    is there now.
    """
    made = {step: _manifest(workspace, step) for step in ("filtered", "sampled")}
    if made["filtered"] is None and made["sampled"] is None:
        return None
    filtered = filtered_of_catalog(workspace)
    sampled = made["sampled"]
    if sampled is None:
        return _chosen(workspace, "filtered", filtered)
    if sampled.plan.inputs.get("filtered") != filtered.digest():
        folder = choosing_folder(workspace, "sampled")
        raise WorkspaceError(
            f"{folder}: was drawn from what another filter kept; run {_SAMPLE} again, or remove"
            " this folder to go without a sample"
        )
    return _chosen(workspace, "sampled", sampled)


def filtered_of_catalog(workspace: Workspace) -> store.Manifest:
    """Return the manifest of the filtered dialogues of the catalog.

    Raises WorkspaceError, with what to run, where there are none, or they are of another catalog.
    """
    catalog = store.require(workspace.catalog, "build-catalog")
    folder = choosing_folder(workspace, "filtered")
    filtered = store.require(folder, _FILTER)
    if filtered.plan.inputs.get("catalog") != catalog.digest():
        raise WorkspaceError(f"{folder}: is of another catalog; run {_FILTER} again")
    return filtered


def _chosen(workspace: Workspace, step: ChoosingStep, made: store.Manifest) -> Chosen:
    kept = (one.dialogue_id for one in read_choices(workspace, step) if one.reason is None)
    return Chosen(step=step, digest=made.digest(), dialogue_ids=frozenset(kept))


def _manifest(workspace: Workspace, step: ChoosingStep) -> store.Manifest | None:
    return store.load_manifest(choosing_folder(workspace, step))
