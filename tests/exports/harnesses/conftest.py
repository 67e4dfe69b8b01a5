"""A release with dialogues of all three kinds about real pictures, and recorded responses."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from benchwright import store
from benchwright.decisions.journal import append_decisions
from benchwright.records import BoxOfPicture, CandidateSet, Item, QuestionChain
from benchwright.workspace import Workspace
from builders.catalog import iterate_items
from exports.building.build import build_release
from exports.building.settings import ReleaseSettings
from exports.names import Version
from labeling.dialogues.candidate_set.box_ids import ids_text
from labeling.dialogues.stored import record_id_of, write_drafts
from stand_ins.auditors import decision
from stand_ins.chains import chain, let_stand, step
from stand_ins.dialogues import candidate_set
from stand_ins.false_premises import false_premises, said_of, store_false_premises


def _chain(name: str, category: str, image_id: str, *answers: str) -> QuestionChain:
    """Return a chain with a step for each answer, which needs the step before it."""
    steps = tuple(
        step(
            f"What does sign {at} of {name} say?",
            answer,
            (at - 1,) if at > 1 else (),
            ("north", "south"),
        )
        for at, answer in enumerate(answers, 1)
    )
    return chain(
        chain_id=name,
        category=category,
        image_id=image_id,
        question=steps[-1].question,
        steps=steps,
    )


def _chains(items: list[Item]) -> list[QuestionChain]:
    """Two chains of one category and one of another: pooled steps would give another score."""
    first, second = (item.image_id for item in items[:2])
    return [
        _chain("c1", "deduction", first, "None", "east", "west"),
        _chain("c2", "deduction", first, "up", "down", "east", "west"),
        _chain("c3", "guessing", second, "east", "up", "west"),
    ]


def _turns(item: Item) -> list[CandidateSet]:
    boxes = tuple(
        BoxOfPicture(box_id=str(at), category=None, bbox=(40.0 * at, 50.0, 32.0, 64.0))
        for at in range(1, 5)
    )
    return [
        replace(candidate_set(turn, name="v1", image_id=item.image_id), boxes=boxes)
        for turn in (1, 2)
    ]


def _store(workspace: Workspace, kind: Any, records: list[Any]) -> None:
    plan = store.Plan(stage=f"dialogues/{kind}/drafts", inputs={}, settings={}, seed=0)
    write_drafts(workspace, kind, records, plan)


@pytest.fixture(scope="session")
def talks(tmp_path_factory: pytest.TempPathFactory, run: Callable[..., Any]) -> Path:
    """A release of three chains, two turns of a candidate set and four false premises."""
    workspace = Workspace(tmp_path_factory.mktemp("harnesses") / "workspace")
    data = Path(__file__).parents[2] / "data" / "coco" / "annotations"
    files = [data / f"instances_{name}2017.json" for name in ("train", "val")]
    ran = run("build-catalog", "coco", *files, "--workers", "1", "--workspace", workspace.root)
    assert ran.code == 0, ran.err
    items = [item for item in iterate_items(workspace) if item.image]
    chains, turns = _chains(items), _turns(items[2])
    store_false_premises(workspace)
    _store(workspace, "question-chain", chains)
    _store(workspace, "candidate-set", turns)
    marks = [
        decision(
            image_id=None,
            record_id=record_id_of(turn),
            field="candidates",
            before=None,
            after=ids_text(ids),
        )
        for turn, ids in zip(turns, (["1", "2", "3"], ["2"]), strict=True)
    ]
    said = [said_of(one) for one in false_premises()]
    append_decisions(workspace, [*marks, *said, *(d for one in chains for d in let_stand(one))])
    settings = ReleaseSettings(waived=(("duplicates", "a test"), ("licences", "a test")))
    return build_release(workspace, "talk", Version(1, 0, 0), settings).folder
