"""Margin and quorum are decimals, and labels follow in whole numbers."""

from fractions import Fraction
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchwright.errors import UsageError
from labeling.attributes.deciding.codes import NO, SAID_NO, SAID_YES, UNSURE, YES
from labeling.attributes.deciding.rule import DecimalShare, Rule


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("0", Fraction(0)),
        ("0.05", Fraction(1, 20)),
        (" .10 ", Fraction(1, 10)),  # spaces, no leading digit, a trailing zero
        ("1e-3", Fraction(1, 1000)),  # an exponent is a decimal too
        ("0.166666667", Fraction(166666667, 10**9)),  # nine digits
        ("1", Fraction(1)),
        ("-0", Fraction(0)),
    ],
)
def test_a_decimal_is_read_exactly(text: str, value: Fraction) -> None:
    share = DecimalShare.parse(text, "--quorum")
    assert Fraction(share.numerator, share.denominator) == value


@pytest.mark.parametrize(
    "text",
    ["-0.1", "1.1", "50", "half", "", "nan", "sNaN", "inf", "1e400", "0,1", "1/3", "0.1234567891"],
)
def test_anything_else_is_refused_in_one_line(text: str) -> None:
    with pytest.raises(UsageError) as caught:
        Rule.parse(quorum=text)
    assert "--quorum" in str(caught.value)
    assert repr(text) in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_margin_is_at_most_a_half() -> None:
    Rule.parse(margin="0.5")
    with pytest.raises(UsageError, match=r"--margin takes a decimal from 0 to 0\.5"):
        Rule.parse(margin="0.51")


@pytest.mark.parametrize(
    ("yes", "no", "total", "margin", "quorum", "label"),
    [
        (1, 0, 9, "0", "0", YES),  # one vote is enough where no quorum is asked
        (0, 1, 9, "0", "0", NO),
        (0, 0, 9, "0", "0", UNSURE),  # nobody said anything
        (4, 4, 9, "0", "0", UNSURE),  # a tie
        (5, 4, 9, "0", "0", YES),
        (6, 4, 10, "0.1", "0", YES),  # just at ½ + m, which 0.5 + 0.1 in floats may miss
        (4, 6, 10, "0.1", "0", NO),  # just at ½ − m
        (599, 401, 1000, "0.1", "0", UNSURE),
        (401, 599, 1000, "0.1", "0", UNSURE),
        (57, 43, 100, "0.07", "0", YES),  # 0.57 - 0.5 is 0.06999999999999995 in floats
        (9, 0, 9, "0.5", "0", YES),  # unanimous
        (8, 1, 9, "0.5", "0", UNSURE),
        (0, 9, 9, "0.5", "0", NO),
        (3, 0, 10, "0", "0.3", YES),  # just the quorum: 0.1 * 3 is more than 0.3 in floats
        (2, 0, 10, "0", "0.3", UNSURE),
        (10, 0, 10, "0", "1", YES),
        (9, 0, 10, "0", "1", UNSURE),
        (0, 0, 10, "0", "1", UNSURE),
    ],
)
def test_labels_by_weights(
    yes: int, no: int, total: int, margin: str, quorum: str, label: int
) -> None:
    rule = Rule.parse(margin, quorum)
    assert rule.label(yes, no, total) == label
    assert rule.labels(np.array([yes]), np.array([no]), np.array([total])).tolist() == [label]


@given(
    st.integers(0, 2**31 - 1),
    st.integers(0, 2**31 - 1),
    st.integers(0, 500_000_000),
    st.integers(0, 1_000_000_000),
)
def test_labels_are_exact_up_to_the_largest_weights(
    small: SimpleNamespace, yes: int, total: int, margin: int, quorum: int
) -> None:
    yes, total = sorted((yes, total))
    rule = Rule(
        margin=DecimalShare(numerator=margin, denominator=10**9),
        quorum=DecimalShare(numerator=quorum, denominator=10**9),
    )
    expected = small.fractions(rule).label([SAID_YES, SAID_NO], [yes, total - yes])
    assert rule.label(yes, total - yes, total) == expected
    arrays = [np.array([number]) for number in (yes, total - yes, total)]
    assert rule.labels(*arrays).tolist() == [expected]
