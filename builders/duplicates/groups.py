"""Which pictures are one product or near-duplicates: what later stages ask."""

import pyarrow as pa

from benchwright import store
from benchwright.errors import WorkspaceError
from benchwright.workspace import Workspace
from builders.catalog import load_items

FOLDER = "duplicates"  # under the catalog
GROUPS = "groups"


def groups_of(workspace: Workspace, items: pa.Table | None = None) -> pa.Array:
    """Return the group of each picture of the catalog (null for none), in the order of the items.

    It is what ``build-catalog dedup`` found; where that has not run, the product that the source
    gives. ``items`` are those of the catalog, for a caller that has them at hand.

    Raises WorkspaceError when there is no catalog, or when dedup ran on another one.
    """
    folder = workspace.catalog / FOLDER
    manifest = store.load_manifest(folder)
    if manifest is None:
        stated = load_items(workspace, ["group_id"]) if items is None else items
        return stated.column("group_id").combine_chunks()
    catalog = store.require(workspace.catalog, "build-catalog").digest()
    if manifest.plan.inputs.get("catalog") != catalog:
        raise WorkspaceError(
            f"{folder}: was made from another catalog than the one that stands there now; run "
            "build-catalog dedup again, or remove the folder"
        )
    return store.read_table(folder, f"{GROUPS}.parquet").column("group_id").combine_chunks()


def groups_digest(workspace: Workspace) -> str | None:
    """Return the digest of the groups that dedup found, None where it has not run."""
    manifest = store.load_manifest(workspace.catalog / FOLDER)
    return None if manifest is None else manifest.content[GROUPS]
