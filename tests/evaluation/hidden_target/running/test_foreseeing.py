"""What a run takes lies between the least and the most that was foreseen, call for call."""

import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from benchwright.asking.pieces import How
from benchwright.asking.session import Spending
from benchwright.asking.voters import PictureTokens, Voter
from benchwright.workspace import Workspace
from evaluation.hidden_target.running.cast import Cast
from evaluation.hidden_target.running.material import material_of
from evaluation.hidden_target.running.running import HowPlayed, hidden_target_run
from evaluation.releases.release import open_release
from evaluation.running.run import estimate_run, play_run

UNSEEN = How(probe=False)
CONFIG = "hidden-target-tau-0.6"


def bought(workspace: Workspace) -> dict[str, tuple[int, int, int]]:
    """Return the calls of each voter, the tokens of their prompts and of their answers."""
    asked = "SELECT voter, count(*), sum(prompt_tokens), sum(completion_tokens) FROM attempts"
    with closing(sqlite3.connect(workspace.answers)) as answers:
        rows = answers.execute(f"{asked} GROUP BY voter").fetchall()
    return {voter: tuple(found) for voter, *found in rows}


# the shortest game, an ordinary one, the longest
@pytest.mark.parametrize("player", ["hasty", "reference", "endless"])
def test_what_it_takes_was_foreseen(stage: Any, player: str, dresses_folder: Path) -> None:
    opened = stage()
    release = open_release(str(dresses_folder))
    material = material_of(release, CONFIG, batch_size=3, turns=6, noun=None, episodes=4, seed=0)

    def voter(name: str) -> Voter:
        return Voter(
            name=name,
            model=name,
            base_url=opened.server.base_url,
            picture_tokens=PictureTokens(fixed=100),  # as the server counts them
            patience=5,
        )

    cast = Cast(
        player=voter(player),
        detector=voter("detector"),
        oracle=voter("oracle"),
        verifier=voter("verifier"),
    )
    pictures = opened.workspace.runs / ".pictures"
    pictures.mkdir(parents=True)
    one = hidden_target_run(opened.workspace, "run", material, cast, HowPlayed(), pictures)
    before = {each.voter: each for each in estimate_run(opened.workspace, one, Spending(), UNSEEN)}
    assert play_run(opened.workspace, one, Spending(), UNSEEN).is_whole
    for name, (calls, prompt, completion) in bought(opened.workspace).items():
        found = before[name]
        # the oracle asks once, in the whole run, whether its server knows tools
        besides = 1 if name == "oracle" else 0
        assert found.calls <= calls <= found.most_calls + besides
        assert found.calls <= (found.usual_calls or 0) <= found.most_calls
        assert found.prompt[0] <= prompt <= found.prompt[1]
        assert found.completion[0] <= completion <= found.completion[1]
    if player == "hasty":
        assert bought(opened.workspace)[player][0] == before[player].calls
    if player == "reference":  # which asks as the middle case has it, and never zooms
        assert bought(opened.workspace)[player][0] == before[player].usual_calls
        for name in ("detector", "verifier"):  # which are asked the same of two episodes at times
            usual = before[name].usual_calls or 0
            assert 0.8 * usual <= bought(opened.workspace)[name][0] <= usual
    if player == "endless":  # of which none is cut and asked again
        assert 2 * bought(opened.workspace)[player][0] == before[player].most_calls


def test_a_voter_of_two_parts_takes_the_calls_of_both(stage: Any, dresses_folder: Path) -> None:
    opened = stage()
    release = open_release(str(dresses_folder))
    material = material_of(release, CONFIG, batch_size=5, turns=2, noun=None, episodes=3, seed=0)
    pictures = opened.workspace.runs / ".pictures"

    def most(cast: Cast) -> int:
        one = hidden_target_run(opened.workspace, "run", material, cast, HowPlayed(), pictures)
        (found,) = estimate_run(opened.workspace, one, Spending(), UNSEEN)
        return found.most_calls

    judge = Voter(name="v", model="v", base_url=opened.server.base_url)
    nobody = Cast(player="greedy")
    alone = [most(replace(nobody, oracle=judge)), most(replace(nobody, verifier=judge))]
    assert most(replace(nobody, oracle=judge, verifier=judge)) == sum(alone)
