"""Which dialogues are followed from turn to turn."""

from collections.abc import Callable

import pytest

from benchwright.records import CandidateSet
from evaluation.candidate_set.metrics.tracked import Tracked

# the turns of each dialogue in the release, those that were played, which are followed, how far
CASES: dict[str, tuple[dict[str, str], dict[str, str], set[str], int]] = {
    "three turns each": ({"x": "123", "y": "123"}, {"x": "123", "y": "123"}, {"x", "y"}, 3),
    # later turns are those of fewer dialogues and are not followed
    "a longer one": ({"x": "12345", "y": "123"}, {"x": "12345", "y": "123"}, {"x", "y"}, 3),
    "one too short": ({"x": "123", "y": "12"}, {"x": "123", "y": "12"}, {"x"}, 3),
    "one with a gap": ({"x": "123", "y": "134"}, {"x": "123", "y": "134"}, {"x"}, 3),
    # of y a turn is missing: else the means of the turns were of other dialogues
    "one played in part": ({"x": "123", "y": "123"}, {"x": "123", "y": "13"}, {"x"}, 3),
    # how far is a matter of the release, so that two runs are followed alike
    "a run that was stopped": ({"x": "123", "y": "123"}, {"x": "12", "y": "1"}, set(), 3),
    # as in a comparison set
    "single turns": ({"x": "1", "y": "1"}, {"x": "1", "y": "1"}, {"x", "y"}, 1),
    "two turns at most": ({"x": "12", "y": "1"}, {"x": "12", "y": "1"}, {"x"}, 2),
    "nothing": ({}, {}, set(), 0),
}


@pytest.mark.parametrize("case", CASES)
def test_dialogues_that_have_all_turns(case: str, sample_of: Callable[..., CandidateSet]) -> None:
    there, played, followed, turns = CASES[case]
    samples, answered = (
        [sample_of("a", turn=int(turn), dialogue=name) for name in some for turn in some[name]]
        for some in (there, played)
    )
    found = Tracked.of(samples, answered)
    assert (set(found.dialogue_ids), found.turns) == (followed, turns)
    held = {(one.dialogue_id, one.turn) for one in answered if found.holds(one)}
    assert held == {(name, turn) for name in followed for turn in range(1, turns + 1)}
