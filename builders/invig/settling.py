"""Boxes of dialogues as pixels of the upright picture, when the picture's size is known.

Boxes of InViG come from Open Images, whose frame is the stored picture before any turning. A row
that states width and height says more: boxes lie in the frame of that size, the stored one, the
upright one, or one of these scaled. Without a picture the stated size is all there is.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest

from benchwright import boxes
from benchwright.boxes import Box
from benchwright.records import Change, Dialogue, Item, Reject, SceneObject
from builders.invig.draft import Corners, Draft, Unfit
from builders.invig.gathering import Placed
from builders.outcomes import Outcome
from builders.settling import Settled

Size = tuple[int, int]
Named = tuple[Box, str | None]  # a box and its category

_NOISE = 1e-6  # pixels by which a sum of shares may miss the edge
_TURNED = (5, 6, 7, 8)  # orientations that swap width and height


@dataclass(frozen=True, slots=True, kw_only=True)
class Frame:
    """What boxes are relative to, and how they get into the picture.

    ``size`` is the frame's; ``stored`` that of the picture in the same direction; both are None
    where no size is known and pixels stay what they are. ``orientation`` is still to be undone.
    """

    size: Size | None
    stored: Size | None
    orientation: int = 1

    def place(self, box: Corners, *, is_relative: bool) -> Box:
        """Return a box [x, y, width, height] in pixels of the upright picture, not clipped."""
        across, down = (1.0, 1.0) if self.size is None or not is_relative else self.size
        x0, y0, x1, y1 = box[0] * across, box[1] * down, box[2] * across, box[3] * down
        if self.size is None or self.stored is None:
            return boxes.from_corners(x0, y0, x1, y1)
        if self.size != self.stored:
            across, down = self.stored[0] / self.size[0], self.stored[1] / self.size[1]
            x0, y0, x1, y1 = x0 * across, y0 * down, x1 * across, y1 * down
        placed = boxes.from_corners(x0, y0, x1, y1)
        return (
            placed if self.orientation == 1 else boxes.turn(placed, self.stored, self.orientation)
        )


def frame_of(draft: Draft, outcome: Outcome) -> Frame:
    """Return the frame of a draft's boxes.

    Raises Unfit: ``no_size`` for shares of a picture of unknown size, ``size_mismatch`` where
    the stated size is in no way that of the picture.
    """
    stated = draft.size
    if outcome.width is None or outcome.height is None:
        if stated is None and draft.is_relative:
            raise Unfit("no_size", "boxes are shares, and without a picture the row states no size")
        return Frame(size=stated, stored=stated)
    upright = outcome.width, outcome.height
    stored = upright[::-1] if outcome.orientation in _TURNED else upright
    if stated is None:
        return Frame(size=stored, stored=stored, orientation=outcome.orientation)
    for matches in (_equal, _scaled):
        for size, orientation in ((stored, outcome.orientation), (upright, 1)):
            if matches(stated, size):
                return Frame(size=stated, stored=size, orientation=orientation)
    raise Unfit(
        "size_mismatch",
        f"the row says {stated[0]} x {stated[1]}, the picture has {upright[0]} x {upright[1]}",
    )


def _equal(one: Size, other: Size) -> bool:
    return one == other


def _scaled(stated: Size, size: Size) -> bool:
    """Tell whether one is the other enlarged or reduced, to the pixel that rounding takes."""
    return (
        abs(size[1] * stated[0] / stated[1] - size[0]) <= 1
        or abs(size[0] * stated[1] / stated[0] - size[1]) <= 1
    )


@dataclass(frozen=True, slots=True)
class Settler:
    """Settles the dialogues of items; ``held`` are the drafts of each, by image id."""

    held: Mapping[str, Sequence[Placed]]

    def __call__(self, item: Item, outcome: Outcome) -> Settled:
        """Return the item with the boxes of its dialogues; without any it is refused."""
        kept: list[Dialogue] = []
        named: list[Named] = []
        rejects: list[Reject] = []
        changes: list[Change] = []
        for placed in self.held[item.image_id]:
            try:
                dialogue, categories, altered = settled(placed, outcome)
            except Unfit as error:
                rejects.append(_reject(item, placed, error))
                continue
            kept.append(dialogue)
            named += zip(dialogue.candidate_boxes, categories, strict=False)
            changes += _as_changes(item, placed, altered)
        if kept:
            return Settled(
                item=replace(
                    item,
                    dialogues=tuple(sorted(kept, key=lambda one: one.dialogue_id)),
                    objects=_objects(item, named),
                ),
                rejects=tuple(rejects),
                changes=tuple(changes),
            )
        return Settled(
            item=None, rejects=(_empty(item, self.held[item.image_id], rejects), *rejects)
        )


def _objects(item: Item, named: Iterable[Named]) -> tuple[SceneObject, ...]:
    """Return the boxes that have a category as objects of the picture, each once."""
    known = sorted({(box, category) for box, category in named if category is not None})
    return tuple(
        SceneObject(
            object_id=f"{item.source_id}#box-{number}",
            category=category,
            bbox=box,
            area=boxes.area(box),
            is_crowd=False,
            is_occluded=None,
            is_truncated=None,
            attributes=(),
            mask=None,
        )
        for number, (box, category) in enumerate(known, 1)
    )


def settled(
    placed: Placed, outcome: Outcome
) -> tuple[Dialogue, tuple[str | None, ...], list[tuple[str, str]]]:
    """Return a dialogue, the categories of its boxes, and what was altered as (reason, message).

    The categories are as those of a draft: one for each box, or none at all.

    Raises Unfit: ``no_size``, ``size_mismatch``, ``box_outside``.
    """
    draft = placed.draft
    frame = frame_of(draft, outcome)
    limits = frame.stored if outcome.width is None else (outcome.width, outcome.height or 0)
    altered = list(draft.changes)
    if frame.size != frame.stored:
        altered.append(("scaled", f"boxes from {frame.size} to {frame.stored}"))
    if frame.orientation != 1:
        altered.append(("turned_upright", f"boxes turned as the picture was, {frame.orientation}"))
    target, cut = _within(frame.place(draft.target, is_relative=draft.is_relative), limits)
    if target is None:
        raise Unfit("box_outside", f"the target's box {list(draft.target)} is outside the picture")
    if cut:
        altered.append(("clipped", f"the target's box {list(draft.target)} leaves the picture"))
    candidates: list[Box] = []
    categories: list[str | None] = []
    for box, category in zip_longest(draft.candidates, draft.categories):
        placed_box, cut = _within(frame.place(box, is_relative=draft.is_relative), limits)
        if placed_box is None:
            altered.append(("candidate_dropped", f"the box {list(box)} is outside the picture"))
            continue
        if cut:
            altered.append(("clipped", f"the candidate {list(box)} leaves the picture"))
        candidates.append(placed_box)
        categories.append(category)
    dialogue = Dialogue(
        dialogue_id=placed.dialogue_id,
        utterances=draft.utterances,
        candidate_boxes=tuple(candidates),
        target_box=target,
    )
    return dialogue, tuple(categories) if draft.categories else (), altered


def _within(box: Box, limits: Sequence[int] | None) -> tuple[Box | None, bool]:
    """Return the part of a box in the picture, and whether that is less than the box."""
    if limits is None:
        return box, False
    part = boxes.clip(box, *limits)
    if part is None:
        return None, True
    return part, max(abs(one - two) for one, two in zip(part, box, strict=True)) > _NOISE


def _as_changes(item: Item, placed: Placed, altered: Sequence[tuple[str, str]]) -> list[Change]:
    """Return one change for each reason, with the first of its messages and their number."""
    by_reason: dict[str, list[str]] = defaultdict(list)
    for reason, message in altered:
        by_reason[reason].append(message)
    return [
        Change(
            source=item.source,
            kind="dialogue",
            source_id=placed.dialogue_id,
            reason=reason,
            message=f"{placed.where}: {messages[0]}"
            + (f", and {len(messages) - 1} more" if len(messages) > 1 else ""),
        )
        for reason, messages in by_reason.items()
    ]


def _reject(item: Item, placed: Placed, error: Unfit) -> Reject:
    return Reject(
        source=item.source,
        kind="dialogue",
        source_id=placed.dialogue_id,
        row=placed.row,
        path=placed.path,
        reason=error.reason,
        message=f"{placed.where}: {error}",
    )


def _empty(item: Item, held: Sequence[Placed], rejects: Sequence[Reject]) -> Reject:
    (reason, count), *_ = Counter(one.reason for one in rejects).most_common(1)
    first = next(one for one in rejects if one.reason == reason)
    return Reject(
        source=item.source,
        source_id=item.source_id,
        row=held[0].row,
        path=held[0].path,
        reason="no_dialogue",
        message=f"none of its dialogues is left, {count} of {len(held)} are refused as {reason} "
        f"({first.message})",
    )
