"""Making a release: it appears under its version when it is whole, and never changes after."""

import shutil
from dataclasses import asdict, dataclass
from pathlib import Path

from benchwright import files, store
from benchwright.errors import UsageError
from benchwright.progress import Progress, no_progress
from benchwright.workspace import Workspace
from exports.building.making import Making
from exports.building.settings import ReleaseSettings
from exports.building.shards import Written, write_shards
from exports.contents.gathering import Content, Gathered, gather
from exports.names import LOCK, Version, release_folder

_FIRST = ("images", "vocabulary", "labels", "decisions", "responses")  # behind the samples


@dataclass(frozen=True, slots=True, kw_only=True)
class Built:
    """A release that stands in ``folder``; ``is_new`` is false where it stood there already."""

    folder: Path
    is_new: bool
    rows: dict[str, int]
    left_out: dict[str, dict[str, int]]


def build_release(
    workspace: Workspace,
    name: str,
    version: Version,
    settings: ReleaseSettings,
    *,
    progress: Progress = no_progress,
) -> Built:
    """Write releases/NAME/VERSION from what the workspace holds.

    The same inputs and settings give the same bytes. A release that stands is never changed: of
    the same inputs nothing is done, of others UsageError is raised. Raises what ``gather`` raises.
    """
    folder = release_folder(workspace, name, version)
    gathered = gather(workspace, {}, ())
    plan = _plan(name, version, settings, gathered)
    standing = files.read_json_object(folder / LOCK)
    if standing:
        if standing.get("plan") != plan:
            raise UsageError(
                f"{folder}: {name} {version} stands already and was made of other inputs or"
                " settings; a version never changes: choose the next --version (push-release diff"
                " says which)"
            )
        return _built(folder, gathered, standing["rows"], is_new=False)
    partial = folder.with_name(f".{folder.name}.partial")
    if partial.exists():
        shutil.rmtree(partial)
    partial.mkdir(parents=True)
    with files.locked(partial.parent, "making a release"):
        shown = progress("writing", len(gathered.contents))(gathered.contents)
        written = [_written(partial, content) for content in shown]
        making = Making(
            workspace=workspace,
            name=name,
            version=version,
            settings=settings,
            folder=partial,
            gathered=gathered,
            written=written,
            schemas={content.config: content.schema for content in gathered.contents},
        )
        rows = {one.config: one.rows for one in written}
        files.write_json(partial / LOCK, {"plan": plan, "rows": rows})
        partial.rename(folder)
    return _built(folder, gathered, rows, is_new=True)


def _plan(name: str, version: Version, settings: ReleaseSettings, gathered: Gathered) -> str:
    said = [name, str(version), asdict(settings), dict(gathered.inputs)]
    return store.digest_of(said)


def _written(folder: Path, content: Content) -> Written:
    return write_shards(folder, content.config, content.schema, content.tables())


def _built(folder: Path, gathered: Gathered, rows: dict[str, int], *, is_new: bool) -> Built:
    left_out = {name: dict(some) for name, some in gathered.left_out.items()}
    return Built(folder=folder, is_new=is_new, rows=rows, left_out=left_out)
