"""The κ that a printed table allows, and the κ of a paper."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchwright.statistics.agreement.published_kappa import (
    PrintedShares,
    could_be,
    kappa_range,
    rounding,
)

# FPCO-Dialog, table 4: both detectors on the false-premise turns; rates of correction, agreement,
# both and neither, the first and the second alone, kappa
FPCO_DIALOG = {
    "overall": (151_200, "0.379 0.370 0.973 0.361 0.612 0.018 0.009", "0.942"),
    "identity": (50_400, "0.563 0.566 0.986 0.557 0.428 0.006 0.009", "0.971"),
    "attribute": (50_400, "0.415 0.411 0.981 0.404 0.577 0.012 0.007", "0.960"),
    "location": (50_400, "0.159 0.133 0.952 0.122 0.830 0.037 0.011", "0.809"),
}


def printed(items: int, shares: str) -> PrintedShares:
    a, b, agree, yes, no, first, second = shares.split()
    return PrintedShares(
        items=items,
        first_yes=a,
        second_yes=b,
        agree=agree,
        both_yes=yes,
        both_no=no,
        first_only=first,
        second_only=second,
    )


@pytest.mark.parametrize("scope", FPCO_DIALOG)
def test_the_kappas_of_the_paper_follow_from_its_shares(scope: str) -> None:
    items, shares, kappa = FPCO_DIALOG[scope]
    whole = printed(items, shares)
    assert could_be(kappa, whole)
    low, high = kappa_range(whole) or (0, 0)
    # rounding to three decimals leaves this much open
    assert 0 < high - low < 0.005
    # a kappa that is off by as much as one rounding too many is found out
    assert not could_be(f"{high + 0.002:.3f}", whole)
    assert not could_be(f"{low - 0.002:.3f}", whole)
    # the margins and the agreement alone allow that and more
    less = PrintedShares(
        items=items,
        first_yes=whole.first_yes,
        second_yes=whole.second_yes,
        agree=whole.agree,
    )
    wider = kappa_range(less) or (1, -1)
    assert wider[0] <= low <= high <= wider[1]
    assert could_be(kappa, less)


def test_nothing_printed_allows_everything() -> None:
    assert kappa_range(PrintedShares(items=10)) == (-1.0, 1.0)


@pytest.mark.parametrize(
    "shares",
    [
        # half of 10 items agree, yet no one says yes alone
        PrintedShares(items=10, agree="0.50", first_only="0.00", second_only="0.00"),
        # a third of 10 items is no whole number
        PrintedShares(items=10, first_yes="0.333"),
        # both say yes to everything: expected agreement 1, no kappa
        PrintedShares(items=10, both_yes="1.00"),
        PrintedShares(items=10, first_yes="1.2"),
    ],
)
def test_no_table_prints_so(shares: PrintedShares) -> None:
    assert kappa_range(shares) is None
    assert not could_be("0.5", shares)


@given(st.tuples(*[st.integers(0, 5)] * 4), st.integers(1, 2), st.sets(st.integers(0, 6)))
def test_all_tables_searched(four: tuple[int, ...], decimals: int, shown: set[int]) -> None:
    """The tables of so many items one by one; what is not shown is not printed."""
    n = sum(four)
    if not n:
        return
    names = ["first_yes", "second_yes", "agree", "both_yes", "both_no", "first_only"]
    names.append("second_only")
    figures = {
        name: f"{float(share):.{decimals}f}"
        for at, (name, share) in enumerate(zip(names, shares_of(*four), strict=True))
        if at in shown
    }
    kappas = []
    for yes in range(n + 1):
        for first in range(n + 1 - yes):
            for second in range(n + 1 - yes - first):
                cells = (yes, first, second, n - yes - first - second)
                every = dict(zip(names, shares_of(*cells), strict=True))
                by_chance = (yes + first) * (n - yes - second) + (yes + second) * (n - yes - first)
                fits = all(
                    rounding(text)[0] <= every[name] <= rounding(text)[1]
                    for name, text in figures.items()
                )
                if fits and by_chance:
                    kappas.append(1 - (first + second) * n / by_chance)
    found = kappa_range(PrintedShares(items=n, **figures))
    assert found == (pytest.approx((min(kappas), max(kappas))) if kappas else None)


def shares_of(yes: int, first: int, second: int, no: int) -> list[Fraction]:
    n = yes + first + second + no
    counts = (yes + first, yes + second, yes + no, yes, no, first, second)
    return [Fraction(count, n) for count in counts]


@pytest.mark.parametrize(
    ("text", "low", "high"),
    [
        ("0.942", "0.9415", "0.9425"),
        ("-0.1", "-0.15", "-0.05"),
        ("1", "0.5", "1.5"),
        (".50", "0.495", "0.505"),
    ],
)
def test_rounding(text: str, low: str, high: str) -> None:
    assert rounding(text) == (Fraction(low), Fraction(high))


@pytest.mark.parametrize("text", ["", "-", "0.9e1", "94 %", "nan", "1/2"])
def test_what_is_no_decimal_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"plain decimal such as 0\.379"):
        rounding(text)
