"""Which judgements say something of agreement: those that no answer called for.

A third look at what two auditors differ on is taken because they differ, and a value that an
auditor names in the place of another because of what that auditor sees. Counted with the others
they would lay a selection of hard things on the coefficients.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from benchwright.decisions.standing import Standing, Thing, asked, outcome, standing, thing_of
from benchwright.records import Decision
from labeling.audits.reporting.board import is_label

_PLANNED = 2  # auditors who see a thing at most, before anybody knows what they say


@dataclass(frozen=True, slots=True, kw_only=True)
class Looks:
    """The decisions that no answer called for, and how many others there are.

    ``third`` were third looks and later at what auditors differ on; ``named`` are on values that
    auditors named in the place of one that they were asked about.
    """

    uncalled: Standing
    third: int
    named: int


def uncalled_looks(decisions: Standing, made: Iterable[Decision]) -> Looks:
    """Return the decisions that stand without those that an answer called for.

    ``made`` are all decisions ever made: who looked first decided first.
    """
    looks = asked(decisions)
    named = sum(map(len, decisions.values())) - sum(map(len, looks.values()))
    history = _history(looks, made)
    called = _called(history)
    uncalled = {
        thing: {name: by_auditor[name] for name in by_auditor if name in history[thing].first}
        if thing in called
        else by_auditor
        for thing, by_auditor in looks.items()
    }
    third = sum(len(looks[thing]) - len(uncalled[thing]) for thing in called)
    return Looks(uncalled=uncalled, third=third, named=named)


@dataclass(frozen=True, slots=True, kw_only=True)
class _History:
    """The ``first`` two who looked at a thing, and whether they differed when a third did."""

    first: tuple[str, ...]
    differed: bool


def _history(decisions: Standing, made: Iterable[Decision]) -> dict[Thing, _History]:
    """Return the history of the things that more than two auditors hold something of."""
    by_thing: dict[Thing, list[Decision]] = {
        thing: [] for thing, by_auditor in decisions.items() if len(by_auditor) > _PLANNED
    }
    for decision in made:
        if decision.named_for is None and thing_of(decision) in by_thing:
            by_thing[thing_of(decision)].append(decision)
    return {thing: _of(decisions[thing], own) for thing, own in by_thing.items()}


def _of(by_auditor: Mapping[str, Decision], made: Sequence[Decision]) -> _History:
    since: dict[str, datetime] = {}
    for decision in made:
        at = datetime.fromisoformat(decision.at)
        since[decision.auditor] = min(at, since.get(decision.auditor, at))
    order = sorted(by_auditor, key=lambda name: (since[name], name))
    first, third = tuple(order[:_PLANNED]), since[order[_PLANNED]]
    before = standing(
        each for each in made if each.auditor in first and datetime.fromisoformat(each.at) < third
    )
    held = next(iter(before.values()), {})
    return _History(first=first, differed=outcome(held)[1] == "undecided")


def _called(history: Mapping[Thing, _History]) -> set[Thing]:
    """Return the things whose third looks were called for.

    Of one kind of thing they all were when on most of those that have one the first two auditors
    differed; else three were to judge it, whatever they say.
    """
    by_kind: dict[str, list[Thing]] = {}
    for thing in history:
        by_kind.setdefault("" if is_label(thing) else thing.field, []).append(thing)
    called: set[Thing] = set()
    for things in by_kind.values():
        if 2 * sum(history[thing].differed for thing in things) > len(things):
            called.update(things)
    return called
