import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from labeling.audits.planning.rates import error_rates


def test_no_error_seen_is_not_no_error() -> None:
    # other strata of its class show one in five
    rates = error_rates(np.array([5, 100, 100]), np.array([0, 20, 0]), np.array([0, 0, 1]))
    assert 0.1 < rates[0] < 0.2
    assert rates[2] < 0.02


def test_a_stratum_goes_by_itself_in_the_end() -> None:
    rates = error_rates(np.array([5000, 100]), np.array([500, 0]), np.array([0, 0]))
    assert rates[0] == pytest.approx(0.1, abs=0.002)


def test_a_class_of_one_stratum_leans_on_all_others() -> None:
    rates = error_rates(np.array([2, 200, 200]), np.array([0, 60, 60]), np.array([0, 1, 1]))
    assert 0.2 < rates[0] < 0.3


def test_an_audit_without_errors_has_small_rates() -> None:
    rates = error_rates(np.array([100, 100]), np.array([0, 0]), np.array([0, 1]))
    assert (rates > 0).all()
    assert (rates < 0.005).all()


@given(
    rows=st.lists(
        st.tuples(st.integers(0, 500), st.floats(0, 1), st.integers(0, 2)), min_size=1, max_size=9
    )
)
def test_rates_are_never_0_or_1(rows: list[tuple[int, float, int]]) -> None:
    judged = np.array([seen for seen, _, _ in rows])
    wrong = np.floor(judged * np.array([share for _, share, _ in rows])).astype(np.int64)
    rates = error_rates(judged, wrong, np.array([margin_class for *_, margin_class in rows]))
    assert ((rates > 0) & (rates < 1)).all()
