"""Scripts for servers that know the pictures of a catalog."""

from collections.abc import Mapping

from benchwright.workspace import Workspace
from builders.catalog import load_items
from stand_ins.models.script import Reference, Value


def references_of(workspace: Workspace) -> dict[str, Reference]:
    """Return the pictures of a catalog, by their image ids, with what the catalog lists of each."""
    table = load_items(workspace, ["image_id", "image", "attributes"])
    return {
        row["image_id"]: Reference(
            path=workspace.images / row["image"],
            values=tuple((held["type"], held["value"]) for held in row["attributes"]),
        )
        for row in table.to_pylist()
        if row["image"] is not None
    }


def values_of(references: Mapping[str, Reference]) -> tuple[Value, ...]:
    """Return all values that are true of some picture, in order of type and name."""
    pairs = {pair for reference in references.values() for pair in reference.values}
    return tuple(Value(type=type_, value=value) for type_, value in sorted(pairs))
