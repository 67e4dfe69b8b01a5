"""Catalogs that chains are about, the commands of question-chain, and models that draft chains."""

import shutil
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import yaml

from benchwright.workspace import Workspace
from stand_ins.chain_author import ChainAuthor
from stand_ins.models import Model, Script, ScriptedServer

COCO = Path(__file__).parents[3] / "data" / "coco" / "annotations"


@pytest.fixture(scope="session")
def _coco(run: Callable[..., Any], tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("chains") / "workspace"
    files = sorted(COCO.glob("captions_*.json"))
    files += sorted(COCO.glob("instances_*.json"))
    ran = run("build-catalog", "coco", *files, "--workers", "1", "--workspace", root)
    assert ran.code == 0, ran.err
    return root


@pytest.fixture
def coco(_coco: Path, tmp_path: Path) -> Workspace:
    """A catalog of the nine real pictures of COCO."""
    return Workspace(Path(shutil.copytree(_coco, tmp_path / "coco")))


@pytest.fixture(scope="session")
def example() -> Path:
    """The chains of the documentation, about three of these pictures."""
    return Path(__file__).parents[4] / "docs" / "examples" / "chains.yaml"


@pytest.fixture(scope="session")
def chains(run: Callable[..., Any]) -> Callable[..., Any]:
    """Run a command of question-chain in this process."""
    return lambda *arguments: run("build-dialogues", "question-chain", *arguments)


@dataclass(frozen=True, slots=True)
class Authors:
    """Two scripted models behind one server, and the file that names them."""

    server: ScriptedServer
    brain: ChainAuthor
    voters: Path

    def calls(self) -> int:
        return self.server.counts.chats


@pytest.fixture
def authors(tmp_path: Path) -> Iterator[Callable[..., Authors]]:
    """Start the models; ``model`` holds settings of theirs, ``voter`` those of both voters."""
    with ExitStack() as stack:

        def start(brain: ChainAuthor | None = None, *, model: Any = None, **voter: Any) -> Authors:
            brain = brain or ChainAuthor()
            names = {"qwen": "qwen2-vl", "gpt": "gpt-4o"}
            models = [Model(name=name, **(model or {})) for name in names.values()]
            server = ScriptedServer(Script(models=models), brain=brain)
            stack.enter_context(server)
            entries = [
                {"name": name, "model": served, "base_url": server.base_url, **voter}
                for name, served in names.items()
            ]
            path = tmp_path / "voters.yaml"
            path.write_text(yaml.safe_dump({"voters": entries}), "utf-8")
            return Authors(server, brain, path)

        yield start
