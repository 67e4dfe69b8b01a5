"""The built-in sample with its pictures, a server of models that know them, and their files."""

import shutil
from pathlib import Path

from benchwright.workspace import Workspace
from stand_ins.models import KnownPictures, references_of, values_of
from stand_ins.reader.voters_file import MODELS, NAMED, write_voters
from stand_ins.reader.world import OPENAI, SERVER, Making, World

PICTURES = 6  # three models are asked everything about each, within the bound of a page


def drawn(making: Making) -> World:
    """Make the world: workspace, voters.yaml, ensemble.yaml, dress.png."""

    def make(root: Path) -> None:
        where = ("--n", str(PICTURES), "--workers", "1", "--workspace", root)
        making.console("build-catalog", "sample", *where)
        making.console("label-attributes", "normalise", "--workspace", root)

    root = making.copied("drawn", make)
    making.linked("docs", "tests/data")
    references = references_of(Workspace(root))
    server = making.served(
        (*MODELS.values(), *NAMED),
        eyes=KnownPictures(references=references),
        values=values_of(references),
    )
    write_voters(making.folder / "voters.yaml", server.base_url, ("one", "two", "qwen"))
    write_voters(
        making.folder / "ensemble.yaml",
        server.base_url,
        ("one", "two", "three"),
        views={"whole": {}},
        templates=2,
        full=0.5,
    )
    shutil.copyfile(next((root / "catalog" / "images").rglob("*.*")), making.folder / "dress.png")
    return World(
        folder=making.folder,
        swapped={SERVER: server.base_url, OPENAI: server.base_url},
        environment={"OPENAI_API_KEY": "sk-stand-in"},
    )
