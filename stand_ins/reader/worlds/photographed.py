"""Photographs of COCO with boxes and captions, and models that write about them and look at them.

One server speaks for authors of false premises, who look as well, and for those of chains.
"""

import shutil
from collections.abc import Mapping
from pathlib import Path

from benchwright.workspace import Workspace
from stand_ins.chain_author import ChainAuthor
from stand_ins.false_premise_studio import Studio
from stand_ins.models import Brain, Question, Turn
from stand_ins.reader.page import Command
from stand_ins.reader.voters_file import MODELS, NAMED, write_voters
from stand_ins.reader.world import ROOT, SERVER, Making, World

_COCO = ROOT / "tests" / "data" / "coco"
_KINDS = ("instances", "captions")


class _Writers:
    """Authors of both kinds, of which one is ``asked`` for as long as a command runs."""

    def __init__(self, workspace: Workspace) -> None:
        self.asked: Brain = Studio(workspace)
        self._of_kind: Mapping[str, Brain] = {
            "false-premise": self.asked,
            "question-chain": ChainAuthor(),
        }

    def __call__(self, question: Question) -> Turn:
        return self.asked(question)

    def before(self, command: Command) -> None:
        """Let those answer whom a command is about to ask."""
        for word in command.words:
            self.asked = self._of_kind.get(word, self.asked)


def photographed(making: Making) -> World:
    """Make the world: instances.json, captions.json, pictures/, chains.yaml, workspace, voters."""

    def make(root: Path) -> None:
        files = [path for kind in _KINDS for path in sorted(_COCO.glob(f"annotations/{kind}_*"))]
        where = ("--workers", "1", "--workspace", root)
        making.console("build-catalog", "coco", *files, *where)

    root = making.copied("photographed", make)
    making.linked("docs", "tests/data")
    for kind in _KINDS:
        source = _COCO / "annotations" / f"{kind}_val2017.json"
        shutil.copyfile(source, making.folder / f"{kind}.json")
    (making.folder / "pictures").symlink_to(_COCO / "val2017")
    shutil.copyfile(ROOT / "docs" / "examples" / "chains.yaml", making.folder / "chains.yaml")
    writers = _Writers(Workspace(root))
    server = making.served((*MODELS.values(), *NAMED), writers)
    write_voters(making.folder / "voters.yaml", server.base_url, ("one", "two", "three"))
    return World(folder=making.folder, swapped={SERVER: server.base_url}, before=writers.before)
