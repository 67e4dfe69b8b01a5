"""τ is a decimal, compared in whole numbers."""

from fractions import Fraction
from math import ceil

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchwright.errors import UsageError
from galleries.tau import Tau, parse_taus


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("0.6", "0.6"),
        ("0.60", "0.6"),  # trailing zeros are dropped
        (".6", "0.6"),  # no leading digit
        (" 0.6 ", "0.6"),  # spaces around
        ("6e-1", "0.6"),  # an exponent is a decimal too
        ("1", "1"),  # the whole set
        ("1.000", "1"),
        ("0.3333", "0.3333"),  # a third, as people write it
        ("0.05", "0.05"),
        ("0.0000001", "0.0000001"),  # never in exponent notation
        ("0.1234567890123456789", "0.1234567890123456789"),  # more digits than a float holds
    ],
)
def test_a_decimal_is_named_by_its_shortest_form(text: str, name: str) -> None:
    tau = Tau.parse(text)
    assert tau.name == name
    assert tau.folder == f"tau-{name}"
    assert Tau.parse(name) == tau


@pytest.mark.parametrize(
    "text",
    [
        "0",  # everything would be similar
        "-0.6",
        "1.01",  # nothing would be
        "60",  # per cent are not meant
        "1e400",
        "nan",
        "sNaN",
        "inf",
        "-inf",
        "",
        "half",
        "0,6",  # a decimal comma is a list of two
        "1/3",
    ],
)
def test_anything_else_is_refused_in_one_line(text: str) -> None:
    with pytest.raises(UsageError) as caught:
        Tau.parse(text)
    assert "--tau" in str(caught.value)
    assert repr(text) in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("text", "size", "needed"),
    [
        ("0.6", 5, 3),  # exactly three, though 0.6 * 5 may round up
        ("0.7", 10, 7),  # 0.7 * 10 is 7.000000000000001 in some orders
        ("0.28", 25, 7),  # 0.28 * 25 is 7.000000000000001 in floating point
        ("0.1", 30, 3),  # 0.1 * 30 too
        ("0.3333", 3, 1),  # a hair under one
        ("0.3334", 3, 2),  # a hair over one
        ("1", 7, 7),  # all of them
        ("0.05", 1, 1),  # at least one shared value, however small τ is
        ("0.6", 0, 0),  # no values, nothing to share
    ],
)
def test_needed_is_exact(text: str, size: int, needed: int) -> None:
    assert Tau.parse(text).needed(size) == needed


@given(st.decimals("0.0001", "1", places=4), st.integers(0, 500))
def test_needed_is_the_ceiling_of_the_product(value: object, size: int) -> None:
    assert Tau.parse(str(value)).needed(size) == ceil(Fraction(str(value)) * size)


@given(st.integers(1, 9999))
def test_the_name_reads_back(ten_thousandths: int) -> None:
    tau = Tau.parse(f"0.{ten_thousandths:04}")
    assert Fraction(tau.name) == Fraction(tau.numerator, tau.denominator)
    assert Fraction(tau.name) == Fraction(ten_thousandths, 10_000)
    assert not tau.name.endswith("0")


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("0.6", ["0.6"]),
        ("0.8,0.3,0.60", ["0.8", "0.3", "0.6"]),  # the order given
        ("0.6, 0.60 ,.6", ["0.6"]),  # each once
    ],
)
def test_a_list_of_taus(text: str, names: list[str]) -> None:
    assert [tau.name for tau in parse_taus(text)] == names


@pytest.mark.parametrize("text", ["", "0.6,", "0.6,,0.8", "0.6;0.8", "0.6,2"])
def test_a_list_with_something_else_is_refused(text: str) -> None:
    with pytest.raises(UsageError):
        parse_taus(text)
