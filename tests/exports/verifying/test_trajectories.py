"""Trajectories in a release: what cannot have been played is found."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from benchwright.records import Episode
from benchwright.workspace import Workspace
from exports.contents.gathering import gather
from exports.contents.terms import Terms
from exports.verifying.verify import verify_release
from stand_ins.played_runs import EPISODES, trajectory, write_played

Rows = list[dict[str, Any]]


@pytest.fixture
def with_runs(whole: Workspace, release: Callable[..., Path]) -> Path:
    """A release with a run of all its episodes."""
    episodes: list[Episode] = list(gather(whole, Terms(canary="")).records[EPISODES])
    write_played(whole, "one", [trajectory(one) for one in episodes])
    return release(whole, "1.0.1")


def _first(**values: Any) -> Callable[[Rows], Any]:
    return lambda rows: rows[0].update(values)


def _first_turn(**values: Any) -> Callable[[Rows], Any]:
    return lambda rows: rows[0]["turns"][0].update(values)


def test_what_was_played_holds(with_runs: Path) -> None:
    assert all(one.holds for one in verify_release(with_runs))


# what was changed, with a lock that fits; the check that finds it; what it says
@pytest.mark.parametrize(
    ("change", "check", "said"),
    [
        (_first(episode_id="f" * 16), "ids", "its episode is not in hidden-target-tau-0.3"),
        # an episode that is there, of a config that is not
        (_first(config="hidden-target-tau-0.9"), "ids", "is not in hidden-target-tau-0.9"),
        (lambda rows: [*rows, rows[0]], "ids", "stands twice"),
        (_first(guess=0), "ids", "guesses picture 0 of"),
        (_first(guess=999), "ids", "guesses picture 999 of"),
        (_first_turn(fits="y"), "ids", "turn 1: fits is of 1 pictures, not of"),
        # a skip is a constraint on nothing
        (_first_turn(told="skip"), "ids", "pictures, not of 0"),
        (_first_turn(feasible=[0]), "ids", "turn 1: feasible names a picture that is not there"),
        (_first(player=None), "columns", "trajectories.player: is null somewhere"),
        (lambda rows: rows[1:], "card", "rows on the card"),
    ],
)
def test_what_was_changed_is_found(
    with_runs: Path,
    forged: Callable[..., None],
    change: Callable[[Rows], Any],
    check: str,
    said: str,
) -> None:
    forged(with_runs, "trajectories", change)
    found = {one.check: one.faults for one in verify_release(with_runs) if not one.holds}
    assert said in found[check][0]
