"""Real pictures of COCO as a catalog, and voters that write about them and look at them."""

import shutil
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import yaml

from benchwright.workspace import Workspace
from stand_ins.false_premise_studio import Studio
from stand_ins.models import Model, Script, ScriptedServer

COCO = Path(__file__).parents[3] / "data" / "coco"


@pytest.fixture(scope="session")
def _pictures(run: Callable[..., Any], tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("pictures") / "workspace"
    files = sorted(COCO.glob("annotations/instances_*.json"))
    ran = run("build-catalog", "coco", *files, "--workers", "1", "--workspace", root)
    assert ran.code == 0, ran.err
    return root


@pytest.fixture
def pictures(_pictures: Path, tmp_path: Path) -> Workspace:
    """A workspace with the catalog of the nine pictures that are here, boxes and pixels."""
    return Workspace(Path(shutil.copytree(_pictures, tmp_path / "workspace")))


@dataclass(kw_only=True)
class Rehearsal:
    """A server with voters, the brain behind it, and the file that names them."""

    server: ScriptedServer
    studio: Studio
    voters: Path

    def calls(self) -> int:
        return self.server.counts.chats


@pytest.fixture
def rehearsal(pictures: Workspace, tmp_path: Path) -> Iterator[Callable[..., Rehearsal]]:
    """Start voters of these names that write, and that look at the pictures; see ``Studio``."""
    with ExitStack() as stack:

        def start(
            *names: str, script: Any = None, voter: Any = None, brain: Any = None, **studio: Any
        ) -> Rehearsal:
            made = Studio(pictures, **studio)
            said = Script(models=[Model(name=name) for name in names], **(script or {}))
            server = ScriptedServer(said, brain=brain(made) if brain else made)
            stack.enter_context(server)
            rows = [
                {"name": name, "model": name, "base_url": server.base_url, **(voter or {})}
                for name in names
            ]
            path = tmp_path / "voters.yaml"
            path.write_text(yaml.safe_dump({"voters": rows}), "utf-8")
            return Rehearsal(server=server, studio=made, voters=path)

        yield start
