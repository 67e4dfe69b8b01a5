import re
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from labeling.dialogues.candidate_set.rules import are_known, has_candidate, keeps_target, narrows

IDS = st.sets(st.sampled_from([str(number) for number in range(1, 13)]))


@pytest.mark.parametrize(
    ("check", "reason"),
    [
        (has_candidate(["1"]), None),
        (has_candidate([]), "no box is marked"),
        (are_known(["1", "2"], ["1", "2", "3"]), None),
        (are_known([], ["1"]), None),
        (are_known(["2", "12", "11"], ["1", "2"]), "the picture has no box 11 and 12"),
        (narrows(["1", "2"], ["2"]), None),
        (narrows(["1", "2"], ["1", "2"]), None),  # a turn may tell nothing
        (narrows(["1", "2"], ["2", "3"]), "adds 3 to the last turn's"),
        (narrows([], ["10", "9", "8"]), "adds 8, 9 and 10 to the last turn's"),
        (keeps_target(["1", "4"], "4"), None),
        (keeps_target(["1"], "4"), "4, meant in the end, is not marked"),
    ],
)
def test_rules_say_why(check: object, reason: str | None) -> None:
    assert (check.reason, check.passed) == (reason, reason is None)  # type: ignore[attr-defined]


@given(st.lists(IDS, max_size=6))
def test_sets_that_narrow_turn_by_turn_narrow_over_any_turns(sets: list[set[str]]) -> None:
    steps = [narrows(one, other).passed for one, other in pairwise(sets)]
    assert steps == [other <= one for one, other in pairwise(sets)]
    if sets and all(steps):
        assert narrows(sets[0], sets[-1]).passed
        assert len(sets[-1]) <= len(sets[0])


@given(IDS, IDS)
def test_what_is_added_is_named(last: set[str], ids: set[str]) -> None:
    reason = narrows(last, ids).reason or ""
    assert set(re.findall(r"\d+", reason)) == ids - last
