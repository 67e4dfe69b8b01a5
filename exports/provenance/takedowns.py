"""releases/NAME/takedowns.jsonl: pictures that must not be in any release made from now on.

Somebody asked for it, or should have been asked. The reason stays in the workspace, since it may
name people; a release only counts how many samples were left out.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
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
from exports.provenance.declared import TAKEDOWNS, declare, read_declared
from exports.provenance.reasons import Reason, checked_reason


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
    return read_declared(workspace.releases / checked_name(name) / TAKEDOWNS, Takedown)


def taken_down_in(folder: Path) -> list[str]:
    """Return the ids of the pictures in a finished version that are taken down by now, ascending.

    Raises UsageError for a line of its takedowns that is none.
    """
    return _held(folder, read_declared(folder.with_name(TAKEDOWNS), Takedown))


@dataclass(frozen=True, slots=True, kw_only=True)
class TakenDown:
    """What is left to see to, once a picture was taken down.

    ``versions`` are those on this disk that hold it, the oldest first: they do not change.
    ``alike`` are the other pictures of its group, which may show the same. ``elsewhere`` are the
    versions of other releases of the workspace that hold it and have it not taken down, by name.
    """

    versions: tuple[Version, ...]
    alike: tuple[str, ...]
    elsewhere: Mapping[str, tuple[Version, ...]] = field(default_factory=dict)


def take_down(workspace: Workspace, name: str, image_id: str, reason: str) -> TakenDown | None:
    """Declare that a picture must not be released; null where it was taken down before.

    Raises UsageError for a name that no release has, and for a picture that neither the catalog nor
    a version on this disk holds.
    """
    _check_name(workspace, name)
    standing = {one.image_id for one in read_takedowns(workspace, name)}
    if image_id in standing:
        return None
    groups, known = _groups_and_hashes(workspace)
    sha256 = known.get(image_id) or _hash_in(workspace, name, image_id)
    if sha256 is None and image_id not in groups:
        raise UsageError(
            f"no picture {excerpt(image_id)} in the catalog of {workspace.root} or in a version of"
            f" {name}; the ids stand in the column image_id of the config images, and in"
            " ATTRIBUTION.csv"
        )
    entry = Takedown(image_id=image_id, reason=checked_reason(reason), sha256=sha256)
    declare(workspace.releases / name / TAKEDOWNS, entry)
    group = groups.get(image_id)
    alike = (other for other, its in groups.items() if its == group is not None)
    return TakenDown(
        versions=tuple(_holding(workspace, name, entry)),
        alike=tuple(other for other in alike if other not in (image_id, *standing)),
        elsewhere=dict(_elsewhere(workspace, name, entry)),
    )


def _check_name(workspace: Workspace, name: str) -> None:
    """Raise UsageError for a name of nothing: a picture would stay in what was meant."""
    if (workspace.releases / checked_name(name)).is_dir():  # it outlives a version that was removed
        return
    names = ", ".join(_names(workspace)) or "none"
    raise UsageError(
        f"no release {name} in {workspace.releases}; there are: {names}. A takedown is of a release"
        " that push-release build made"
    )


def _names(workspace: Workspace) -> list[str]:
    """Return the names of the releases of which a version stands."""
    if not workspace.releases.is_dir():
        return []
    found = sorted(one.name for one in workspace.releases.iterdir())
    return [name for name in found if _is_name(name) and versions_of(workspace, name)]


def _is_name(text: str) -> bool:
    try:
        checked_name(text)
    except UsageError:  # what somebody put beside the releases
        return False
    return True


def _elsewhere(
    workspace: Workspace, name: str, entry: Takedown
) -> Iterator[tuple[str, tuple[Version, ...]]]:
    for other in _names(workspace):
        down = {one.image_id for one in read_takedowns(workspace, other)}
        versions = tuple(_holding(workspace, other, entry))
        if other != name and entry.image_id not in down and versions:
            yield other, versions


def _holding(workspace: Workspace, name: str, entry: Takedown) -> Iterator[Version]:
    for version in versions_of(workspace, name):
        if _held(release_folder(workspace, name, version), [entry]):
            yield version


def _held(folder: Path, takedowns: Sequence[Takedown]) -> list[str]:
    """Return the ids of the pictures in a version that some takedowns are about, ascending."""
    ids = {one.image_id for one in takedowns}
    hashes = {one.sha256 for one in takedowns if one.sha256 is not None}
    pictures = _pictures(folder) if takedowns else {}
    hashes |= {pictures[one] for one in ids & pictures.keys()}
    return sorted(one for one, sha256 in pictures.items() if one in ids or sha256 in hashes)


def _hash_in(workspace: Workspace, name: str, image_id: str) -> str | None:
    """Return the hash of a picture as the catalog had it, null where no version has it."""
    for version in reversed(versions_of(workspace, name)):
        pictures = _pictures(release_folder(workspace, name, version))
        if image_id in pictures:
            return pictures[image_id]
    return None


def _pictures(folder: Path) -> Mapping[str, str]:
    """Return the hash of each picture of a version, as the catalog had it, by id."""
    found: dict[str, str] = {}
    for shard in sorted((folder / "data" / "images").glob("*.parquet")):
        columns = pq.read_table(shard, columns=["image_id", "source_sha256"]).to_pydict()
        found.update(zip(columns["image_id"], columns["source_sha256"], strict=True))
    return found


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
