"""Runs that lack samples are compared in sizes on dialogues that both played to the last turn."""

from collections.abc import Callable, Sequence
from types import SimpleNamespace
from typing import Any

import pytest

from benchwright.records import CandidateSet, Grounding
from evaluation.candidate_set.metrics import tallying
from evaluation.scoring.comparing import compare
from evaluation.scoring.figures import Key, by_key
from evaluation.scoring.opened import ScoredOn
from evaluation.scoring.scored import Scored

Sample = tuple[str, int]


@pytest.fixture
def scored(
    monkeypatch: pytest.MonkeyPatch,
    sample_of: Callable[..., CandidateSet],
    answer_of: Callable[..., Grounding],
    table: dict[str, Any],
) -> Callable[..., Scored]:
    """Return the score of a run that answered some samples, each with so many boxes."""
    there = {
        (dialogue, turn): sample_of("abc"[: 4 - turn], turn=turn, dialogue=dialogue)
        for dialogue in ("x", "y")
        for turn in (1, 2, 3)
    }
    monkeypatch.setattr(tallying, "read_records", lambda *_: list(there.values()))

    def of(boxes: int, missing: Sequence[Sample] = ()) -> Scored:
        rows = [
            answer_of(sample, list(table.values())[:boxes])
            for name, sample in there.items()
            if name not in missing
        ]
        settings = {"given": False}
        run: Any = SimpleNamespace(
            about=SimpleNamespace(
                run="r", config="candidate-set", player="m", prompts="", parts={}
            ),
            settings=settings,
            manifest=SimpleNamespace(plan=SimpleNamespace(settings=settings, seed=0)),
            release=None,
            planned=len(there),
            records=lambda table, kind: rows,
        )
        return Scored(
            tally=tallying.tally_of(run),
            on=ScoredOn(release="r", commit=None, digest="d", config="candidate-set"),
            scoring=tallying.SCORING,
            figures=[],
            folder=None,
        )

    return of


def test_the_dialogues_that_are_followed_are_those_of_both(scored: Callable[..., Scored]) -> None:
    """Of x the second run lacks the last turn, so y alone is followed at each turn."""
    found = compare(scored(2), scored(1, missing=[("x", 3)]), 0, is_partial=True)
    assert found.items == 5
    for figures, size in ((found.first, 2), (found.second, 1), (found.differences, 1)):
        for turn in ("1", "2", "3"):
            figure = by_key(figures)[Key("predicted_size", "tracked_turn", turn)]
            assert (figure.value, figure.n) == (size, 1)
