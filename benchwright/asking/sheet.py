"""Answers side by side, as people read them in a terminal."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any

from benchwright.asking.ask import Asked, Asking
from benchwright.asking.money_text import amount_text
from benchwright.asking.questions import Answered
from benchwright.asking.reading import without_reasoning
from benchwright.asking.replies import Reply
from benchwright.asking.tally import Bought
from benchwright.asking.voters import Voter
from benchwright.errors import BenchwrightError
from benchwright.plain_text import excerpt, plain

_ROUNDING = 1e-9  # share of a sum that may come from the order in which it was added up
_SAID = 60  # characters of an answer that are shown
_HEADS = ("voter", "answer", "status", "p_yes", "tokens", "seconds", "said")


def sheet_lines(
    pairs: Sequence[tuple[Asking, Answered]], faults: Mapping[str, BenchwrightError]
) -> Iterator[str]:
    """Yield a table for each question about each picture; askings come in their order.

    A voter whose part ended early for one of ``faults`` has a row there where it has no answer.
    """
    for _, some in groupby(pairs, lambda pair: pair[0].place[:2]):
        group = list(some)
        first = group[0][0]
        yield f"{first.picture.path.name}: {plain(first.question)}"
        there = {asking.voter.name for asking, _ in group}
        gone = [_missing(*each) for each in faults.items() if each[0] not in there]
        rows = [_HEADS, *(_row(*pair) for pair in group), *gone]
        widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
        for row in rows:
            cells = [cell.ljust(width) for cell, width in zip(row, widths, strict=True)]
            yield f"  {'  '.join(cells)}".rstrip()
        yield ""


def total_line(asked: Asked, voters: Sequence[Voter], *, batch: bool) -> str:
    """Return one line that says what the run took: calls, tokens, money, stored answers."""
    bought = [(voter, asked.bought[voter.name]) for voter in voters if voter.name in asked.bought]
    looking = sum(each.replies for each in asked.looks.values())
    looks = f", {looking} of them to look whether voters see" if looking else ""
    collected = sum(each.collected + each.rejected + each.failed for each in asked.batches)
    by_batch = f"; answers collected from batches: {collected:,}" if batch else ""
    return (
        f"calls made now: {asked.calls:,}{looks}"
        f" ({_tokens([one for _, one in bought])}{_paid(asked, voters, batch=batch)}){by_batch};"
        f" answers from the store: {asked.stored:,}"
    )


def _tokens(bought: Sequence[Bought]) -> str:
    """Return the tokens that the servers counted, and how many answers they did not count."""
    prompt = sum(one.prompt for one in bought)
    completion = sum(one.completion for one in bought)
    uncounted = sum(one.uncounted for one in bought)
    counted = f"{prompt:,} + {completion:,} tokens"
    if not uncounted:
        return counted
    without = f"without tokens from the server: {uncounted:,}"
    return f"{counted}, {without}" if prompt else f"- tokens, {without}"


def _paid(asked: Asked, voters: Sequence[Voter], *, batch: bool) -> str:
    """Return the money by currency: what the tokens cost, and what may be billed besides."""
    known: dict[str, float] = {}
    for voter in voters:
        if voter.price is not None:
            looked = asked.looks.get(voter.name, Bought())
            rest = asked.bought.get(voter.name, Bought()).less(looked)
            cost = looked.cost(voter.price) + rest.cost(voter.price, batch=batch)
            known[voter.price.currency] = known.get(voter.price.currency, 0.0) + cost
    said = "".join(f", {name} {amount_text(cost)}" for name, cost in sorted(known.items()))
    if asked.cost - sum(known.values()) <= _ROUNDING * asked.cost:
        return said
    if len(known) > 1:
        return f"{said}, and what is under way or may have been billed unseen"
    ((name, cost),) = known.items()
    most = amount_text(asked.cost)
    if cost == 0:
        return f", up to {name} {most}"
    return f"{said}, up to {most} with what is under way or may have been billed unseen"


def as_json(asking: Asking, answered: Answered) -> dict[str, Any]:
    """Return one answer as a machine reads it."""
    reply, reading = answered.reply, answered.reading
    return {
        "picture": str(asking.picture.path),
        "question": asking.question,
        "voter": asking.voter.name,
        "sample": asking.sample,
        "status": reading.status,
        "answer": reading.answer,
        "reason": reading.reason,
        "p_yes": reading.p_yes,
        "prompt_tokens": reply.usage.prompt if reply.tells_usage else None,
        "completion_tokens": reply.usage.completion if reply.tells_usage else None,
        "seconds": round(reply.seconds, 3),
        "said": reply.refusal or reply.text,
        "error": reply.error,
        "key": reply.key,
    }


def _row(asking: Asking, answered: Answered) -> tuple[str, ...]:
    reply, reading = answered.reply, answered.reading
    name = asking.voter.name if asking.sample == 0 else f"{asking.voter.name} #{asking.sample + 1}"
    said = reply.error or reply.refusal or without_reasoning(reply.text) or reply.text
    return (
        name,
        reading.answer or "-",
        _status(answered),
        "-" if reading.p_yes is None else f"{reading.p_yes:.2f}",
        f"{reply.usage.prompt:,} + {reply.usage.completion:,}" if reply.tells_usage else "-",
        _seconds(reply),
        excerpt(said, _SAID),
    )


def _status(answered: Answered) -> str:
    """Return the status in the words of --again, and why where that says more."""
    status, reason = answered.reading.status, answered.reading.reason
    if reason == "rejected":
        return reason
    return status if status in ("ok", reason) else f"{status} ({reason})"


def _missing(name: str, fault: BenchwrightError) -> tuple[str, ...]:
    said = str(fault).removeprefix(f"voter {name}: ")
    return (name, "-", "not asked", "-", "-", "-", excerpt(said, _SAID))


def _seconds(reply: Reply) -> str:
    if reply.seconds == 0:  # it came by a batch, which tells no time
        return "-"
    digits = 1 if reply.seconds >= 1 else 2
    return f"{reply.seconds:.{digits}f}{' (stored)' if reply.is_stored else ''}"
