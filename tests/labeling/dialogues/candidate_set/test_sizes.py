from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchwright.records import CandidateSet
from labeling.dialogues.candidate_set.sizes import Sizes, sizes_of
from stand_ins.dialogues import candidate_set


def turns_of(*dialogues: Sequence[int]) -> list[CandidateSet]:
    """Return turns with sets of these sizes, a dialogue for each list."""
    return [
        candidate_set(
            turn,
            boxes=9,
            name=f"d{number}",
            candidate_ids=tuple(map(str, range(1, size + 1))),
        )
        for number, sizes in enumerate(dialogues)
        for turn, size in enumerate(sizes, 1)
    ]


@pytest.mark.parametrize(
    ("dialogues", "turns", "long_enough", "means"),
    [
        ([], 3, 0, ()),
        ([[4, 2, 1]], 3, 1, (4.0, 2.0, 1.0)),
        # a dialogue that ends before is compared at no turn
        ([[4, 2, 1], [9, 9]], 3, 1, (4.0, 2.0, 1.0)),
        ([[4, 2, 1], [9, 9]], 2, 2, (6.5, 5.5)),
        # later turns are not compared
        ([[4, 2, 1], [6, 3, 2, 1]], 3, 2, (5.0, 2.5, 1.5)),
        ([[4, 2, 1]], 4, 0, ()),
    ],
)
def test_means_are_of_the_same_dialogues_at_each_turn(
    dialogues: list[list[int]], turns: int, long_enough: int, means: tuple[float, ...]
) -> None:
    found = sizes_of(turns_of(*dialogues), turns)
    assert (found.long_enough, found.means) == (long_enough, means)


def test_samples_and_what_is_odd_about_dialogues_are_counted() -> None:
    assert sizes_of(turns_of([4, 2, 1], [3, 2], [1, 1], [1, 5])) == Sizes(
        dialogues=4,
        single=4,
        set=5,
        clear_at_the_start=2,
        open_at_the_end=2,
        long_enough=1,
        means=(4.0, 2.0, 1.0),
    )


DIALOGUES = st.lists(st.lists(st.integers(1, 9), min_size=1, max_size=5), max_size=6)


@given(DIALOGUES, st.integers(1, 5), st.randoms(use_true_random=False))
def test_the_order_of_the_turns_does_not_matter(
    dialogues: list[list[int]], turns: int, chance: "object"
) -> None:
    records = turns_of(*dialogues)
    found = sizes_of(records, turns)
    assert found.single + found.set == len(records)
    assert all(mean >= 1 for mean in found.means)
    chance.shuffle(records)  # type: ignore[attr-defined]
    assert sizes_of(records, turns) == found
