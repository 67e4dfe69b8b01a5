"""What is labelled: the pictures of a catalog, or the objects in them."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from benchwright import store
from benchwright.errors import UsageError
from benchwright.plain_text import excerpt
from benchwright.records import Item, SceneObject
from benchwright.workspace import Workspace
from builders.catalog import iterate_items

SubjectKind = Literal["pictures", "objects"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Subject:
    """A picture, or one object of it with its box in pixels of the upright picture.

    ``noun`` is what questions call it: the category, in lower case.
    """

    image_id: str
    object_id: str | None
    path: Path
    sha256: str
    width: int
    height: int
    bbox: tuple[float, float, float, float] | None
    noun: str


def subjects_of(
    workspace: Workspace, kind: SubjectKind, noun: str | None = None
) -> Iterator[Subject]:
    """Yield the subjects of a catalog by image id, objects in their order; crowds are left out.

    ``noun`` takes the place of every category. Items without a picture have no subject.

    Raises UsageError where a subject has no category and no noun is given.
    """
    for item in iterate_items(workspace):
        if item.image is None or item.sha256 is None:
            continue
        path = workspace.images / item.image
        if kind == "pictures":
            yield _subject(item, path, item.sha256, noun or _noun(item.category, item))
            continue
        for thing in item.objects:
            if not thing.is_crowd:
                named = noun or _noun(thing.category, item)
                yield _subject(item, path, item.sha256, named, thing)


def check_subjects(workspace: Workspace, kind: SubjectKind, noun: str | None = None) -> None:
    """Raise what ``subjects_of`` does, and UsageError where objects are wanted and none is there.

    It is one pass over the catalog, before anything is paid for.
    """
    number = sum(1 for _ in subjects_of(workspace, kind, noun))
    if kind == "objects" and not number:
        raise UsageError(
            f"{workspace.catalog}: holds no object to ask about (crowds and items without a"
            " picture are left out); build it from a source with objects, or ask about the pictures"
        )


def refuse_other_subjects(workspace: Workspace, kind: SubjectKind) -> None:
    """Raise UsageError when votes on the other kind of subjects stand in the workspace."""
    manifest = store.load_manifest(workspace.votes)
    if manifest is None or manifest.plan.settings.get("subjects") == kind:
        return
    held, votes = manifest.plan.settings.get("subjects"), manifest.counts.get("votes", 0)
    raise UsageError(
        f"{workspace.votes}: holds {votes:,} votes on {held}, which those on {kind} would replace;"
        f" ask about {kind} in another workspace, or give --force"
    )


def _noun(category: str | None, item: Item) -> str:
    if category is None or not category.strip():
        raise UsageError(
            f"{excerpt(item.source_id)}: has no category to ask about; name what the pictures"
            " show with --noun, such as --noun dress"
        )
    return " ".join(category.replace("_", " ").split()).lower()


def _subject(
    item: Item, path: Path, sha256: str, noun: str, thing: SceneObject | None = None
) -> Subject:
    return Subject(
        image_id=item.image_id,
        object_id=None if thing is None else thing.object_id,
        path=path,
        sha256=sha256,
        width=item.width or 0,
        height=item.height or 0,
        bbox=None if thing is None else thing.bbox,
        noun=noun,
    )
