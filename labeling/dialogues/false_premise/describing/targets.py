"""The targets of a plan: what is shown to models, and the dialogues that are about it."""

from collections.abc import Sequence
from dataclasses import dataclass

import pyarrow as pa
import pyarrow.compute as pc

from benchwright.asking.jobs import dealt
from benchwright.asking.requests import PicturePart, View
from benchwright.asking.tokens import Size
from benchwright.asking.voters import Voter
from benchwright.errors import WorkspaceError
from benchwright.records import Item, PlannedDialogue
from benchwright.rows import from_table
from benchwright.workspace import Workspace
from builders.catalog import load_items


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """One object of one picture, with the dialogues about it in the order of their ids.

    ``picture`` shows all of the picture with the object framed; ``size`` is that of the picture in
    pixels, ``label`` the object's category in the catalog. ``number`` counts the targets of a plan
    from 0, by the first of their dialogue ids.
    """

    number: int
    dialogues: tuple[PlannedDialogue, ...]
    picture: PicturePart
    size: Size
    label: str

    @property
    def name(self) -> str:
        """The picture and the object, which no other target has."""
        return f"{self.dialogues[0].image_id}/{self.dialogues[0].object_id}"

    def turn_of(self, voters: Sequence[Voter]) -> Voter:
        """Return the voter whose turn it is.

        All dialogues of a target are dealt to one: in a crossed plan a class of premise is then
        not at the same time a model.
        """
        return dealt(voters, self.number)


def targets_of(workspace: Workspace, plan: Sequence[PlannedDialogue]) -> list[Target]:
    """Return the targets of a plan; the catalog gives their pictures and labels.

    Raises WorkspaceError where the catalog no longer has a picture or an object.
    """
    grouped: dict[tuple[str, str], list[PlannedDialogue]] = {}
    for dialogue in sorted(plan, key=lambda one: one.dialogue_id):
        grouped.setdefault((dialogue.image_id, dialogue.object_id), []).append(dialogue)
    items = _items_of(workspace, {image_id for image_id, _ in grouped})
    return [
        _target(workspace, number, dialogues, items.get(image_id))
        for number, ((image_id, _), dialogues) in enumerate(grouped.items())
    ]


def _items_of(workspace: Workspace, image_ids: set[str]) -> dict[str, Item]:
    table = load_items(workspace)
    wanted = pa.array(sorted(image_ids), pa.string())
    chosen = table.filter(pc.is_in(table.column("image_id"), value_set=wanted))
    return {item.image_id: item for item in from_table(chosen, Item)}


def _target(
    workspace: Workspace, number: int, dialogues: Sequence[PlannedDialogue], item: Item | None
) -> Target:
    first = dialogues[0]
    things = {} if item is None else {thing.object_id: thing for thing in item.objects}
    if (
        item is None
        or item.image is None
        or item.sha256 is None
        or item.width is None
        or item.height is None
        or first.object_id not in things
    ):
        raise WorkspaceError(
            f"{workspace.catalog}: has no object {first.object_id} in a picture {first.image_id} of"
            f" dialogue {first.dialogue_id}; run build-dialogues false-premise plan again"
        )
    return Target(
        number=number,
        dialogues=tuple(dialogues),
        picture=PicturePart(
            sha256=item.sha256,
            path=workspace.images / item.image,
            view=View(outline=first.box),
        ),
        size=(item.width, item.height),
        label=things[first.object_id].category,
    )
