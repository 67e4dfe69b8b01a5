"""Pictures on which labels are wrong: of the values that are hardest, the surest errors."""

from dataclasses import dataclass

import numpy as np

from benchwright.seeds import draw
from benchwright.thumbnails import thumbnail_uri
from builders.catalog import load_items
from labeling.attributes.deciding.codes import YES
from labeling.attributes.measuring.measure import SEED, Held
from labeling.attributes.measuring.measured import Measured, ValueMeasured

_VALUES, _PICTURES = 6, 6  # on the page
_THUMB = (120, 160)


@dataclass(frozen=True, slots=True, kw_only=True)
class WrongLabel:
    """One picture with what the label says of it; ``thumb`` is a data URI."""

    thumb: str
    title: str
    said_yes: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class WrongValue:
    """A value whose labels are often wrong: ``wrong`` of those that are known."""

    value: ValueMeasured
    wrong: int
    shown: tuple[WrongLabel, ...]


def wrong_examples(held: Held, measured: Measured) -> list[WrongValue]:
    """Return the values with the lowest balanced accuracy that have wrong labels to show.

    Of each the surest wrong labels are shown, ties in a seeded order; items without a picture
    are not. Raises LostPicture where a picture of the catalog is gone.
    """
    items = load_items(held.workspace, ["image_id", "image", "title"]).to_pylist()
    shown = {item["image_id"]: item for item in items if item["image"] is not None}
    ranked = sorted(
        (value for value in measured.values if value.measurable),
        key=lambda value: (value.balanced.share, value.type, value.value),
    )
    found: list[WrongValue] = []
    for value in ranked:
        if len(found) == _VALUES:
            break
        wrong, labels = _wrong(held, value, shown)
        if labels:
            found.append(WrongValue(value=value, wrong=wrong, shown=tuple(labels)))
    return found


def _wrong(
    held: Held, value: ValueMeasured, shown: dict[str, dict[str, str | None]]
) -> tuple[int, list[WrongLabel]]:
    ballots, answer, truth = held.votes.ballots, held.labels.answer, held.known.truth
    column = [(each.type, each.value) for each in ballots.values].index((value.type, value.value))
    wrong = np.flatnonzero((ballots.columns == column) & (answer * truth < 0)).tolist()
    names = {cell: str(ballots.image_ids[int(ballots.subjects[cell])]) for cell in wrong}
    order = sorted(
        (cell for cell in wrong if names[cell] in shown),
        key=lambda cell: (
            -held.labels.margin[cell],
            draw(SEED, "wrong labels", ballots.name(cell)),
        ),
    )
    labels = [
        WrongLabel(
            thumb=thumbnail_uri(held.workspace.images / str(shown[names[cell]]["image"]), _THUMB),
            title=shown[names[cell]]["title"] or names[cell],
            said_yes=bool(answer[cell] == YES),
        )
        for cell in order[:_PICTURES]
    ]
    return len(wrong), labels
