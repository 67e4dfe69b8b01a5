"""What a run would take before its first call: calls, tokens, money, time, for each voter."""

import math
import statistics
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, TypeVar

from benchwright.asking.money_text import amount_text
from benchwright.asking.questions import RAISE
from benchwright.asking.replies import Usage
from benchwright.asking.requests import Request, cap_of
from benchwright.asking.tokens import Size, money, prompt_tokens
from benchwright.asking.voters import PictureTokens, Voter

ASSUMED_SECONDS = (1.0, 10.0)  # of a call, where no earlier answers tell
_DEMAND = 400  # tokens, at most, that say what does not fit a schema

Range = tuple[float, float]
CallCounts = tuple[int, int, int]  # calls, tokens of prompts, tokens of answers
Kind = Literal[
    "yes_no", "structured", "single", "possible", "possibly_yes_no", "possibly_structured"
]
N = TypeVar("N", int, float)


@dataclass(frozen=True, slots=True, kw_only=True)
class Planned:
    """A request to come: ``sizes`` are width and height of its upright pictures in their order.

    ``is_answered`` says that a usable answer is stored, so that no call is made. ``kind`` says
    how it is asked: as ``ask_yes_no`` or ``ask_structured`` do, which may ask again, as a
    single call, or in one of these ways where it has to be. ``times`` are so many such calls. Of
    those that need not be ``usual`` are made in the middle case, null where none is known.
    """

    request: Request
    sizes: tuple[Size, ...] = ()
    is_answered: bool = False
    kind: Kind = "yes_no"
    times: int = 1
    usual: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ProbedCosts:
    """What the doctor measured: the rule of the tokens of pictures, the seconds of calls.

    The rule is null and the seconds are empty where they are not known.
    """

    rule: PictureTokens | None = None
    seconds: tuple[float, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Estimate:
    """What one voter's part of a run would take; each range is low and high.

    ``calls`` are to be made, ``most_calls`` where every answer is cut, and asked again with more
    room, or does not fit, and is sent back; ``answered`` are stored already. ``looks`` of the
    calls look first whether the voter sees. ``price`` is in ``currency``, both null where the
    file names no price; ``hours`` is null for a batch, which takes as long as the server likes.
    ``seconds`` are those of a call that the hours rest on, ``is_measured`` when earlier answers
    gave them. ``lacks_picture_rule`` says that pictures are counted by the range of known rules,
    ``is_probed`` that the rule or the seconds are what the doctor measured.
    Calls that fail and are repeated are not in it. ``usual_calls`` and ``usual_price`` are those of
    the middle case, null where none is known.
    """

    voter: str
    calls: int
    most_calls: int
    looks: int
    answered: int
    prompt: tuple[int, int]
    completion: tuple[int, int]
    price: Range | None
    currency: str | None
    hours: Range | None
    seconds: Range
    is_measured: bool
    lacks_picture_rule: bool
    is_batch: bool
    is_probed: bool = False
    usual_calls: int | None = None
    usual_price: float | None = None


def estimate(
    voter: Voter,
    calls: Iterable[Planned],
    seconds: Sequence[float] = (),
    *,
    batch: bool = False,
    looks: Iterable[Planned] = (),
    probed: ProbedCosts | None = None,
) -> Estimate:
    """Return what planned calls of a voter would take; they are read once and not held.

    ``seconds`` are what earlier calls of the voter took. An answer takes from 1 token to its cap,
    and the high side has room for asking again; in the middle case it takes the geometric mean of
    both. ``looks`` are never part of a batch. What was
    ``probed`` stands for what neither the voters' file nor earlier calls tell.

    Raises UsageError when a view shows nothing of its picture.
    """
    probed = probed or ProbedCosts()
    takes_rule = voter.picture_tokens is None and probed.rule is not None
    takes_seconds = not seconds and bool(probed.seconds)
    if takes_rule:
        voter = voter.model_copy(update={"picture_tokens": probed.rule})
    if takes_seconds:
        seconds = probed.seconds
    asked, looked = _summed(voter, calls), _summed(voter, looks)
    least = _added(asked.least, looked.least)
    most = _added(asked.most, looked.most)
    measured = _measured(seconds)
    call = measured or ASSUMED_SECONDS
    return Estimate(
        voter=voter.name,
        calls=least[0],
        most_calls=most[0],
        looks=looked.least[0],
        answered=asked.answered,
        prompt=(least[1], most[1]),
        completion=(least[2], most[2]),
        price=_price_range(voter, asked, looked, batch=batch),
        currency=voter.price.currency if voter.price else None,
        hours=None if batch else (_hours(voter, least, call[0]), _hours(voter, most, call[1])),
        seconds=call,
        is_measured=measured is not None,
        lacks_picture_rule=asked.pictures + looked.pictures > 0 and voter.picture_tokens is None,
        is_batch=batch,
        is_probed=takes_rule or takes_seconds,
        usual_calls=asked.usual[0] + looked.usual[0] if asked.has_middle else None,
        usual_price=(
            _price(voter, asked.usual, looked.usual, batch=batch) if asked.has_middle else None
        ),
    )


@dataclass(slots=True)
class _Sums:
    least: CallCounts = (0, 0, 0)
    usual: CallCounts = (0, 0, 0)
    most: CallCounts = (0, 0, 0)
    answered: int = 0
    pictures: int = 0
    has_middle: bool = False


def _summed(voter: Voter, calls: Iterable[Planned]) -> _Sums:
    sums = _Sums()
    for planned in calls:
        if planned.is_answered:
            sums.answered += planned.times
            continue
        least, usual, most = _bounds(voter, planned)
        sums.least = _added(sums.least, least, planned.times)
        sums.usual = _added(sums.usual, usual, planned.times if least[0] else planned.usual or 0)
        sums.most = _added(sums.most, most, planned.times)
        sums.pictures += planned.times * len(planned.sizes)
        sums.has_middle |= planned.usual is not None
    return sums


def _bounds(voter: Voter, planned: Planned) -> tuple[CallCounts, CallCounts, CallCounts]:
    """Return what one such call takes at least, in the middle and at most."""
    low, high = prompt_tokens(planned.request, voter, planned.sizes)
    cap = cap_of(planned.request, voter)
    raised = RAISE * cap
    once = (1, low, 1)
    never = (0, 0, 0)
    usual = (1, (low + high) // 2, round(math.sqrt(cap)))
    again = (2, 2 * high, cap + raised)
    # cut, then wrong, and sent back with what was wrong
    structured = (3, 3 * high + raised + _DEMAND, cap + 2 * raised)
    match planned.kind:
        case "single":
            return once, usual, (1, high, cap)
        case "possible":
            return never, usual, (1, high, cap)
        case "yes_no":
            return once, usual, again
        case "possibly_yes_no":
            return never, usual, again
        case "structured":
            return once, usual, structured
        case "possibly_structured":
            return never, usual, structured


def _added(one: CallCounts, other: CallCounts, times: int = 1) -> CallCounts:
    return one[0] + times * other[0], one[1] + times * other[1], one[2] + times * other[2]


def _price_range(voter: Voter, asked: _Sums, looked: _Sums, *, batch: bool) -> Range | None:
    least = _price(voter, asked.least, looked.least, batch=batch)
    most = _price(voter, asked.most, looked.most, batch=batch)
    return None if least is None or most is None else (least, most)


def _price(voter: Voter, asked: CallCounts, looked: CallCounts, *, batch: bool) -> float | None:
    """Return what calls and looks cost, which are never part of a batch; null without a price."""
    price = voter.price
    if price is None:
        return None
    of_calls, of_looks = (
        money(Usage(prompt=counts[1], completion=counts[2]), price, batch=share)
        for counts, share in ((asked, batch), (looked, False))
    )
    return of_calls + of_looks


def _measured(seconds: Sequence[float]) -> Range | None:
    """Return the middle half of the seconds, widened to the mean, which slow calls pull up."""
    known = [each for each in seconds if math.isfinite(each) and each > 0]
    if len(known) < 2:
        return (known[0], known[0]) if known else None
    first, _, third = statistics.quantiles(known, n=4, method="inclusive")
    mean = statistics.fmean(known)
    return min(first, mean), max(third, mean)


def _hours(voter: Voter, counts: CallCounts, seconds: float) -> float:
    """Return the hours that the tightest of concurrency, requests and tokens a minute leaves."""
    calls, tokens = counts[0], counts[1] + counts[2]
    needed = max(
        math.ceil(calls / voter.concurrency) * seconds,
        60 * calls / voter.requests_per_minute if voter.requests_per_minute else 0.0,
        60 * tokens / voter.tokens_per_minute if voter.tokens_per_minute else 0.0,
    )
    return needed / 3600


_HEADS = ("voter", "calls", "answered", "prompt tokens", "answer tokens", "price", "time")


def estimate_lines(estimates: Sequence[Estimate], middle: str | None = None) -> list[str]:
    """Return a table for people: a row a voter, a total of several, and what is assumed.

    ``middle`` says what the middle case is, where there is one.
    """
    rows = [_HEADS, *map(_row, estimates)]
    if len(estimates) > 1:
        rows.append(_total(estimates))
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = []
    for name, *cells in rows:
        right = [cell.rjust(width) for cell, width in zip(cells, widths[1:], strict=True)]
        lines.append("  ".join([name.ljust(widths[0]), *right]).rstrip())
    usual = () if middle is None else _usual(estimates, middle)
    return [*lines, *usual, *_notes(estimates)]


def _row(one: Estimate) -> tuple[str, ...]:
    money_range = (
        "unknown" if one.price is None else f"{one.currency} {_range(one.price, amount_text)}"
    )
    return (
        one.voter,
        _calls_text([one]),
        f"{one.answered:,}",
        _range(one.prompt, _count),
        _range(one.completion, _count),
        money_range,
        "batch" if one.hours is None else _range(one.hours, _time),
    )


def _total(estimates: Sequence[Estimate]) -> tuple[str, ...]:
    hours = [one.hours for one in estimates if one.hours is not None]
    longest = (max(low for low, _ in hours), max(high for _, high in hours)) if hours else None
    return (
        "total",
        _calls_text(estimates),
        f"{sum(one.answered for one in estimates):,}",
        _range(_sum(one.prompt for one in estimates), _count),
        _range(_sum(one.completion for one in estimates), _count),
        _prices_text((one.currency, one.price) for one in estimates),
        "batch" if longest is None else _range(longest, _time),
    )


def _calls_text(estimates: Sequence[Estimate]) -> str:
    """Return the calls to be made; a range where some of them need not be."""
    least = sum(one.calls for one in estimates)
    if all(one.usual_calls is None for one in estimates):
        return _exact(least)
    return _range((least, sum(one.most_calls for one in estimates)), _exact)


def _prices_text(prices: Iterable[tuple[str | None, Range | None]]) -> str:
    """Return sums of prices, each with its currency: those of several are never added."""
    sums: dict[str, Range] = {}
    unknown: list[str] = []
    for currency, price in prices:
        if price is None or currency is None:
            unknown = ["unknown"]
            continue
        low, high = sums.get(currency, (0.0, 0.0))
        sums[currency] = low + price[0], high + price[1]
    known = [f"{currency} {_range(price, amount_text)}" for currency, price in sorted(sums.items())]
    return " + ".join([*known, *unknown])


def _usual(estimates: Sequence[Estimate], middle: str) -> Iterator[str]:
    """Yield the calls and the price of the middle case, where there is one."""
    found = [one for one in estimates if one.usual_calls is not None]
    if not found:
        return
    calls = [(one.voter, one.usual_calls or 0) for one in found]
    each = f" ({', '.join(f'{name} {count:,}' for name, count in calls)})" if len(calls) > 1 else ""
    prices = _prices_text(
        (one.currency, None if one.usual_price is None else (one.usual_price,) * 2) for one in found
    )
    yield f"In the middle, {middle}: {sum(c for _, c in calls):,} calls{each}, price {prices}."


def _sum(ranges: Iterable[tuple[int, int]]) -> tuple[int, int]:
    lows, highs = zip(*ranges, strict=True)
    return sum(lows), sum(highs)


def _notes(estimates: Sequence[Estimate]) -> Iterator[str]:
    most = sum(one.most_calls for one in estimates)
    yield (
        "Assumed: text is counted without the models' tokenizers; an answer takes 1 token up to"
        f" its cap, at worst is cut and asked again with {RAISE} times the cap, and where it is to"
        f" have a form is sent back once more: at most {most:,} calls in all; calls that fail and"
        " are repeated are not counted."
    )
    if looked := _named(one for one in estimates if one.looks):
        yield f"Included: a few calls that look first whether a voter sees pictures ({looked})."
    timed = [one for one in estimates if one.hours is not None]
    if guessed := _named(one for one in timed if not one.is_measured):
        low, high = ASSUMED_SECONDS
        yield f"Assumed: {low:g} to {high:g} seconds a call, without earlier answers ({guessed})."
    measured = [f"{one.voter} {_range(one.seconds, _seconds)}" for one in timed if one.is_measured]
    if measured:
        yield f"Measured: seconds a call: {', '.join(measured)}."
    if probed := _named(one for one in estimates if one.is_probed):
        yield f"Taken from benchwright doctor: tokens of pictures, or seconds ({probed})."
    if ruleless := _named(one for one in estimates if one.lacks_picture_rule):
        yield (
            "Assumed: pictures count as in one of the usual families of models, and some count"
            f" more; name picture_tokens in the voters' file ({ruleless})."
        )
    if unpriced := _named(one for one in estimates if one.price is None):
        yield f"Unknown: the price; the voters' file names none ({unpriced})."
    if batched := _named(one for one in estimates if one.is_batch):
        yield f"Unknown: the time of a batch, which is up to the server ({batched})."
    if len(timed) > 1:
        yield "The total of the time is the longest, since the voters work side by side."


def _named(estimates: Iterable[Estimate]) -> str:
    return ", ".join(one.voter for one in estimates)


def _range(pair: Sequence[N], shown: Callable[[N], str]) -> str:
    low, high = map(shown, pair)
    return low if low == high else f"{low} to {high}"


def _count(number: float) -> str:
    if number < 10_000:
        return f"{number:,.0f}"
    if number < 999_500:
        return f"{number / 1e3:.0f}k"
    return f"{number / 1e6:,.1f}M" if number < 999_950_000 else f"{number / 1e9:,.1f}B"


def _exact(number: float) -> str:
    return f"{number:,.0f}"


def _seconds(seconds: float) -> str:
    digits = 1 if seconds >= 1 else 2 if seconds >= 0.1 else 3
    return f"{seconds:.{digits}f}"


def _time(hours: float) -> str:
    seconds = hours * 3600
    if seconds < 90:
        return "under 1 s" if 0 < seconds < 1 else f"{seconds:.0f} s"
    if seconds < 90 * 60:
        return f"{seconds / 60:.0f} min"
    return f"{hours:,.1f} h" if hours < 48 else f"{hours / 24:,.1f} days"
