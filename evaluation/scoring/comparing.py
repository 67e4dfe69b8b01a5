"""Two runs on the same episodes: what the first has more than the second, draws paired."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from benchwright.errors import UsageError
from benchwright.plain_text import counted
from evaluation.hidden_target.metrics.score import Score
from evaluation.scoring.figures import Figure, Key, by_key, differences, figures
from evaluation.scoring.played import Played
from evaluation.scoring.spelling import interval, number, points, share, spoken

SHARES = (
    "overall",
    "verified",
    "random_guess",
    "contradicted",
    "incorrect",
    "skip_rate",
    "premature",
)
NUMBERS = ("turns",)
_CONDITIONS = ("detector", "oracle", "verifier", "rules", "noise", "seed")


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """Figures of two runs on the episodes that both have, and first minus second."""

    first: Sequence[Figure]
    second: Sequence[Figure]
    differences: Sequence[Figure]
    episodes: int


def compare(first: Score, second: Score, seed: int, *, is_partial: bool) -> Comparison:
    """Compare two runs of one config of one release.

    Raises UsageError where they have other episodes and not ``is_partial``, or none in common.
    """
    both = sorted(first.amounts.keys() & second.amounts.keys())
    alone = len(first.amounts.keys() ^ second.amounts.keys())
    if not both or (alone and not is_partial):
        raise UsageError(
            f"the runs have {counted(len(both), 'episode')} in common, and {alone:,} that only one"
            " of them has; compare runs of the same episodes, or those in common with --partial"
        )
    one, other = ([score.amounts[name] for name in both] for score in (first, second))
    targets = [first.targets[name] for name in both]
    return Comparison(
        first=figures(one, targets, seed),
        second=figures(other, targets, seed),
        differences=differences(one, other, targets, seed),
        episodes=len(both),
    )


def other_conditions(first: Played, second: Played) -> list[str]:
    """Return the settings in which two runs differ that have nothing to do with who plays.

    Of a run made elsewhere none is known.
    """
    if first.settings is None or second.settings is None:
        return []
    one, other = ({**(played.settings or {}), "seed": played.seed} for played in (first, second))
    return [name for name in _CONDITIONS if one.get(name) != other.get(name)]


def comparison_lines(found: Comparison) -> Iterator[str]:
    """Yield a line for each figure: of the first run, of the second, the difference."""
    first, second, less = map(by_key, (found.first, found.second, found.differences))
    yield f"{'':20}{'first':>9}{'second':>9}{'difference':>13}   95 % interval"
    for name in (*SHARES, *NUMBERS):
        key, is_share = Key(name), name in SHARES
        difference, spell = less[key], share if is_share else number
        more = points if is_share else number
        if difference.value is not None:
            sign = "+" if difference.value > 0 else ""
            yield (
                f"{spoken(name):20}{spell(first[key].value):>9}{spell(second[key].value):>9}"
                f"{sign + more(difference.value):>13}   {interval(difference, more)}"
            )
