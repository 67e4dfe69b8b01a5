"""Runs of hidden-target episodes as run-benchmark leaves them, without anybody playing."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from benchwright import store
from benchwright.records import Asked, Episode, Trajectory, Turn
from benchwright.rows import to_table
from benchwright.workspace import Workspace

EPISODES = "hidden-target-tau-0.3"


def trajectory(episode: Episode, run: str = "one", **more: Any) -> Trajectory:
    """Return an episode in which one question left the target alone, which is then guessed."""
    target, pictures = episode.target_index, len(episode.image_ids)
    turn = Turn(
        turn=1,
        status="ok",
        text="Is the cloth navy?",
        question="Is the cloth navy?",
        read_by="question_mark",
        asked=(Asked(type="cloth", value="navy", is_negated=False),),
        mapped_by="template",
        told="yes",
        reason=None,
        judged_by=None,
        truth="yes",
        noise=None,
        fits="".join("y" if number == target else "n" for number in range(1, pictures + 1)),
        feasible=(target,),
    )
    fields: dict[str, Any] = {
        "run": run,
        "player": "hand",
        "config": EPISODES,
        "episode_id": episode.episode_id,
        "uploads": (),
        "turns": (turn,),
        "guess": target,
        "guess_text": f"My guess: #{target}",
        "guessed_by": "announced",
        "end": "guess",
        "builds": (),
    }
    return Trajectory(**{**fields, **more})


def write_played(workspace: Workspace, name: str, played: Sequence[Trajectory]) -> Path:
    """Write a finished run and return its folder."""
    folder = workspace.runs / name
    plan = store.Plan(
        stage=f"run {name}", inputs={"release": "0" * 64}, settings={"player": "hand"}, seed=0
    )
    with store.writing(folder, plan, configs={"trajectories": "trajectories-*.parquet"}) as writer:
        writer.shards("trajectories", to_table(played, Trajectory))
    return folder
