"""What errors of voted labels do to episodes, against what can be worked out by hand."""

from types import SimpleNamespace
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchwright.knowledge import NO, YES, Value
from exports.gating.label_audit import ErrorRates
from exports.gating.label_effect import (
    Effect,
    Errors,
    VotedCells,
    drawn_truth,
    label_effect,
    simulate,
)


def of_one_type(*names: str, exclusive: bool = True) -> tuple[Value, ...]:
    return tuple(Value(type="colour", value=name, exclusive=exclusive) for name in names)


def errors(values: tuple[Value, ...], yes: float, no: float, common: int = 1) -> Errors:
    count = len(values)
    return Errors(
        values=values,
        columns=np.arange(count),
        yes=np.full(count, yes),
        no=np.full(count, no),
        common=np.full(count, common),
        pictures=100,
    )


def drawn(rows: list[list[int]], found: Errors, draws: int = 4_000) -> np.ndarray:
    answers = np.array(rows, np.int8)
    return drawn_truth(answers, np.ones(answers.shape, bool), found, "e1", draws)


def test_labels_of_a_type_with_many_values_are_wrong_apart() -> None:
    truth = drawn([[1, -1, 0]], errors(of_one_type("a", "b", "c", exclusive=False), 0.3, 0.1))
    assert (truth[:, 0, 0] == NO).mean() == pytest.approx(0.3, abs=0.03)
    assert (truth[:, 0, 1] == YES).mean() == pytest.approx(0.1, abs=0.02)
    assert not truth[:, 0, 2].any()  # what nobody said cannot be wrong
    both = ((truth[:, 0, 0] == NO) & (truth[:, 0, 1] == YES)).mean()
    assert both == pytest.approx(0.03, abs=0.01)


def test_a_wrong_yes_of_an_exclusive_type_makes_another_value_true() -> None:
    rows = [[1, -1, -1], [-1, 1, -1], [-1, 1, -1]]  # two more have the second value
    truth = drawn(rows, errors(of_one_type("a", "b", "c"), 0.3, 0.9))
    assert ((truth == YES).sum(axis=2) == 1).all()
    wrong = truth[:, 0, 0] == NO
    assert wrong.mean() == pytest.approx(0.3, abs=0.03)
    # the second counts twice in the gallery and once in a hundred pictures, the third that alone
    assert (truth[wrong, 0, 1] == YES).mean() == pytest.approx(201 / 202, abs=0.01)


def test_without_a_yes_one_no_at_most_is_wrong() -> None:
    truth = drawn([[-1, -1, -1]], errors(of_one_type("a", "b", "c"), 0.5, 0.2))
    found = (truth == YES).sum(axis=2)[:, 0]
    assert found.max() == 1
    assert found.mean() == pytest.approx(0.6, abs=0.03)


def test_an_only_value_has_no_other() -> None:
    truth = drawn([[1]], errors(of_one_type("a"), 0.4, 0.4))
    assert (truth == YES).mean() == pytest.approx(0.6, abs=0.03)


def test_what_was_not_voted_is_never_wrong() -> None:
    answers = np.array([[1, -1], [-1, -1]], np.int8)
    nothing = np.zeros(answers.shape, bool)
    truth = drawn_truth(answers, nothing, errors(of_one_type("a", "b"), 1.0, 1.0), "e1", 20)
    assert (truth == answers).all()


@given(
    st.lists(st.lists(st.sampled_from([-1, 0, 1]), min_size=4, max_size=4), min_size=1, max_size=4),
    st.floats(0, 1),
    st.floats(0, 1),
)
def test_an_exclusive_type_keeps_to_one_value(rows: list[list[int]], yes: float, no: float) -> None:
    said = [
        [max(-1, one) if row.index(max(row)) == at else min(0, one) for at, one in enumerate(row)]
        for row in rows
    ]
    truth = drawn(said, errors(of_one_type("a", "b", "c", "d"), yes, no), draws=20)
    assert ((truth == YES).sum(axis=2) <= 1).all()
    assert (drawn(said, errors(of_one_type("a", "b", "c", "d"), yes, no), draws=20) == truth).all()


def effect(make: SimpleNamespace, rate: float, voted: bool = True) -> Effect:
    """Return the effect on galleries of eight pictures that three values tell apart."""
    some = make.episodes(150)
    bits = np.array([[at >> bit & 1 for bit in range(3)] for at in range(8)])
    has = np.tile(np.where(bits, 1, -1), (150, 1))
    galleries = make.galleries_of(some, has)
    rows = [
        {"image_id": make.name_of(row), "type": value.type, "value": value.value}
        for row in range(len(has) if voted else 0)
        for value in galleries.knowledge.values
    ]
    schema = pa.schema([(name, pa.string()) for name in ("image_id", "type", "value")])
    cells = VotedCells.of(galleries, pa.Table.from_pylist(rows, schema=schema))
    return simulate(galleries, cells, ErrorRates(by_type={}, overall={YES: rate, NO: rate}))


@pytest.mark.parametrize("rate", [0.0, 0.05, 0.2])
def test_the_reference_questioner_needs_all_labels_that_it_asks_of(
    make: SimpleNamespace, rate: float
) -> None:
    """Eight pictures, three questions: kept when three labels of the target are right."""
    found = effect(make, rate)
    assert found.ends.all()
    assert found.kept_share == pytest.approx((1 - rate) ** 3, abs=0.01)
    assert (found.identifiable.mean() == 1) == (rate == 0)


def test_labels_of_the_source_lose_nothing(make: SimpleNamespace) -> None:
    assert effect(make, 0.5, voted=False).kept_share == 1


def test_a_type_that_was_not_audited_has_the_rate_of_all() -> None:
    rates = ErrorRates(by_type={("a", YES): 0.5}, overall={YES: 0.1, NO: 0.2})
    assert [rates.rate("a", YES), rates.rate("a", NO), rates.rate("b", YES)] == [0.5, 0.2, 0.1]


def test_where_no_episode_has_an_end_nothing_passes(make: SimpleNamespace) -> None:
    alike = make.galleries_of(make.episodes(3, size=4), np.ones((12, 2), int))
    rates = ErrorRates(by_type={}, overall={YES: 0.1, NO: 0.1})
    some: Any = SimpleNamespace(rates=rates, least=rates, most=rates)
    voted = pa.table({name: pa.array([], pa.string()) for name in ("image_id", "type", "value")})
    found = label_effect(alike, voted, some)
    assert (found.figure, found.n, found.outcome) == (None, 0, "information")
