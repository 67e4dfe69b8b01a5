"""Files of the three sets that candidate sets are compared with, and a model that draws boxes."""

import json
import pickle
from pathlib import Path
from typing import Any

from PIL import Image

from stand_ins.colours import colour_seen
from stand_ins.grounding.coco_files import FIRST, annotation, reference, sentence
from stand_ins.models import Question, Turn
from stand_ins.reader.voters_file import NAMED
from stand_ins.reader.world import SERVER, Making, World

_SIZE = (64, 48)
_ENTITY = "/EN#1/people A woman] in [/EN#2/clothing a red dress]"
_BOX = "<name>1</name><bndbox><xmin>3</xmin><ymin>3</ymin><xmax>20</xmax><ymax>40</ymax></bndbox>"


def compared(making: Making) -> World:
    """Make the world: refs(umd).p, grefs(unc).json, instances.json, flickr30k_entities, pictures.

    Of each set there are one or two samples.
    """
    _write_coco(making.folder)
    _write_flickr(making.folder)
    server = making.served(NAMED, _draws)
    return World(folder=making.folder, swapped={SERVER: server.base_url})


def _draws(question: Question) -> Turn:
    """Draw one box about the middle, or say the colour of a picture."""
    if not question.pictures:
        return Turn(text="Yes.", answer="yes")
    if "colour" in question.text:
        return Turn(text=colour_seen(question))
    return Turn(text="[[250, 250, 750, 750]]")


def _write_coco(folder: Path) -> None:
    said = {
        "images": [{"id": 110, "file_name": FIRST, "width": _SIZE[0], "height": _SIZE[1]}],
        "annotations": [annotation(1, [1.5, 2, 10, 20]), annotation(2, [30, 2, 10, 20])],
        "categories": [{"id": 47, "name": "cup"}],
    }
    (folder / "instances.json").write_text(json.dumps(said), "utf-8")
    (folder / "train2014").mkdir()
    Image.new("RGB", _SIZE, "teal").save(folder / "train2014" / FIRST)
    (folder / "refs(umd).p").write_bytes(pickle.dumps([reference(1)], protocol=2))
    both: list[dict[str, Any]] = [
        reference(1, ann_id=[1, 2], split="testA", sentences=[sentence(1, "both cups")]),
        reference(2, ann_id=[-1], split="testA", sentences=[sentence(2, "a green dog")]),
    ]
    (folder / "grefs(unc).json").write_text(json.dumps(both), "utf-8")


def _write_flickr(folder: Path) -> None:
    entities = folder / "flickr30k_entities"
    for name in ("Sentences", "Annotations"):
        (entities / name).mkdir(parents=True)
    (entities / "test.txt").write_text("36979\n", "utf-8")
    (entities / "Sentences" / "36979.txt").write_text(f"[{_ENTITY} .\n", "utf-8")
    size = f"<size><width>{_SIZE[0]}</width><height>{_SIZE[1]}</height><depth>3</depth></size>"
    (entities / "Annotations" / "36979.xml").write_text(
        f"<annotation><filename>36979.jpg</filename>{size}<object>{_BOX}</object></annotation>",
        "utf-8",
    )
    (folder / "flickr30k-images").mkdir()
    Image.new("RGB", _SIZE, "navy").save(folder / "flickr30k-images" / "36979.jpg")
