"""Real pictures and boxes of COCO with real lines of InViG, and scripted models that read them."""

import json
import re
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from benchwright import store
from benchwright.asking.eyesight.drawing import COLOURS
from benchwright.asking.voters import Voter
from benchwright.records import Item
from benchwright.rows import to_table
from benchwright.workspace import Workspace
from builders.catalog import iterate_items
from labeling.dialogues.candidate_set.drafts import draft_candidate_sets
from stand_ins.dialogues import invig_items
from stand_ins.distractors import first_text
from stand_ins.models import Fault, Model, Question, Script, ScriptedServer, Turn

DATA = Path(__file__).parents[4] / "data"
_BOX = re.compile(r"^(\d+): (.+) at (-?\d+), (-?\d+), (-?\d+), (-?\d+)$", re.MULTILINE)
_LINE = re.compile(r"^(human|agent): ", re.MULTILINE)

Spoil = Callable[["Read"], Any]


@dataclass(frozen=True, kw_only=True)
class Read:
    """What a model finds in a question."""

    boxes: dict[str, tuple[int, ...]]
    lines: int
    is_again: bool
    question: Question

    def said(self) -> dict[str, Any]:
        """Return what a model says that keeps fewer boxes with each line."""
        kept = sorted(map(int, self.boxes))[: max(1, len(self.boxes) // self.lines)]
        return {"reasoning": "The rest does not fit.", "boxes": kept}


@dataclass(kw_only=True)
class Looker:
    """A scripted model that looks at numbered boxes; ``spoil`` changes what it would say."""

    spoil: Spoil = lambda read: read.said()
    read: list[Read] = field(default_factory=list)

    def answer(self, question: Question) -> Turn:
        """Answer a question about boxes, and name colours where its eyes are looked at."""
        whole = first_text(question)
        if "So far this was said:" not in whole:
            return Turn(text=_colour(question) if question.pictures else "Ready.")
        said = whole.partition("So far this was said:")[2].partition("Which of the objects")[0]
        read = Read(
            boxes={found[1]: tuple(map(int, found.groups()[2:])) for found in _BOX.finditer(whole)},
            lines=len(_LINE.findall(said)),
            is_again="was not taken" in whole,
            question=question,
        )
        self.read.append(read)
        answer = self.spoil(read)
        return answer if isinstance(answer, Turn) else Turn(text=json.dumps(answer), data=answer)


def _colour(question: Question) -> str:
    image = question.pictures[-1].image()
    pixel = np.asarray(image, np.float32)[image.height // 2, image.width // 2]
    return min(COLOURS, key=lambda name: float(np.abs(pixel - np.array(COLOURS[name])).sum()))


@dataclass(kw_only=True)
class Lookers:
    """Scripted models behind one server."""

    server: ScriptedServer
    voters: tuple[Voter, ...]

    def calls(self) -> int:
        """Return how many chat requests came."""
        return self.server.counts.chats


@contextmanager
def looking(
    lookers: dict[str, Looker], *, faults: tuple[Fault, ...] = (), **voter: Any
) -> Iterator[Lookers]:
    """Serve models by name; ``voter`` holds settings of all voters."""
    script = Script(models=[Model(name=name) for name in lookers], faults=faults)
    brain = lambda asked: lookers[asked.model].answer(asked)  # noqa: E731
    with ScriptedServer(script, brain=brain) as server:
        made = tuple(
            Voter(name=name, model=name, base_url=server.base_url, **voter) for name in lookers
        )
        yield Lookers(server=server, voters=made)


@pytest.fixture
def looker() -> type[Looker]:
    return Looker


@pytest.fixture
def look() -> Any:
    """Serve scripted models: ``looking``."""
    return looking


@pytest.fixture(scope="session")
def _spoken(run: Callable[..., Any], tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("spoken") / "workspace"
    instances = sorted(DATA.glob("coco/annotations/instances_*.json"))
    ran = run("build-catalog", "coco", *instances, "--workers", "1", "--workspace", root)
    assert ran.code == 0, ran.err
    workspace = Workspace(root)
    said = invig_items(DATA / "invig" / "derived_test_dialogs.jsonl.gz")
    items = [
        replace(item, dialogues=(replace(one.dialogues[0], target_box=_first_box(item)),))
        for item, one in zip(iterate_items(workspace), said, strict=False)
    ]
    plan = store.Plan(stage="catalog", inputs={}, settings={"spoken": True})
    with store.writing(workspace.catalog, plan, configs={"items": "items-*.parquet"}) as out:
        out.shards("items", to_table(items, Item))
    draft_candidate_sets(workspace)
    return root


def _first_box(item: Item) -> Any:
    return next(each.bbox for each in item.objects if not each.is_crowd)


@pytest.fixture
def spoken(_spoken: Path, tmp_path: Path) -> Workspace:
    """Drafts of 33 turns about the nine real pictures, with 3 to 34 boxes each."""
    return Workspace(Path(shutil.copytree(_spoken, tmp_path / "spoken")))
