"""What a run would take: reckoned by hand, streamed, honest about what is assumed."""

import tracemalloc
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchwright.asking.estimates import (
    Estimate,
    Planned,
    ProbedCosts,
    estimate,
    estimate_lines,
)
from benchwright.asking.requests import PicturePart, Request, View
from benchwright.asking.voters import PictureTokens, Price, Voter
from benchwright.errors import UsageError

PART = PicturePart(sha256="0" * 64, path=Path("nowhere.png"))
ASK = Request.of(PART, "Is it red?", max_tokens=16)  # 7 to 52 tokens and the picture
FIXED = PictureTokens(fixed=93)  # 100 to 145 with the text


def voter(**settings: object) -> Voter:
    given_ = {"name": "a", "model": "m", "base_url": "http://localhost:1/v1"} | settings
    return Voter(**{"picture_tokens": FIXED} | given_)


def plan(count: int, answered: int = 0, request: Request = ASK) -> Iterator[Planned]:
    for number in range(count):
        yield Planned(request=request, sizes=((640, 480),), is_answered=number < answered)


def test_calls_and_tokens():
    found = estimate(voter(), plan(10, answered=3))
    assert (found.voter, found.calls, found.answered) == ("a", 7, 3)
    # at worst each is cut and asked once more: 2 prompts, 16 tokens and 64
    assert found.most_calls == 14
    assert (found.prompt, found.completion) == ((700, 2030), (7, 560))
    assert (found.price, found.currency) == (None, None)
    assert not found.lacks_picture_rule
    assert not found.is_batch


def test_nothing_to_do():
    for calls in ([], list(plan(4, answered=4))):
        found = estimate(voter(price=Price(input=1, output=1)), calls)
        assert (found.calls, found.prompt, found.completion) == (0, (0, 0), (0, 0))
        assert (found.price, found.hours) == ((0.0, 0.0), (0.0, 0.0))


@pytest.mark.parametrize(
    ("kind", "calls", "prompt", "completion"),
    [
        ("yes_no", (1, 2), (100, 290), (1, 80)),  # cut, and asked with 4 times the cap
        # cut, then wrong, then sent back: three prompts, the answer in the last, and a demand
        ("structured", (1, 3), (100, 3 * 145 + 64 + 400), (1, 16 + 64 + 64)),
        ("single", (1, 1), (100, 145), (1, 16)),
        ("possible", (0, 1), (0, 145), (0, 16)),
        ("possibly_yes_no", (0, 2), (0, 290), (0, 80)),
        ("possibly_structured", (0, 3), (0, 3 * 145 + 64 + 400), (0, 16 + 64 + 64)),
    ],
)
def test_what_asking_again_takes(kind, calls, prompt, completion):
    found = estimate(voter(), [Planned(request=ASK, sizes=((640, 480),), kind=kind)])
    assert (found.calls, found.most_calls) == calls
    assert (found.prompt, found.completion) == (prompt, completion)


@pytest.mark.parametrize("kind", ["single", "yes_no", "possibly_yes_no", "possibly_structured"])
def test_calls_that_are_alike_are_counted_as_so_many(kind):
    alike = Planned(request=ASK, sizes=((640, 480),), kind=kind, usual=1)
    found = estimate(voter(), [replace(alike, times=5, usual=3)])
    apart = estimate(voter(), [replace(alike, usual=int(at < 3)) for at in range(5)])
    assert found == apart


def test_the_middle_case_lies_between():
    price = Price(input=1_000_000, output=1_000_000)
    must = Planned(request=ASK, sizes=((640, 480),), kind="single")
    may = Planned(request=ASK, sizes=((640, 480),), kind="possible", times=10, usual=3)
    found = estimate(voter(price=price), [must, may])
    assert (found.calls, found.usual_calls, found.most_calls) == (1, 4, 11)
    # of each 100 to 145 tokens and 1 to 16: 122 and 4
    assert found.usual_price == pytest.approx(4 * (122 + 4))
    assert estimate(voter(price=price), [must]).usual_calls is None  # nobody knows of one


def test_the_middle_case_is_said():
    known = {"usual_calls": 1_500, "usual_price": 1.5}
    rows = [row("a", **known), row("b", **known, currency="EUR"), row("c", usual_calls=1)]
    said = (
        "In the middle, as greedy: 3,001 calls (a 1,500, b 1,500, c 1), price EUR 1.50 + USD 1.50"
        " + unknown."
    )
    assert said in estimate_lines(rows, "as greedy")
    assert "In the middle, as greedy: 1,500 calls, price USD 1.50." in (
        estimate_lines(rows[:1], "as greedy")
    )
    for told in (estimate_lines(rows), estimate_lines([row()], "as greedy")):
        assert not any(line.startswith("In the middle") for line in told)


def test_what_was_probed_stands_for_what_is_not_known():
    probed = ProbedCosts(rule=PictureTokens(fixed=1000), seconds=(2.0,))
    one = [Planned(request=ASK, sizes=((640, 480),))]
    bare = voter(picture_tokens=None)
    found = estimate(bare, one, probed=probed)
    assert found.prompt[0] > 1000
    assert (found.seconds, found.is_measured, found.is_probed) == ((2.0, 2.0), True, True)
    assert not found.lacks_picture_rule
    named = voter(picture_tokens=PictureTokens(fixed=5))  # the file and earlier answers win
    own = estimate(named, one, (7.0,), probed=probed)
    assert (own.prompt[0] < 100, own.seconds, own.is_probed) == (True, (7.0, 7.0), False)


def test_looks_are_paid_in_full():
    price = Price(input=0, output=1_000_000, batch=0.5)
    look = Planned(request=ASK, sizes=((640, 480),), kind="single")
    found = estimate(voter(price=price), plan(1), batch=True, looks=[look])
    assert (found.calls, found.most_calls, found.looks) == (2, 3, 1)
    assert found.price == (0.5 + 1, 40 + 16)
    assert "Included: a few calls that look first whether a voter sees pictures (a)." in (
        estimate_lines([found])
    )


@pytest.mark.parametrize(
    ("settings", "right"),
    [
        ({}, 16 + 64),
        ({"max_tokens": 500}, 500 + 2000),  # a voter that reasons first
        ({"max_tokens": 4}, 16 + 64),  # only ever raises
        ({"cap": "max_completion_tokens"}, 16 + 64),
    ],
)
def test_an_answer_takes_one_token_to_its_cap_and_more(settings, right):
    assert estimate(voter(**settings), plan(1)).completion == (1, right)


@pytest.mark.parametrize(
    ("batch", "right"),
    [
        # 1,000 tokens and 10 times 1; 2,900 and 10 times 80; for 1 and 10 euros a million
        (False, (0.0011, 0.0109)),
        (True, (0.00055, 0.00545)),
    ],
)
def test_price(batch, right):
    price = Price(input=1, output=10, currency="EUR")
    found = estimate(voter(price=price), plan(10), batch=batch)
    assert found.price == pytest.approx(right)
    assert found.currency == "EUR"


@pytest.mark.parametrize(
    ("settings", "seconds", "right"),
    [
        # 100 calls, 8 at once: 13 rounds of 1 second, or 200 calls in 25 rounds of 10
        ({}, (), (13, 250)),
        ({"concurrency": 1}, (), (100, 2000)),
        ({"concurrency": 1000}, (), (1, 10)),  # never less than one call
        ({}, (2.0,), (26, 50)),  # measured once
        # quartiles 2 and 4 of 1 to 5
        ({}, (1, 2, 3, 4, 5), (26, 100)),
        # the mean, 21.6, is over the third quartile: slow calls count
        ({}, (1, 2, 3, 2, 100), (26, 25 * 21.6)),
        ({}, (float("nan"), float("inf"), -1, 0), (13, 250)),  # nothing that was measured
        # 20 a minute: 5 minutes, or 10, whatever the server could
        ({"requests_per_minute": 20}, (1.0,), (300, 600)),
        ({"requests_per_minute": 100_000}, (1.0,), (13, 25)),
        # 10,000 + 100 to 29,000 + 8,000 tokens at 1,000 a minute
        ({"tokens_per_minute": 1000}, (1.0,), (606, 2220)),
    ],
)
def test_hours(settings, seconds, right):
    found = estimate(voter(**settings), plan(100), seconds)
    assert found.hours == pytest.approx((right[0] / 3600, right[1] / 3600))


def test_a_batch_has_no_hours():
    assert estimate(voter(), plan(3), batch=True).hours is None


def test_a_missing_rule_is_said_where_there_are_pictures():
    plain = voter(picture_tokens=None)
    assert estimate(plain, plan(1)).lacks_picture_rule
    assert not estimate(plain, plan(1, answered=1)).lacks_picture_rule
    text = Planned(request=Request.of("Is it red?", max_tokens=1))
    assert not estimate(plain, [text]).lacks_picture_rule


def test_a_view_of_nothing_is_said():
    part = PicturePart(sha256="0" * 64, path=Path("x"), view=View(crop=(900, 900, 5, 5)))
    with pytest.raises(UsageError, match="crop of a view"):
        estimate(voter(), plan(1, request=Request.of(part, max_tokens=1)))


def test_plans_are_not_held():
    estimate(voter(), plan(10))  # what is made once
    tracemalloc.start()
    try:
        found = estimate(voter(), plan(20_000))
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert found.calls == 20_000
    assert peak < 200_000  # bytes; a list of so many plans takes millions


@given(st.integers(0, 60), st.integers(0, 60), st.booleans(), st.integers(1, 9))
def test_ranges_are_in_order(count, answered, batch, concurrency):
    asked = voter(concurrency=concurrency, picture_tokens=None, price=Price(input=3, output=7))
    found = estimate(asked, plan(count, answered), batch=batch)
    assert found.calls + found.answered == count
    for pair in (found.prompt, found.completion, found.price, found.hours or (0, 0)):
        assert 0 <= pair[0] <= pair[1]
    assert estimate_lines([found])


def row(name: str = "a", **changed: object) -> Estimate:
    plain = {
        "calls": 12_000,
        "most_calls": 24_000,
        "looks": 0,
        "answered": 0,
        "prompt": (3_060_000, 3_440_000),
        "completion": (12_000, 192_000),
        "price": (1.2, 4.8),
        "currency": "USD",
        "hours": (0.5, 2.1),
        "seconds": (1.0, 10.0),
        "is_measured": True,
        "lacks_picture_rule": False,
        "is_batch": False,
    }
    return Estimate(voter=name, **plain | changed)


TABLE = """\
voter      calls  answered  prompt tokens  answer tokens                       price             time
qwen          12         0   3.1M to 3.4M    12k to 192k                     unknown  30 min to 2.1 h
gpt-4o   1 to 24       500   3.1M to 3.4M    12k to 192k            USD 1.20 to 4.80  30 min to 2.1 h
total   13 to 36       500   6.1M to 6.9M    24k to 384k  USD 1.20 to 4.80 + unknown  30 min to 2.1 h
"""  # noqa: E501


def test_the_table():
    qwen = row("qwen", calls=12, most_calls=12, price=None, currency=None)
    # a range where some need not be made; else the most of them stand below
    lines = estimate_lines(
        [qwen, row("gpt-4o", calls=1, most_calls=24, usual_calls=9, answered=500)]
    )
    assert "".join(f"{line}\n" for line in lines[:4]) == TABLE


def test_one_voter_has_no_total():
    lines = estimate_lines([row()])
    assert [line.split()[0] for line in lines[:3]] == ["voter", "a", "Assumed:"]


@pytest.mark.parametrize(
    ("changed", "column", "right"),
    [
        ({"price": (0.0, 0.0)}, 5, "USD 0"),
        ({"price": (0.00042, 0.0042)}, 5, "USD 0.00042 to 0.0042"),  # two digits of small sums
        ({"price": (0.01, 99.999)}, 5, "USD 0.01 to 100.00"),
        ({"price": (1234.5, 1_234_567.0)}, 5, "USD 1,234 to 1,234,567"),
        ({"price": (1.2, 1.2), "currency": "CNY"}, 5, "CNY 1.20"),  # one number is no range
        ({"prompt": (0, 9_999)}, 3, "0 to 9,999"),
        ({"prompt": (10_000, 999_499)}, 3, "10k to 999k"),
        ({"prompt": (999_500, 999_949_999)}, 3, "1.0M to 999.9M"),
        ({"prompt": (999_950_000, 12_340_000_000)}, 3, "1.0B to 12.3B"),
        ({"hours": (0.0, 0.0001)}, 6, "0 s to under 1 s"),
        ({"hours": (0.02, 0.03)}, 6, "72 s to 2 min"),
        ({"hours": (1.6, 47.9)}, 6, "1.6 h to 47.9 h"),
        ({"hours": (48.0, 24_000.0)}, 6, "2.0 days to 1,000.0 days"),
        ({"hours": None, "is_batch": True}, 6, "batch"),
    ],
)
def test_numbers_are_readable(changed, column, right):
    heads, cells = estimate_lines([row(**changed)])[:2]
    names = ["voter", "calls", "answered", "prompt tokens", "answer tokens", "price", "time"]
    end = heads.index(names[column]) + len(names[column])
    start = 0 if column == 0 else heads.index(names[column - 1]) + len(names[column - 1])
    assert cells[start:end].strip() == right


def test_currencies_are_never_added():
    rows = [
        row("a"),
        row("b", currency="EUR", price=(0.5, 1.0)),
        row("c", price=(1.0, 1.0)),
    ]
    total = estimate_lines(rows)[4]
    assert "EUR 0.50 to 1.00 + USD 2.20 to 5.80" in total


def test_the_total_time_is_the_longest():
    lines = estimate_lines([row("a", hours=(2.0, 3.0)), row("b", hours=(1.0, 9.0))])
    assert lines[3].endswith("2.0 h to 9.0 h")
    assert lines[-1].startswith("The total of the time is the longest")


@pytest.mark.parametrize(
    ("changed", "right"),
    [
        ({"most_calls": 12_345}, "sent back once more: at most 36,345 calls in all;"),
        ({"looks": 6}, "Included: a few calls that look first whether a voter sees pictures (a)."),
        ({"is_measured": False}, "Assumed: 1 to 10 seconds a call, without earlier answers (a)."),
        ({"seconds": (0.42, 1.26)}, "Measured: seconds a call: a 0.42 to 1.3, b 1.0 to 10.0."),
        ({"seconds": (0.01, 0.01)}, "Measured: seconds a call: a 0.010, b 1.0 to 10.0."),
        ({"is_probed": True}, "Taken from benchwright doctor: tokens of pictures, or seconds (a)."),
        ({"lacks_picture_rule": True}, "name picture_tokens in the voters' file (a)."),
        ({"price": None}, "Unknown: the price; the voters' file names none (a)."),
        ({"hours": None, "is_batch": True}, "Unknown: the time of a batch"),
    ],
)
def test_what_is_assumed_is_said(changed, right):
    quiet = "\n".join(estimate_lines([row("b")]))
    assert right not in quiet
    assert right in "\n".join(estimate_lines([row(**changed), row("b")]))


def test_nobody_to_ask():
    assert len(estimate_lines([])) == 2
