"""releases/NAME/takedowns.jsonl: pictures that must not be in any release made from now on.

Somebody asked for it, or should have been asked. The reason stays in the workspace, since it may
name people; a release only counts how many samples were left out.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated

import pyarrow.parquet as pq
import pydantic
from pydantic import ConfigDict, Field

from benchwright import store
from benchwright.errors import UsageError
from benchwright.plain_text import excerpt
from benchwright.workspace import Workspace
from builders.catalog import load_items
from exports.names import Version, checked_name, release_folder, versions_of
from exports.provenance.declared import declare, read_declared
from exports.provenance.reasons import Reason, checked_reason

_FILE = "takedowns.jsonl"


class Takedown(pydantic.BaseModel):
    """A picture that must not be released, and why.

    ``sha256`` is of its bytes in the catalog, by which it is known under another id as well; null
    in lines that were written without it.
    """

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)

    image_id: Annotated[str, Field(pattern=r"^[0-9a-f]{16}$")]
    reason: Reason
    sha256: Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")] | None = None


def read_takedowns(workspace: Workspace, name: str) -> tuple[Takedown, ...]:
    """Return what was taken down of a release; raises UsageError for a line that is none."""
    return read_declared(workspace.releases / checked_name(name) / _FILE, Takedown)


@dataclass(frozen=True, slots=True, kw_only=True)
class TakenDown:
    """What is left to see to, once a picture was taken down.

    ``versions`` are those on this disk that hold it, the oldest first: they do not change.
    ``alike`` are the other pictures of its group, which may show the same.
    """

    versions: tuple[Version, ...]
    alike: tuple[str, ...]


def take_down(workspace: Workspace, name: str, image_id: str, reason: str) -> TakenDown | None:
    """Declare that a picture must not be released; null where it was taken down before.

    Raises UsageError for a picture that neither the catalog nor a version on this disk holds.
    """
    standing = {one.image_id for one in read_takedowns(workspace, name)}
    if image_id in standing:
        return None
    hashes = {one: _hash_in(workspace, name, one, image_id) for one in versions_of(workspace, name)}
    versions = tuple(one for one, sha256 in hashes.items() if sha256 is not None)
    groups, known = _groups_and_hashes(workspace)
    if not versions and image_id not in groups:
        raise UsageError(
            f"no picture {excerpt(image_id)} in the catalog of {workspace.root} or in a version of"
            f" {name}; the ids stand in the column image_id of the config images, and in"
            " ATTRIBUTION.csv"
        )
    sha256 = known.get(image_id) or hashes[versions[-1]]
    entry = Takedown(image_id=image_id, reason=checked_reason(reason), sha256=sha256)
    declare(workspace.releases / name / _FILE, entry)
    group = groups.get(image_id)
    alike = (other for other, its in groups.items() if its == group is not None)
    return TakenDown(
        versions=versions,
        alike=tuple(other for other in alike if other not in (image_id, *standing)),
    )


def _hash_in(workspace: Workspace, name: str, version: Version, image_id: str) -> str | None:
    """Return the hash of a picture as the catalog had it, null where a version has it not."""
    shards = (release_folder(workspace, name, version) / "data" / "images").glob("*.parquet")
    for shard in shards:
        found = pq.read_table(shard, columns=["image_id", "source_sha256"]).to_pydict()
        hashes = dict(zip(found["image_id"], found["source_sha256"], strict=True))
        if image_id in hashes:
            return str(hashes[image_id])
    return None


def _groups_and_hashes(
    workspace: Workspace,
) -> tuple[Mapping[str, str | None], Mapping[str, str | None]]:
    """Return the group and the hash of each picture of the catalog, by ascending id."""
    if store.load_manifest(workspace.catalog) is None:
        return {}, {}
    columns = load_items(workspace, ["image_id", "group_id", "sha256"]).to_pydict()
    ids = columns["image_id"]
    groups, hashes = (dict(zip(ids, columns[name], strict=True)) for name in ("group_id", "sha256"))
    return groups, hashes
