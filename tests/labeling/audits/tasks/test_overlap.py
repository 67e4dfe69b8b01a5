import pytest

from labeling.audits.tasks.overlap import seen_twice

IDS = [f"d{number}" for number in range(10)]


@pytest.mark.parametrize(
    ("overlap", "count"),
    [
        (0.0, 0),
        (1.0, 10),
        (0.2, 2),
        (0.3, 3),  # in binary a little less than three tenths
        (0.25, 3),  # up to the next whole one
        (0.01, 1),
    ],
)
def test_the_share_is_met(overlap: float, count: int) -> None:
    found = seen_twice(IDS, overlap, seed=0)
    assert len(found) == count
    assert found == seen_twice(IDS[::-1], overlap, seed=0)
    assert found <= seen_twice(IDS, 1.0, seed=0)


def test_a_larger_share_keeps_the_smaller_and_a_seed_changes_it() -> None:
    assert seen_twice(IDS, 0.3, 0) < seen_twice(IDS, 0.6, 0)
    assert len({seen_twice(IDS, 0.3, seed) for seed in range(20)}) > 10
