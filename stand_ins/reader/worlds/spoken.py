"""Dialogues of people about pictures, as InViG has them, with boxes laid over by a generator."""

from pathlib import Path

from stand_ins.dialogues import catalog_of, invig_items, with_objects_laid_over
from stand_ins.reader.world import ROOT, Making, World

_DIALOGUES = ROOT / "tests" / "data" / "invig" / "derived_test_dialogs.jsonl.gz"


def spoken(making: Making) -> World:
    """Make the world: a workspace with all dialogues of the test split."""

    def make(root: Path) -> None:
        catalog_of(root, *with_objects_laid_over(invig_items(_DIALOGUES)))

    making.copied("spoken", make)
    making.linked("docs", "tests/data")
    return World(folder=making.folder)
