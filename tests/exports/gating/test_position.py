"""Whether the place of what is right tells anything."""

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from exports.gating.position import option_places, p_value, target_places
from stand_ins.chains import chain, step


def places_of(kind: str, sizes: np.ndarray) -> np.ndarray:
    """Return places that are biased in some way, from 1."""
    fair = 1 + (np.random.default_rng(1).random(len(sizes)) * sizes).astype(int)
    at = np.arange(len(sizes))
    found: dict[str, np.ndarray] = {
        "fair": fair,
        "first": np.ones(len(sizes), int),
        "last": sizes,
        # every third target in the first place, the others anywhere
        "often first": np.where(at % 3 == 0, 1, fair),
        "often last": np.where(at % 3 == 0, sizes, fair),
        "never first": np.where(fair == 1, 2, fair),
    }
    return found[kind]


@pytest.mark.parametrize(
    ("kind", "fails"),
    [
        ("fair", False),
        ("first", True),
        ("last", True),  # another place in each size: counted from the back it is one
        ("often first", True),
        ("often last", True),
        ("never first", True),
    ],
)
def test_a_biased_place_is_found(kind: str, fails: bool) -> None:
    sizes = np.array([6, 8, 11, 14] * 75)
    assert (p_value(places_of(kind, sizes), sizes) < 0.001) == fails


def test_two_galleries_prove_nothing(make: SimpleNamespace) -> None:
    found = target_places("c", make.episodes(2))
    assert found.outcome == "too few to tell"
    assert found.rows == ()
    # among ten the same place everywhere would be found
    assert target_places("c", make.episodes(10)).outcome == "passes"


def test_the_rows_are_those_at_the_fullest_place(make: SimpleNamespace) -> None:
    some = [make.episode(at, range(8 * at, 8 * at + 8), 3) for at in range(30)]
    found = target_places("hidden-target-tau-0.6", some)
    assert not found.passed
    assert found.rows[0] == "e0000"
    assert found.found == 30
    assert found.note == "place 3 has 30, expected 3.8"


@settings(max_examples=20)
@given(st.lists(st.tuples(st.integers(1, 20), st.integers(0, 19)), min_size=1, max_size=8))
def test_any_places_have_a_p_value(pairs: list[tuple[int, int]]) -> None:
    sizes = np.array([size for size, _ in pairs])
    places = np.array([1 + min(at, size - 1) for size, at in pairs])
    assert 0 < p_value(places, sizes) <= 1
    everything_one = np.ones(len(pairs), int)
    assert p_value(everything_one, everything_one) == 1


def test_false_alarms_are_as_rare_as_the_limit_says() -> None:
    """Under 5 % of sound releases have p under 0.05; the limit is a fiftieth of that."""
    sizes = np.array([6, 7, 9, 12] * 15)
    draws = np.random.default_rng(5).random((60, len(sizes)))
    values = [p_value(1 + (row * sizes).astype(int), sizes) for row in draws]
    assert sum(value < 0.05 for value in values) <= 8  # of 60 at 5 %, more are under 1 in 200
    assert min(values) >= 0.001


def test_true_options_that_always_come_first_are_found() -> None:
    chains = [replace(chain(), chain_id=f"c{at}") for at in range(20)]
    questions, answers = option_places(chains)
    assert not questions.passed
    assert not answers.passed
    assert (questions.n, answers.n) == (60, 60)


def test_a_step_without_options_is_no_place() -> None:
    bare = replace(step("Who?", "ana"), question_options=(), answer_options=())
    assert list(option_places([chain(steps=(bare,))])) == []
