"""What galleries need before they can be built: a catalog, and labels that are up to date."""

from collections.abc import Callable

from benchwright import store
from benchwright.progress import Progress, no_progress
from benchwright.workspace import Workspace
from builders.sample.build import build_sample
from labeling.attributes.normalise import normalise
from labeling.attributes.report import normalisation_lines


def prepare(
    workspace: Workspace, *, say: Callable[[str], None], progress: Progress = no_progress
) -> None:
    """Draw the sample where there is no catalog; bring labels taken from the catalog up to date.

    Labels that models or people made are left as they are. ``say`` is given each line that a
    person should read.
    """
    if store.load_manifest(workspace.catalog) is None:
        say(f"{workspace.root} has no catalog: drawing the built-in sample.")
        drawn = build_sample(workspace, progress=progress)
        say(f"Drew {drawn.manifest.counts['items']:,} dresses in {workspace.catalog}.")
    labels = store.load_manifest(workspace.labels)
    if labels is None or labels.plan.settings.get("method") == "catalog":
        result = normalise(workspace)
        if not result.done_before:
            for line in normalisation_lines(result, workspace):
                say(line)
