"""Candidate sets for Inspect: ``inspect eval FOLDER/task.py@several`` or ``@single``.

Scoring imports ``benchwright``, which may be installed without what it depends on.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from inspect_ai import Task, task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.model import ChatMessageUser, ContentImage, ContentText
from inspect_ai.scorer import Score, Scorer, Target, mean, scorer
from inspect_ai.solver import Generate, Solver, TaskState, solver

from benchwright.protocols.candidate_set import (
    of_kind,
    prompt,
    score_several,
    score_single,
)
from exports.harnesses.tasks.benchwright_rows import picture_link, rows_of

FOLDER = Path(__file__).parent


@task
def single() -> Task:
    """Turns after which one object is left."""
    return Task(dataset=_turns("single"), solver=ask(), scorer=boxes(score_single))


@task
def several() -> Task:
    """Turns after which several objects are left."""
    return Task(dataset=_turns("set"), solver=ask(), scorer=boxes(score_several))


@solver
def ask() -> Solver:
    """Show the picture and ask for the boxes."""

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        row = state.metadata["row"]
        picture = ContentImage(image=picture_link(FOLDER, row["image_id"]))
        state.messages = [ChatMessageUser(content=[picture, ContentText(text=prompt(row))])]
        return await generate(state)

    return solve


@scorer(metrics={"*": [mean()]})
def boxes(scored: Callable[[dict[str, Any], str], dict[str, float]]) -> Scorer:
    """Score the boxes that a response gives."""

    async def score(state: TaskState, target: Target) -> Score:  # noqa: ARG001
        said = state.output.completion
        return Score(value={**scored(state.metadata["row"], said)}, answer=said)

    return score


def _turns(kind: str) -> MemoryDataset:
    images = rows_of(FOLDER, "images").remove_columns("image")
    sizes = {row["image_id"]: {"width": row["width"], "height": row["height"]} for row in images}
    return MemoryDataset(
        [
            Sample(
                id=f"{row['dialogue_id']}-{row['turn']}",
                input=row["first_utterance"],
                metadata={"row": {**row, **sizes[row["image_id"]]}},
            )
            for row in of_kind(list(rows_of(FOLDER, "candidate-set")), kind)
        ]
    )
