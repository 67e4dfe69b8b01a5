"""False premises for Inspect: ``inspect eval FOLDER/task.py@false_premise``.

The ten questions of a dialogue are asked in their order with the whole history; the picture stands
in the first turn only. Nothing is scored: whether a response corrects what is false is judged by
two detectors, which this task has not. The responses are the messages of the log.
"""

from pathlib import Path

from inspect_ai import Task, task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.model import ChatMessageUser, ContentImage, ContentText
from inspect_ai.solver import Generate, Solver, TaskState, solver

from exports.harnesses.tasks.benchwright_rows import picture_link, rows_of

FOLDER = Path(__file__).parent


@task
def false_premise() -> Task:
    """Ask the questions of each dialogue."""
    return Task(
        dataset=MemoryDataset(
            [
                Sample(
                    id=row["dialogue_id"],
                    input=row["turns"][0]["asked_question"],
                    metadata={
                        "image_id": row["image_id"],
                        "premise_class": row["premise_class"],
                        "questions": [turn["asked_question"] for turn in row["turns"]],
                    },
                )
                for row in rows_of(FOLDER, "false-premise")
            ]
        ),
        solver=ask_in_turn(),
    )


@solver
def ask_in_turn() -> Solver:
    """Ask one question after the other, each after all that was said."""

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        picture = ContentImage(image=picture_link(FOLDER, state.metadata["image_id"]))
        first, *others = state.metadata["questions"]
        state.messages = [ChatMessageUser(content=[picture, ContentText(text=first)])]
        state = await generate(state)
        for question in others:
            state.messages.append(ChatMessageUser(content=question))
            state = await generate(state)
        return state

    return solve
