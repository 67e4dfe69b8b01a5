"""What the command says of a deal and of what became of the chains."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence

from benchwright.plain_text import counted, excerpt
from labeling.dialogues.question_chain.dealing.checkers import ROUNDS, Dealt, Round
from labeling.dialogues.question_chain.dealing.feedback import PARTS, News
from labeling.dialogues.question_chain.dealing.verifying import Verifying

_HEADS = ("auditor", "round", "chains", "checked", "scenarios")
_NOTES = 5  # chains found invalid that are named to each


def verify_lines(found: Verifying) -> Iterator[str]:
    """Yield the table of a deal, what is not dealt, and what became of the chains of each."""
    rows = found.deal.rows
    chains = {row.chain_id for row in rows} | {row.chain_id for row in found.deal.undealt}
    scenarios = {row.scenario for row in rows}
    yield (
        f"{counted(len(chains), 'chain')} of {counted(len(scenarios), 'scenario')},"
        f" {counted(len(found.auditors), 'auditor')}:"
        f" {_fate(found)}"
    )
    yield from _table(found)
    yield from _split(rows)
    yield from _undealt(found)
    yield from _feedback(found.news)


def _fate(found: Verifying) -> str:
    if not found.is_new:
        return "dealt already"
    new = len(found.deal.rows) - found.kept
    return f"{counted(new, 'check')} dealt, {found.kept:,} as before"


def _table(found: Verifying) -> Iterator[str]:
    sizes = _sizes(found.deal.rows)
    held: dict[tuple[str, Round], list[Dealt]] = defaultdict(list)
    for row in found.deal.rows:
        held[row.auditor, row.round].append(row)
    names = sorted({*found.auditors, *(row.auditor for row in found.deal.rows)})
    cells = [_HEADS]
    for name in names:
        for number in ROUNDS:
            own = held[name, number]
            checked = sum((row.chain_id, number) in found.done for row in own)
            cells.append(
                (name, str(number), f"{len(own):,}", f"{checked:,}", _scenarios(own, sizes))
            )
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    for name, *numbers, scenarios in cells:
        right = [cell.rjust(width) for cell, width in zip(numbers, widths[1:-1], strict=True)]
        yield "  ".join([name.ljust(widths[0]), *right, scenarios]).rstrip()


def _sizes(rows: Iterable[Dealt]) -> Counter[tuple[str, Round]]:
    return Counter((row.scenario, row.round) for row in rows)


def _scenarios(own: Sequence[Dealt], sizes: Counter[tuple[str, Round]]) -> str:
    """Return the scenarios of one auditor and round, with how much of those that are split."""
    parts = [
        name if count == sizes[name, number] else f"{name} ({count} of {sizes[name, number]})"
        for (name, number), count in sorted(_sizes(own).items())
    ]
    return ", ".join(parts)


def _split(rows: Iterable[Dealt]) -> Iterator[str]:
    people: dict[tuple[Round, str], set[str]] = defaultdict(set)
    for row in rows:
        people[row.round, row.scenario].add(row.auditor)
    for number in ROUNDS:
        split = sorted(
            name for (at, name), some in people.items() if at == number and len(some) > 1
        )
        if split:
            yield (
                f"dealt by chains in round {number}, since nobody could take all of it:"
                f" {', '.join(split)}"
            )


def _undealt(found: Verifying) -> Iterator[str]:
    counts = Counter((row.round, row.scenario, row.reason) for row in found.deal.undealt)
    for (number, scenario, reason), count in sorted(counts.items()):
        yield f"not dealt: {counted(count, 'chain')} of {scenario} in round {number}, {reason}"
    if counts:
        yield "  name more people with --auditors, and what was dealt stays"
    if found.unwritten:
        chains = counted(found.unwritten, "chain")
        yield f"not dealt yet: {chains} by models that no person approved"
    if found.rejected:
        yield f"left out: {counted(found.rejected, 'chain')} that the author rejected"


def _feedback(news: Iterable[News]) -> Iterator[str]:
    by_auditor: dict[str, list[News]] = defaultdict(list)
    for one in news:
        by_auditor[one.auditor].append(one)
    if by_auditor:
        yield "what became of the chains of each (feedback.json):"
    for name, own in sorted(by_auditor.items()):
        parts = [
            f"{part} {len(some):,} ({_outcomes(some)})"
            for part in PARTS
            if (some := [one for one in own if one.part == part])
        ]
        yield f"  {name} {', '.join(parts)}"
        wrong = [line for one in own for line in _invalid(one)]
        yield from wrong[:_NOTES]
        if len(wrong) > _NOTES:
            yield f"    and {len(wrong) - _NOTES:,} more"


def _outcomes(news: Sequence[News]) -> str:
    counts = Counter(one.became for one in news)
    return ", ".join(f"{counts[name]:,} {name}" for name in sorted(counts))


def _invalid(one: News) -> Iterator[str]:
    for said in one.verdicts:
        if said.verdict == "invalid":
            since = ", written anew since" if said.is_outdated else ""
            note = f": {excerpt(said.note)}" if said.note else ""
            yield f"    {one.chain_id} invalid by {said.checker} in round {said.round}{since}{note}"
