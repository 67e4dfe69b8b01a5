"""Question chains for Inspect: ``inspect eval FOLDER/task.py@following`` or ``@planning``."""

from pathlib import Path

from inspect_ai import Task, task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.model import ChatMessageUser, ContentImage, ContentText
from inspect_ai.scorer import Score, Scorer, Target, grouped, mean, scorer
from inspect_ai.solver import Generate, Solver, TaskState, solver

from benchwright.protocols.question_chain import (
    chosen,
    following_prompt,
    following_truth,
    planning_prompt,
    planning_truth,
    steps_that_count,
)
from exports.harnesses.tasks.benchwright_rows import picture_link, rows_of

FOLDER = Path(__file__).parent


@task
def following() -> Task:
    """Answer the questions of a chain, each with the true answers before it."""
    return Task(dataset=_chains(), solver=follow(), scorer=share_of_steps())


@task
def planning() -> Task:
    """Choose the next question of a chain, each after one's own picks and their true answers."""
    return Task(dataset=_chains(), solver=plan(), scorer=share_of_steps())


@solver
def follow() -> Solver:
    """Ask all steps that count."""

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        chain = state.metadata["chain"]
        right = []
        for step, now in enumerate(steps_that_count(chain)):
            said = await _asked(state, generate, following_prompt(chain, step))
            right.append(chosen(said, now["answer_options"]) == following_truth(chain, step))
        state.store.set("right", right)
        return state

    return solve


@solver
def plan() -> Solver:
    """Ask all steps that count."""

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        chain = state.metadata["chain"]
        picks: list[int | None] = []
        for now in steps_that_count(chain):
            said = await _asked(state, generate, planning_prompt(chain, picks))
            picks.append(chosen(said, [one["text"] for one in now["question_options"]]))
        truth = [planning_truth(chain, step) for step in range(len(picks))]
        state.store.set("right", [a == b for a, b in zip(picks, truth, strict=True)])
        return state

    return solve


@scorer(metrics=[grouped(mean(), "category", all="groups", all_label="mean of categories")])
def share_of_steps() -> Scorer:
    """The share of the steps that are right; the accuracy is the mean of the categories."""

    async def score(state: TaskState, target: Target) -> Score:  # noqa: ARG001
        right = state.store.get("right")
        return Score(value=sum(right) / len(right), explanation=str(right))

    return score


async def _asked(state: TaskState, generate: Generate, prompt: str) -> str:
    """Return what the model says to a prompt alone, without what was said before."""
    picture = ContentImage(image=picture_link(FOLDER, state.metadata["chain"]["image_id"]))
    state.messages = [ChatMessageUser(content=[picture, ContentText(text=prompt)])]
    state = await generate(state)
    return str(state.output.completion)


def _chains() -> MemoryDataset:
    rows = [row for row in rows_of(FOLDER, "question-chain") if steps_that_count(row)]
    return MemoryDataset(
        [
            Sample(
                id=row["chain_id"],
                input=row["question"],
                metadata={"category": row["category"], "chain": row},
            )
            for row in rows
        ]
    )
