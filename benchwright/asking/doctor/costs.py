"""What probing a voter may cost, before it begins."""

from collections.abc import Iterable, Sequence

from benchwright.asking.doctor import amounts, promises, speaking
from benchwright.asking.eyesight import sight
from benchwright.asking.money_text import amount_text
from benchwright.asking.replies import Usage
from benchwright.asking.tokens import money, picture_tokens
from benchwright.asking.voters import Voter

Range = tuple[float, float]

_WORDS = (10, 120)  # tokens of the text of a probe, with what a chat template adds


def price_range(voter: Voter, usual_calls: int, most_calls: int) -> Range | None:
    """Return the least and the most money for probing a voter that answers, null without a price.

    The least is that of ``usual_calls`` answered with a word, the most that of ``most_calls``
    answered at full length.
    """
    if voter.price is None:
        return None
    low = Usage(prompt=usual_calls * _WORDS[0] + _fewest_of_pictures(voter), completion=usual_calls)
    caps = sum(count * voter.cap_for(cap) for count, cap in _caps())
    high = Usage(prompt=most_calls * _WORDS[1] + _most_of_pictures(voter), completion=caps)
    return money(low, voter.price), money(high, voter.price)


def price_text(voters: Sequence[Voter], usual_calls: int, most_calls: int) -> str:
    """Return the money for probing these voters by currency, empty where no price is named."""
    sums: dict[str, Range] = {}
    for voter in voters:
        found = price_range(voter, usual_calls, most_calls)
        if found is not None and voter.price is not None:
            low, high = sums.get(voter.price.currency, (0.0, 0.0))
            sums[voter.price.currency] = low + found[0], high + found[1]
    return " + ".join(
        f"{name} {amount_text(low)} to {amount_text(high)}"
        for name, (low, high) in sorted(sums.items())
    )


def _caps() -> Iterable[tuple[int, int]]:
    """Yield how many calls at most have which cap."""
    yield speaking.MOST_GREETINGS, speaking.ROOM
    yield speaking.MOST_CAPS, speaking.ROOM  # a cap that is ignored bounds nothing
    yield sight.MOST_CALLS, sight.ROOM_TO_REASON
    pictured = amounts.MOST_AT_ONCE + amounts.MOST_SIZES + promises.AT_ONCE
    yield pictured, sight.ROOM
    yield promises.MOST_STRUCTURED + promises.MOST_LOGPROBS, promises.ROOM
    yield promises.REPEATS, promises.LONGEST


def _fewest_of_pictures(voter: Voter) -> int:
    def low(side: int) -> int:
        return picture_tokens(side, side, voter.picture_tokens)[0]

    # the colours of a sight that is clear, then pictures at once up to the bound or the file's own
    most = min(voter.pictures.at_once or amounts.BOUND, amounts.BOUND)
    return (sight.PICTURES + promises.AT_ONCE) * low(sight.SIDE) + most * low(amounts.SMALL_SIDE)


def _most_of_pictures(voter: Voter) -> int:
    def high(side: int) -> int:
        return picture_tokens(side, side, voter.picture_tokens)[1]

    at_once = amounts.MOST_AT_ONCE * min(voter.pictures.at_once or amounts.BOUND, amounts.BOUND)
    return (
        (sight.MOST_CALLS + promises.AT_ONCE) * high(sight.SIDE)
        + at_once * high(amounts.SMALL_SIDE)
        + amounts.MOST_SIZES * amounts.DEAR
    )
