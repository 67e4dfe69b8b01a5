"""Chains about real pictures, models of two families that draft distractors, the commands."""

import json
import shutil
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from benchwright.records import QuestionChain
from benchwright.workspace import Workspace
from builders.catalog import load_items
from stand_ins.chains import chain, step
from stand_ins.distractors import Misleader, authored_chains, bare
from stand_ins.models import Model, Script, ScriptedServer

COCO = Path(__file__).parents[4] / "data" / "coco"


@pytest.fixture(scope="session")
def _catalog(run: Callable[..., Any], tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("pictures") / "workspace"
    files = sorted(COCO.glob("annotations/instances_*.json"))
    ran = run("build-catalog", "coco", *files, "--workers", "1", "--workspace", root)
    assert ran.code == 0, ran.err
    return root


def longer_chain(name: str) -> QuestionChain:
    """A chain of four steps about a street."""
    asked = "Where does the bus go?"
    return chain(
        chain_id=name,
        category="navigation",
        scenario="traffic",
        question=asked,
        steps=(
            step("Which number does the bus show?", "forty-two", wrong=("nine", "sixty")),
            step("In which lane does it drive?", "the left one", (1,), ("the right one", "none")),
            step("Where does that lane lead?", "over the river", (2,), ("uphill", "back")),
            step(asked, "to the harbour", (1, 3), ("to the airport", "to the depot")),
        ),
    )


@pytest.fixture
def authored(_catalog: Path, tmp_path: Path) -> Workspace:
    """Three chains without distractors, about three of the nine COCO pictures."""
    workspace = Workspace(Path(shutil.copytree(_catalog, tmp_path / "workspace")))
    ids = load_items(workspace, ["image_id"]).column("image_id").to_pylist()
    chains = [chain(chain_id="a"), longer_chain("b"), longer_chain("c")]
    authored_chains(
        workspace,
        [bare(replace(one, image_id=image)) for one, image in zip(chains, ids, strict=False)],
    )
    return workspace


@dataclass(kw_only=True)
class Panel:
    """Scripted models behind one server, and the file that names them."""

    server: ScriptedServer
    voters: Path
    minds: dict[str, Misleader]

    def calls(self) -> int:
        return self.server.counts.chats


@pytest.fixture(autouse=True)
def _hasty(monkeypatch: pytest.MonkeyPatch) -> None:
    """Wait no seconds for servers that fail."""
    monkeypatch.setattr("benchwright.asking.limiter._FIRST_PAUSE", 0.01)
    monkeypatch.setattr("benchwright.asking.limiter.FIRST_PATIENCE", 0.1)
    monkeypatch.setattr("benchwright.asking.failures._FIRST_WAIT", 0.002)


@pytest.fixture
def panel(tmp_path: Path) -> Iterator[Callable[..., Panel]]:
    """Start models by name; ``faults`` are those of the server."""
    with ExitStack() as stack:

        def start(minds: dict[str, Misleader], *, faults: Sequence[Any] = (), **more: Any) -> Panel:
            script = Script(models=[Model(name=name, **more) for name in minds], faults=faults)
            server = ScriptedServer(script, brain=lambda asked: minds[asked.model](asked))
            stack.enter_context(server)
            path = tmp_path / "voters.yaml"
            path.write_text(json.dumps(voters_of(minds, server.base_url)), "utf-8")
            return Panel(server=server, voters=path, minds=minds)

        yield start


def voters_of(names: Sequence[str] | dict[str, Any], base_url: str, **more: Any) -> dict[str, Any]:
    return {
        "voters": [{"name": name, "model": name, "base_url": base_url, **more} for name in names]
    }


@pytest.fixture
def chains_command(run: Callable[..., Any]) -> Callable[..., Any]:
    """Run a command of question-chain."""
    return partial(run, "build-dialogues", "question-chain")
