"""Finishing an item when its picture is known, with an account of what is refused or altered."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from benchwright.records import Change, Item, Reject, RejectKind
from builders.outcomes import Entry, Outcome, refuse

KINDS_HELD: tuple[RejectKind, ...] = ("object", "caption", "dialogue")


@dataclass(frozen=True, slots=True, kw_only=True)
class Settled:
    """What became of an entry; without an item it was refused, and a reject says why."""

    item: Item | None
    rejects: tuple[Reject, ...] = ()
    changes: tuple[Change, ...] = ()


Settle = Callable[[Item, Outcome], Settled]


def as_it_is(item: Item, _outcome: Outcome) -> Settled:
    """Settle an item that has nothing to settle."""
    return Settled(item=item)


def with_picture(item: Item, outcome: Outcome) -> Item:
    """Return the item with its stored picture."""
    if outcome.image is None:
        return item
    return replace(
        item,
        image=outcome.image,
        sha256=outcome.sha256,
        width=outcome.width,
        height=outcome.height,
    )


def held_by(item: Item) -> Mapping[RejectKind, Sequence[str]]:
    """Return the ids of what an item holds, by kind; a caption is named by its number, from 1."""
    return {
        "object": [one.object_id for one in item.objects],
        "caption": [f"{item.source_id}#{at}" for at in range(1, len(item.captions) + 1)],
        "dialogue": [one.dialogue_id for one in item.dialogues],
    }


def refused_with_all(entry: Entry[Any], reason: str, message: str | None) -> list[Reject]:
    """Return the rejects of an entry whose picture is refused, and of all that its item held."""
    lost = refuse(entry, reason, message)
    why = f"the picture {entry.item.source_id} was refused as {reason}"
    return [
        lost,
        *(
            replace(lost, kind=kind, source_id=one, reason="picture_refused", message=why)
            for kind, ids in held_by(entry.item).items()
            for one in ids
        ),
    ]
