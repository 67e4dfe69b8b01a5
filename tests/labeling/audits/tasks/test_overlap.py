import pytest
from hypothesis import given
from hypothesis import strategies as st

from labeling.audits.tasks.overlap import seen_twice

IDS = [f"d{number}" for number in range(1000)]


@pytest.mark.parametrize(
    ("overlap", "least", "most"),
    [
        (0.0, 0, 0),
        (1.0, 1000, 1000),
        (0.2, 150, 250),  # 200 expected, deviation 13
        (0.5, 440, 560),
    ],
)
def test_the_share_is_met(overlap: float, least: int, most: int) -> None:
    found = seen_twice(IDS, overlap, seed=0)
    assert least <= len(found) <= most
    assert found == seen_twice(IDS[::-1], overlap, seed=0)


@given(st.integers(0, 1000), st.integers(0, 1000), st.floats(0.05, 1), st.integers(0, 99))
def test_as_things_come_and_go_each_keeps_its_choice(
    start: int, stop: int, overlap: float, seed: int
) -> None:
    every = seen_twice(IDS, overlap, seed)
    some = IDS[start:stop]
    kept = every.intersection(some)
    # where chance chose none of them there is one all the same
    assert seen_twice(some, overlap, seed) == kept or (not kept and some)


@given(st.integers(1, 20), st.floats(0.001, 1), st.integers())
def test_a_share_of_little_is_one_at_least(count: int, overlap: float, seed: int) -> None:
    assert seen_twice(IDS[:count], overlap, seed)
    assert not seen_twice([], overlap, seed)


def test_a_larger_share_keeps_the_smaller_and_a_seed_changes_it() -> None:
    assert seen_twice(IDS, 0.3, 0) < seen_twice(IDS, 0.6, 0)
    assert len({seen_twice(IDS, 0.3, seed) for seed in range(20)}) > 10
