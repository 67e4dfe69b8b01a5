"""Dialogues in a file of InViG's first layout, with their pictures, and no workspace yet."""

import json

from PIL import Image

from benchwright.workspace import Workspace
from labeling.audits.tasks.task import AuditSettings
from stand_ins.reader.page import Command
from stand_ins.reader.person import judge_all
from stand_ins.reader.world import Making, World

_SIZE = (640, 480)
_CUPS = ([40, 60, 120, 160], [300, 60, 380, 160], [460, 200, 540, 300])
_COLOURS = ("maroon", "olive", "navy", "teal", "purple", "grey")


def transcribed(making: Making) -> World:
    """Make the world: dialogues.jsonl and pictures/."""
    pictures = making.folder / "pictures"
    pictures.mkdir()
    lines = []
    for number, colour in enumerate(_COLOURS):
        Image.new("RGB", _SIZE, colour).save(pictures / f"kitchen-{number}.jpg")
        said = ("the cup, please.", "the red one?", "yes.")
        speakers = ("human", "agent", "human")
        dialogue = {
            "id": f"d{number}",
            "image": f"kitchen-{number}.jpg",
            "width": _SIZE[0],
            "height": _SIZE[1],
            "utterances": [list(one) for one in zip(speakers, said, strict=True)],
            "bbox": _CUPS[0],
            "raw_anns": [{"bbox": box, "category": "cup"} for box in _CUPS],
        }
        lines.append(json.dumps(dialogue))
    (making.folder / "dialogues.jsonl").write_text("\n".join(lines) + "\n", "utf-8")
    making.linked("docs", "tests/data")

    def before(command: Command) -> None:
        if "agreement" in command.words:  # ben marks the same turns
            judge_all(
                Workspace(making.folder / "workspace"), "candidate-set", "ben", AuditSettings()
            )

    return World(folder=making.folder, before=before)
