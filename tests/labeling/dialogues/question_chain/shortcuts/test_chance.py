from itertools import product
from math import prod

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest

from labeling.dialogues.question_chain.shortcuts.chance import against

CHANCES = st.lists(st.sampled_from((0.5, 1 / 3, 0.25, 0.1)), min_size=1, max_size=8)


def at_least(hits: int, chances: list[float]) -> float:
    """All outcomes, one by one."""
    return sum(
        prod(chance if hit else 1 - chance for hit, chance in zip(outcome, chances, strict=True))
        for outcome in product((0, 1), repeat=len(chances))
        if sum(outcome) >= hits
    )


@given(CHANCES, st.data())
def test_p_is_exact_where_every_trial_has_its_own_chance(
    chances: list[float], data: st.DataObject
) -> None:
    hits = data.draw(st.integers(0, len(chances)))
    more, fewer = at_least(hits, chances), 1 - at_least(hits + 1, chances)
    assert against(hits, chances, is_one_sided=True).p == pytest.approx(more, abs=1e-9)
    assert against(hits, chances).p == pytest.approx(min(1, 2 * min(more, fewer)), abs=1e-9)


def test_p_is_the_binomial_one_where_chances_are_equal() -> None:
    found = against(40, [0.25] * 100, is_one_sided=True)
    assert found.p == pytest.approx(binomtest(40, 100, 0.25, alternative="greater").pvalue)
    assert (found.share, found.chance, found.verdict) == (0.4, 0.25, "more than chance")
    # Wilson, 40 of 100
    assert (found.low, found.high) == pytest.approx((0.3094, 0.4980), abs=5e-5)


@pytest.mark.parametrize(
    ("hits", "n", "is_one_sided", "verdict"),
    [
        (0, 0, False, "too few to tell"),
        (1, 1, False, "too few to tell"),  # one in four happens by chance
        (3, 3, True, "more than chance"),  # one in 64
        (0, 3, True, "as chance"),
        (2, 8, False, "as chance"),
        (6, 8, False, "more than chance"),
        (0, 8, False, "as chance"),  # one in ten, on one side
        (0, 16, False, "less than chance"),
        (0, 16, True, "as chance"),  # a guesser that is wrong is no shortcut
    ],
)
def test_verdicts(hits: int, n: int, is_one_sided: bool, verdict: str) -> None:
    assert against(hits, [0.25] * n, is_one_sided=is_one_sided).verdict == verdict
