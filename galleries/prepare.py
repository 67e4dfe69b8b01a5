"""What galleries need before they can be built: a catalog, and labels that are up to date."""

from collections.abc import Callable

from benchwright import store
from benchwright.errors import UsageError
from benchwright.progress import Progress, no_progress
from benchwright.workspace import Workspace
from builders.sample.build import build_sample
from labeling.attributes.labels.normalise import normalise
from labeling.attributes.labels.report import normalisation_lines


def prepare(
    workspace: Workspace, *, say: Callable[[str], None], progress: Progress = no_progress
) -> None:
    """Draw the sample where there is no catalog; bring labels taken from the catalog up to date.

    Raises UsageError for a catalog without attributes, and where something lies in the workspace
    that is no finished catalog: the sample is for an empty one.

    Labels that models or people made are left as they are. ``say`` is given each line that a
    person should read.
    """
    catalog = store.load_manifest(workspace.catalog)
    if catalog is None:
        _check_empty(workspace)
        say(f"{workspace.root} has no catalog: drawing the built-in sample.")
        drawn = build_sample(workspace, progress=progress)
        say(f"Drew {drawn.manifest.counts['items']:,} dresses in {workspace.catalog}.")
    elif (workspace.catalog / store.PARTS).is_dir():
        say(f"{workspace.catalog}: a run that would replace it has not ended; it is used as it is.")
    labels = store.load_manifest(workspace.labels)
    if labels is None and catalog is not None and not catalog.counts.get("attributes", 1):
        raise UsageError(
            f"the {catalog.counts['items']:,} items of {workspace.catalog} have no attributes "
            "(those of their objects make no labels yet), and galleries need some: build the "
            "catalog from a table with attributes, or label its pictures"
        )
    if store.load_manifest(workspace.votes) is not None:
        if labels is None or "votes" not in labels.plan.inputs:
            raise UsageError(
                f"{workspace.votes} holds votes that no label is made of yet: run"
                " label-attributes decide first"
            )
    elif labels is None or labels.plan.settings.get("method") == "catalog":
        result = normalise(workspace)
        if not result.done_before:
            for line in normalisation_lines(result, workspace):
                say(line)


def _check_empty(workspace: Workspace) -> None:
    for folder in (workspace.catalog, workspace.labels):
        if any(path.is_file() and path.name != ".lock" for path in folder.rglob("*")):
            raise UsageError(
                f"{folder} is not empty, but there is no finished catalog: run its build-catalog "
                "command again (it goes on where it stopped), or remove the folder"
            )
