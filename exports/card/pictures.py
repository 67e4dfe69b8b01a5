"""pictures/: what a card shows of its samples; the same release gives the same bytes."""

from collections.abc import Iterator

from PIL import Image

from benchwright import files
from benchwright.records import Item
from benchwright.thumbnails import read_stored
from exports.card.drawing import Panel, panels
from exports.card.facts import GALLERIES, Facts
from exports.card.figures import gallery_summary
from exports.card.samples import (
    sample_chain,
    sample_false_premise,
    sample_gallery,
    sample_turns,
)
from galleries.sheet import contact_sheet
from galleries.summary import draw_sizes

FOLDER = "pictures"
FALSE_PREMISE, CANDIDATES, CHAIN = (
    f"{FOLDER}/{name}.jpg" for name in ("false-premise", "candidate-set", "question-chain")
)
_LARGE, _SIDE = 560, 380  # pixels: a picture alone, and beside others


def sheet_path(config: str) -> str:
    """Return where the sample gallery of a config is."""
    return f"{FOLDER}/gallery-{config.removeprefix(GALLERIES)}.jpg"


def sizes_path(config: str) -> str:
    """Return where the histogram of the gallery sizes of a config is."""
    return f"{FOLDER}/sizes-{config.removeprefix(GALLERIES)}.png"


def write_pictures(facts: Facts) -> None:
    """Write the pictures into the release.

    Where answers are held back no picture shows one. Raises LostPicture where a picture of the
    catalog is gone or another.
    """
    (facts.making.folder / FOLDER).mkdir(exist_ok=True)
    for name, data in _drawn(facts):
        files.write_bytes(facts.making.folder / name, data)


def _drawn(facts: Facts) -> Iterator[tuple[str, bytes]]:
    items = {item.image_id: item for item in facts.making.gathered.items}
    for config in facts.galleries:
        yield sizes_path(config), draw_sizes(gallery_summary(facts, config))
        gallery = sample_gallery(facts, config)
        if gallery is not None:
            shown = [_picture(facts, items[name]) for name in gallery.image_ids]
            target = 0 if facts.hides_answers(config) else gallery.target_index
            yield sheet_path(config), contact_sheet(shown, target)
    premise = sample_false_premise(facts)
    if premise is not None:
        panel = Panel(heading="the target", marked=[premise.box])
        yield FALSE_PREMISE, panels(_picture(facts, items[premise.image_id]), [panel], _LARGE)
    turns = sample_turns(facts)
    if turns:
        picture = _picture(facts, items[turns[0].image_id])
        yield CANDIDATES, panels(picture, list(_turn_panels(facts)), _SIDE)
    chain = sample_chain(facts)
    if chain is not None:
        yield CHAIN, panels(_picture(facts, items[chain.image_id]), [Panel(heading="")], _LARGE)


def _turn_panels(facts: Facts) -> Iterator[Panel]:
    turns = sample_turns(facts)
    if facts.hides_answers("candidate-set"):
        yield Panel(heading="all boxes", others=[box.bbox for box in turns[0].boxes])
        return
    for turn in turns:
        marked = [box.bbox for box in turn.boxes if box.box_id in turn.candidate_ids]
        others = [box.bbox for box in turn.boxes if box.box_id not in turn.candidate_ids]
        count = len(marked)
        heading = f"turn {turn.turn}: {count} candidate{'' if count == 1 else 's'}"
        yield Panel(heading=heading, marked=marked, others=others)


def _picture(facts: Facts, item: Item) -> Image.Image:
    return read_stored(facts.making.workspace.images / (item.image or ""))
