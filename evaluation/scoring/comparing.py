"""Two runs on the same items: what the first has more than the second, draws paired."""

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass

from benchwright.errors import UsageError
from benchwright.plain_text import counted
from evaluation.scoring.conditions import other_conditions
from evaluation.scoring.figures import Figure, Key, by_key, differences, figures
from evaluation.scoring.protocol import Compared
from evaluation.scoring.score_rows import json_bytes
from evaluation.scoring.scored import Scored
from evaluation.scoring.spelling import interval, number, points, share, spoken

_COMPARISON = "comparison.json"
_NARROWEST = 20  # columns for the names of figures


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """Figures of two runs on the items that both have, and first minus second."""

    first: Sequence[Figure]
    second: Sequence[Figure]
    differences: Sequence[Figure]
    items: int


def compare(first: Scored, second: Scored, seed: int, *, is_partial: bool) -> Comparison:
    """Compare two runs of one config of one release.

    Raises UsageError where they have other items and not ``is_partial``, or none in common.
    """
    one, other = first.tally, second.tally
    both = sorted(one.items.keys() & other.items.keys())
    alone = len(one.items.keys() ^ other.items.keys())
    if not both or (alone and not is_partial):
        noun = first.scoring.noun
        raise UsageError(
            f"the runs have {counted(len(both), noun)} in common, and {alone:,} that only one of"
            f" them has; compare runs of the same {noun}s, or those in common with --partial"
        )
    one, other = one.of_items(both), other.of_items(both)
    amounts = [[tally.items[name].amounts for name in both] for tally in (one, other)]
    pictures = [one.items[name].picture for name in both]
    return Comparison(
        first=figures(amounts[0], pictures, seed, one.derived),
        second=figures(amounts[1], pictures, seed, other.derived),
        differences=differences(
            amounts[0], amounts[1], pictures, seed, (one.derived, other.derived)
        ),
        items=len(both),
    )


def common_line(first: Scored, second: Scored, found: Comparison) -> str:
    """Return on how many items two runs are compared, and of how many that were planned."""
    planned = sorted({first.tally.planned, second.tally.planned})
    common = f"on {counted(found.items, first.scoring.noun)}"
    if planned == [found.items]:
        return common
    return f"{common} in common, of {' and '.join(f'{number:,}' for number in planned)} planned"


def comparison_files(first: Scored, second: Scored, found: Comparison) -> dict[str, bytes]:
    """Return the file of a comparison by its name: each figure of both, and the difference."""
    one, other = by_key(found.first), by_key(found.second)
    whole = {
        **asdict(first.on),
        "items": {"noun": first.scoring.noun, "compared": found.items},
        "other_conditions": other_conditions(first, second),
        "rows": [
            {
                **figure.key._asdict(),
                "first": one[figure.key].value,
                "second": other[figure.key].value,
                "difference": figure.value,
                "low": figure.low,
                "high": figure.high,
                "n": figure.n,
            }
            for figure in found.differences
        ],
    }
    for name, each in (("first", first), ("second", second)):
        who = each.tally.identity
        whole[name] = {"run": who.name, "player": who.player, "planned": each.tally.planned}
    return {_COMPARISON: json_bytes(whole)}


def comparison_lines(found: Comparison, compared: Sequence[Compared]) -> Iterator[str]:
    """Yield a line for each figure: of the first run, of the second, the difference."""
    first, second, less = map(by_key, (found.first, found.second, found.differences))
    there = [each for each in compared if each.key in less and less[each.key].value is not None]
    wide = max([_NARROWEST, *(len(_named(each.key)) + 1 for each in there)])
    yield f"{'':{wide}}{'first':>9}{'second':>9}{'difference':>13}   95 % interval"
    for each in there:
        difference = less[each.key]
        spell, more = (share, points) if each.is_share else (number, number)
        sign = "+" if (difference.value or 0) > 0 else ""
        yield (
            f"{_named(each.key):{wide}}{spell(first[each.key].value):>9}"
            f"{spell(second[each.key].value):>9}{sign + more(difference.value):>13}"
            f"   {interval(difference, more)}"
        )


def _named(key: Key) -> str:
    name = spoken(key.metric)
    return name if key.by == "all" else f"{name}, {spoken(key.by)} {spoken(key.of)}"
