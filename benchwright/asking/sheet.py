"""Answers side by side, as people read them in a terminal."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from benchwright.asking.ask import Asking, Pair
from benchwright.asking.estimates import amount_text
from benchwright.asking.questions import Answered
from benchwright.asking.tokens import money

_SAID = 60  # characters of an answer that are shown
_HEADS = ("voter", "answer", "status", "p_yes", "tokens", "seconds", "said")


@dataclass(frozen=True, slots=True, kw_only=True)
class Totals:
    """What a sheet took: calls that were made, stored answers that were used, tokens, money."""

    bought: int
    stored: int
    prompt: int
    completion: int
    money: tuple[tuple[str, float], ...]  # by currency


def totals(pairs: Iterable[Pair]) -> Totals:
    """Return what the last replies of these answers took."""
    bought = stored = prompt = completion = 0
    spent: dict[str, float] = {}
    for asking, answered in pairs:
        if answered.reply.is_stored:
            stored += 1
            continue
        usage, price = answered.reply.usage, asking.voter.price
        bought, prompt = bought + 1, prompt + usage.prompt
        completion += usage.completion
        if price is not None:
            spent[price.currency] = spent.get(price.currency, 0.0) + money(usage, price)
    return Totals(
        bought=bought,
        stored=stored,
        prompt=prompt,
        completion=completion,
        money=tuple(sorted(spent.items())),
    )


def sheet_lines(pairs: Sequence[Pair]) -> Iterator[str]:
    """Yield a table for each question about each picture, in the order that was asked."""
    for (picture, question), group in groupby(
        pairs, lambda pair: (pair[0].picture, pair[0].question)
    ):
        yield f"{picture.name}: {plain(question)}"
        rows = [_HEADS, *(_row(*pair) for pair in group)]
        widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
        for row in rows:
            cells = [cell.ljust(width) for cell, width in zip(row, widths, strict=True)]
            yield f"  {'  '.join(cells)}".rstrip()
        yield ""


def total_line(sums: Totals) -> str:
    """Return one line that says what was bought."""
    paid = "".join(f", {currency} {amount_text(amount)}" for currency, amount in sums.money)
    return (
        f"answers bought now: {sums.bought:,} ({sums.prompt:,} + {sums.completion:,} tokens{paid});"
        f" from the store: {sums.stored:,}"
    )


def as_json(asking: Asking, answered: Answered) -> dict[str, Any]:
    """Return one answer as a machine reads it."""
    reply, reading = answered.reply, answered.reading
    return {
        "picture": str(asking.picture),
        "question": asking.question,
        "voter": asking.voter.name,
        "sample": asking.sample,
        "status": reading.status,
        "answer": reading.answer,
        "reason": reading.reason,
        "p_yes": reading.p_yes,
        "prompt_tokens": reply.usage.prompt,
        "completion_tokens": reply.usage.completion,
        "seconds": round(reply.seconds, 3),
        "said": reply.refusal or reply.text,
        "error": reply.error,
        "key": reply.key,
    }


def _row(asking: Asking, answered: Answered) -> tuple[str, ...]:
    reply, reading = answered.reply, answered.reading
    name = asking.voter.name if asking.sample == 0 else f"{asking.voter.name} #{asking.sample + 1}"
    said = plain(reply.error or reply.refusal or reply.text)
    return (
        name,
        reading.answer or "-",
        reading.status if reading.status == "ok" else f"{reading.status} ({reading.reason})",
        "-" if reading.p_yes is None else f"{reading.p_yes:.2f}",
        f"{reply.usage.prompt} + {reply.usage.completion}",
        f"{reply.seconds:.1f}{' (stored)' if reply.is_stored else ''}",
        said if len(said) <= _SAID else f"{said[: _SAID - 1]}…",
    )


def plain(text: str) -> str:
    """Return a text on one line, without what would steer a terminal."""
    return "".join(letter if letter.isprintable() else " " for letter in " ".join(text.split()))
