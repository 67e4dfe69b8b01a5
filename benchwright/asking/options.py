"""The options of every command that asks models."""

import functools
import math
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:  # what it imports takes a second, which --help need not wait for
    from benchwright.asking.session import Spending
    from benchwright.asking.voters import Voter

AGAIN = ("refused", "truncated", "rejected")
_MOST_RETRIES = 10

voters_option = click.option(
    "--voters",
    "voters_path",
    type=click.Path(path_type=Path, dir_okay=False),
    required=True,
    help="YAML file that names the models, where they are, what they take and cost.",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Chosen:
    """Which voters the user named: a file, and names within it, none for all."""

    path: Path
    only: tuple[str, ...]

    def voters(self) -> "tuple[Voter, ...]":
        """Return the voters; raises UsageError as ``chosen_voters`` does."""
        from benchwright.asking.voters import chosen_voters  # noqa: PLC0415

        return chosen_voters(self.path, self.only)


def chosen_option(verb: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Add --voters and --only, given as ``chosen``; ``verb`` is what is done to a voter."""
    only = click.option(
        "--only", multiple=True, metavar="NAME", help=f"{verb} this voter alone; repeatable."
    )

    def added(command: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(command)
        def with_chosen(*, voters_path: Path, only: tuple[str, ...], **others: Any) -> Any:
            return command(chosen=Chosen(path=voters_path, only=only), **others)

        return voters_option(only(with_chosen))

    return added


def retries_option(default: int = 2) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Add --max-retries, given as ``max_retries``."""
    return click.option(
        "--max-retries",
        type=click.IntRange(0, _MOST_RETRIES),
        default=default,
        show_default=True,
        help="Further attempts where an answer breaks a rule; each is told what was wrong. One more"
        " than before asks once more for what was given up.",
    )


def once_more(max_retries: int) -> str:
    """Return how what was given up is asked for again: stored answers are never asked anew."""
    if max_retries >= _MOST_RETRIES:
        return "no further attempt can be asked for: name another model"
    return f"--max-retries {max_retries + 1} asks once more"


@dataclass(frozen=True, slots=True, kw_only=True)
class Paying:
    """What the user said of money: only to estimate, to send by batch, where to stop."""

    estimate: bool
    batch: bool
    max_calls: int | None
    max_cost: float | None
    again: tuple[str, ...]

    def spending(self) -> "Spending":
        """Return what a session is opened with."""
        from benchwright.asking.session import Spending  # noqa: PLC0415

        again: Any = frozenset(self.again)
        return Spending(max_calls=self.max_calls, max_cost=self.max_cost, again=again)


def _bounded(context: click.Context, option: click.Parameter, value: float | None) -> float | None:
    """Return a bound; refuse nan, which no sum ever passes, and infinity."""
    if value is not None and not math.isfinite(value):
        raise click.BadParameter(f"{value} bounds nothing; name a sum.", context, option)
    return value


def paying_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add --estimate, --max-calls, --max-cost, --batch and --again, given as ``paying``."""

    @functools.wraps(command)
    def with_paying(
        *,
        estimate: bool,
        batch: bool,
        max_calls: int | None,
        max_cost: float | None,
        again: tuple[str, ...],
        **others: Any,
    ) -> Any:
        paying = Paying(
            estimate=estimate, batch=batch, max_calls=max_calls, max_cost=max_cost, again=again
        )
        return command(paying=paying, **others)

    for option in reversed(_PAYING):
        with_paying = option(with_paying)
    return with_paying


_PAYING: tuple[Callable[[Any], Any], ...] = (
    click.option(
        "--estimate",
        is_flag=True,
        help="Print calls, tokens, price and hours for each voter, and ask nothing.",
    ),
    click.option(
        "--max-calls",
        type=click.IntRange(min=0),
        help="Stop before more calls than this are made.",
    ),
    click.option(
        "--max-cost",
        type=click.FloatRange(min=0),
        callback=_bounded,
        help="Stop before more money than this may be spent, by the prices in the voters' file.",
    ),
    click.option(
        "--batch",
        is_flag=True,
        help="Send the requests by the Batch API and wait; run it again to go on waiting.",
    ),
    click.option(
        "--again",
        type=click.Choice(AGAIN),
        multiple=True,
        help="Ask anew what was refused, truncated or rejected.",
    ),
)
