"""One recorded run, scored by each harness as the protocol says.

Each runs in an environment of its own: ``make setup-harnesses`` makes them.
"""

import json
import os
import subprocess
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from benchwright.protocols import candidate_set
from benchwright.protocols.question_chain import (
    chosen,
    following_prompt,
    following_truth,
    planning_prompt,
    planning_truth,
    steps_that_count,
)
from benchwright.release_loading import load_config
from exports.harnesses.writing import write_task

ROOT = Path(__file__).parents[3]
ENVIRONMENTS = Path(os.environ.get("BENCHWRIGHT_HARNESSES", ROOT / ".venv-harnesses"))
# (0.5 + 2/3) / 2 of the one category and 0 of the other; 3 of 7 steps are right
SCORE = ((1 / 2 + 2 / 3) / 2 + 0) / 2
# what is right of the steps of each chain, and how it is said
RIGHT = {"c1": "10", "c2": "110", "c3": "00"}
WORDS = ("{}", "**{}**", "The answer is {}.", "<think>A?</think>\n({})")

pytestmark = [pytest.mark.heavy, pytest.mark.timeout(600)]

Play = Callable[..., dict[str, Any]]


@pytest.fixture
def play(talks: Path, tmp_path: Path) -> Play:
    """Write a task, run it by its harness with responses; what the harness says of it."""

    def run(harness: str, config: str, task: str, responses: Mapping[str, str]) -> dict[str, Any]:
        python = ENVIRONMENTS / harness / "bin" / "python"
        if not python.is_file():
            pytest.skip(f"{harness} IS NOT INSTALLED: NO TASK WAS RUN BY IT (make setup-harnesses)")
        made = write_task(str(talks), harness, config, tmp_path / "task")
        name = next(one for one in made.tasks if one.endswith(task))
        recorded, out = tmp_path / "responses.json", tmp_path / "out.json"
        recorded.write_text(json.dumps(responses), "utf-8")
        script = Path(__file__).parent / f"run_{harness.replace('-', '_')}.py"
        ran = subprocess.run(
            [python, script, made.folder, name, recorded, out],
            capture_output=True,
            text=True,
            check=False,
            cwd=tmp_path,
            env={
                "PATH": os.environ["PATH"],
                "HOME": str(tmp_path),
                "HF_HUB_OFFLINE": "1",
                "LMUData": str(tmp_path / "lmu"),
                "PYTHONPATH": str(ROOT),
                "CUDA_VISIBLE_DEVICES": "",
            },
        )
        assert ran.returncode == 0, (ran.stdout + ran.stderr)[-4000:]
        found: dict[str, Any] = json.loads(out.read_text("utf-8"))
        return found

    return run


def said(truth: int, options: Sequence[str], is_right: bool, turn: int) -> str:
    """Return a response that names the true option, or another one."""
    place = truth if is_right else (truth + 1) % len(options)
    return WORDS[turn % len(WORDS)].format("ABCDEFGHIJKL"[place])


def followed(talks: Path) -> list[tuple[str, str]]:
    """Return each prompt of following with what was recorded to it."""
    return [
        (
            following_prompt(row, step),
            said(
                following_truth(row, step),
                now["answer_options"],
                RIGHT[row["chain_id"]][step] == "1",
                step,
            ),
        )
        for row in load_config(talks, "question-chain")
        for step, now in enumerate(steps_that_count(row))
    ]


def planned(talks: Path) -> list[tuple[str, str]]:
    """Return each prompt of planning with what was recorded to it."""
    found = []
    for row in load_config(talks, "question-chain"):
        picks: list[int | None] = []
        for step, now in enumerate(steps_that_count(row)):
            options = [one["text"] for one in now["question_options"]]
            is_right = RIGHT[row["chain_id"]][step] == "1"
            answer = said(planning_truth(row, step), options, is_right, step)
            found.append((planning_prompt(row, picks), answer))
            picks.append(chosen(answer, options))
    return found


@pytest.mark.parametrize("harness", ["inspect", "lmms-eval"])
@pytest.mark.parametrize(("task", "recorded"), [("following", followed), ("planning", planned)])
def test_scores_chains(
    play: Play, talks: Path, harness: str, task: str, recorded: Callable[..., Any]
) -> None:
    run = recorded(talks)

    found = play(harness, "question-chain", task, dict(run))

    name = "accuracy" if harness == "lmms-eval" else "share_of_steps/mean of categories"
    assert found["metrics"][name] == pytest.approx(SCORE)
    assert sorted(one["text"] for one in found["asked"]) == sorted(prompt for prompt, _ in run)
    assert {one["pictures"] for one in found["asked"]} == {1}


def test_vlmevalkit_scores_following(play: Play, talks: Path) -> None:
    run = [response for _, response in followed(talks)]

    found = play(
        "vlmevalkit", "question-chain", "following", {str(at): one for at, one in enumerate(run)}
    )

    assert found["metrics"]["accuracy"] == pytest.approx(SCORE)
    assert {one["pictures"] for one in found["asked"]} == {1}
    # an option that reads None is no empty cell
    assert any(". None\n" in one["text"] for one in found["asked"])


@pytest.mark.parametrize("harness", ["inspect", "lmms-eval"])
@pytest.mark.parametrize(
    ("task", "kept", "metrics"),
    [
        # of three boxes two are found, and two stand elsewhere
        ("several", [0, 1], {"precision": 2 / 4, "recall": 2 / 3, "f1": 4 / 7}),
        ("single", [0], {"accuracy": 0.0}),
    ],
)
def test_scores_candidate_sets(
    play: Play, talks: Path, harness: str, task: str, kept: list[int], metrics: dict[str, float]
) -> None:
    [row] = [
        one
        for one in load_config(talks, "candidate-set")
        if one["kind"] == ("single" if task == "single" else "set")
    ]
    sizes = {one["image_id"]: one for one in load_config(talks, "images")}
    size = sizes[row["image_id"]]
    row = {**row, "width": size["width"], "height": size["height"]}
    true = [candidate_set.true_boxes(row)[at] for at in kept]
    sides = [(x, y, x + width, y + height) for x, y, width, height in true]
    corners = [
        [
            round(1000 * at / row[side])
            for at, side in zip(one, 2 * ("width", "height"), strict=True)
        ]
        for one in sides
    ]
    answer = "```json\n" + json.dumps([*corners, [0, 0, 9, 9], [900, 900, 990, 990]]) + "\n```"

    found = play(harness, "candidate-set", task, {candidate_set.prompt(row): answer})

    names = {
        name.split("/")[0] if harness == "inspect" else name: value
        for name, value in found["metrics"].items()
    }
    assert {name: names[name] for name in metrics} == pytest.approx(metrics)


def test_inspect_asks_false_premises_in_turn(play: Play, talks: Path) -> None:
    rows = list(load_config(talks, "false-premise"))
    questions = [turn["asked_question"] for row in rows for turn in row["turns"]]

    found = play("inspect", "false-premise", "false_premise", dict.fromkeys(questions, "Yes."))

    assert [one["text"] for one in found["asked"]] == questions
    # the history grows by question and response; the picture is shown once
    assert [one["messages"] for one in found["asked"]] == [*range(1, 20, 2)] * len(rows)
    assert {one["pictures"] for one in found["asked"]} == {1}
