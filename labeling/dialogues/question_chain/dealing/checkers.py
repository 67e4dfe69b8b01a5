"""Dealing the chains to checkers: whole scenarios where that can be, single chains elsewhere.

Source: V-REX, section 3: in each of two rounds annotators are shuffled onto scenarios that they
did not write, and the second round is checked by another than the first.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Literal, get_args

from benchwright.seeds import draw
from labeling.dialogues.question_chain.dealing.balancing import balanced

Round = Literal[1, 2]
ROUNDS: tuple[Round, ...] = get_args(Round)


@dataclass(frozen=True, slots=True, kw_only=True)
class ToCheck:
    """A chain as it is dealt.

    ``writers`` wrote some state of it; ``checked`` says who checked it as it is, by round;
    ``unsure`` are those who could not judge the round that it waits for.
    """

    chain_id: str
    scenario: str
    writers: frozenset[str]
    checked: Mapping[Round, str] = field(default_factory=dict)
    unsure: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True, kw_only=True)
class Dealt:
    """Who checks a chain in a round, 1 or 2."""

    chain_id: str
    round: Round
    scenario: str
    auditor: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Undealt:
    """A chain that nobody can check in a round, and why."""

    chain_id: str
    round: Round
    scenario: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Deal:
    """Who checks what, in the order of chains and rounds, and what nobody can check."""

    rows: tuple[Dealt, ...]
    undealt: tuple[Undealt, ...]


def deal(
    chains: Iterable[ToCheck], auditors: Collection[str], seed: int, kept: Iterable[Dealt] = ()
) -> Deal:
    """Return who checks each chain in either round.

    Nobody gets what they wrote, or checks in the other round. Who checked a chain as it is has
    it; what was dealt before, ``kept``, stays where nothing speaks against it. The rest of a
    scenario goes as a whole to one who wrote and checks nothing else of it; where there is
    nobody, its chains are dealt one by one. In a round no other choice gives more even numbers
    of scenarios, then of single chains. The order of what is given changes nothing.
    """
    table = _Table(chains, auditors, seed, kept)
    for number in ROUNDS:
        table.deal_scenarios(number)
        table.deal_chains(number)
    return table.outcome()


class _Table:
    """What is on the table while chains are dealt: ``held`` says who has what, by round."""

    def __init__(
        self,
        chains: Iterable[ToCheck],
        auditors: Collection[str],
        seed: int,
        kept: Iterable[Dealt],
    ) -> None:
        self.seed = seed
        self.auditors = sorted(set(auditors))
        self.chains = {one.chain_id: one for one in sorted(chains, key=lambda one: one.chain_id)}
        before: dict[str, dict[Round, str]] = {}
        for row in kept:
            before.setdefault(row.chain_id, {})[row.round] = row.auditor
        self.held = {
            name: self._kept(one, before.get(name, {})) for name, one in self.chains.items()
        }
        self.scenarios: dict[str, list[ToCheck]] = {}
        for one in self.chains.values():
            self.scenarios.setdefault(one.scenario, []).append(one)

    def _kept(self, chain: ToCheck, before: Mapping[Round, str]) -> dict[Round, str]:
        """Return who has a chain before anything is dealt."""
        held = dict(chain.checked)
        for number, name in sorted(before.items()):
            if number not in held and name in self._able(chain, number, held):
                held[number] = name
        is_stuck = any(
            number not in held and not self._able(chain, number, held) for number in ROUNDS
        )
        both = [self._able(chain, number, {}) for number in ROUNDS]
        if is_stuck and not chain.checked and all(both) and len({*both[0], *both[1]}) > 1:
            return {}  # the other round keeps the only one who is left; dealt anew both have one
        return held

    def _able(
        self, chain: ToCheck, number: Round, held: Mapping[Round, str] | None = None
    ) -> list[str]:
        """Return who may check a chain in a round, given who has it in the other."""
        held = self.held[chain.chain_id] if held is None else held
        others = {name for other, name in held.items() if other != number}
        waits_for = len(chain.checked) + 1
        unsure = chain.unsure if number == waits_for else frozenset[str]()
        barred = chain.writers | others | unsure
        return [name for name in self.auditors if name not in barred]

    def _open(self, number: Round) -> list[ToCheck]:
        return [one for one in self.chains.values() if number not in self.held[one.chain_id]]

    def deal_scenarios(self, number: Round) -> None:
        """Deal what is open of each scenario that somebody can take as a whole."""
        parts: dict[str, list[ToCheck]] = {}
        for one in self._open(number):
            parts.setdefault(one.scenario, []).append(one)
        able = {name: self._able_whole(name, part, number) for name, part in parts.items()}
        sizes = {name: len(parts[name]) for name, some in able.items() if some}
        order = partial(draw, self.seed, "scenario to check", str(number))
        # the largest first, so that the small ones can even out what these leave uneven
        names = sorted(sizes, key=lambda name: (-sizes[name], order(name), name))
        loads = Counter(auditor for _, auditor in self._scenarios_held(number))
        given = balanced(names, able, loads, self._burdens(), sizes, order)
        for name, auditor in given.items():
            for one in parts[name]:
                self.held[one.chain_id][number] = auditor

    def _able_whole(self, scenario: str, part: Sequence[ToCheck], number: Round) -> list[str]:
        """Return who may take the rest of a scenario: those who have the others of it, if any."""
        able = [
            name
            for name in self.auditors
            if all(name in self._able(one, number) for one in part)
            and not any(self._knows(name, one, number) for one in self.scenarios[scenario])
        ]
        others = {self.held[one.chain_id].get(number) for one in self.scenarios[scenario]}
        return [name for name in able if name in others] or able

    def _knows(self, name: str, chain: ToCheck, number: Round) -> bool:
        held = self.held[chain.chain_id]
        return name in chain.writers or any(
            name == other for at, other in held.items() if at != number
        )

    def deal_chains(self, number: Round) -> None:
        """Deal what is left, chain by chain."""
        able = {one.chain_id: self._able(one, number) for one in self._open(number)}
        order = partial(draw, self.seed, "chain to check", str(number))
        names = sorted((name for name, some in able.items() if some), key=order)
        loads = Counter(held[number] for held in self.held.values() if number in held)
        given = balanced(names, able, loads, self._burdens(), dict.fromkeys(names, 1), order)
        for name, auditor in given.items():
            self.held[name][number] = auditor

    def _scenarios_held(self, number: Round) -> set[tuple[str, str]]:
        return {
            (one.scenario, self.held[one.chain_id][number])
            for one in self.chains.values()
            if number in self.held[one.chain_id]
        }

    def _burdens(self) -> Counter[str]:
        """Return how many chains each has, over both rounds."""
        return Counter(name for held in self.held.values() for name in held.values())

    def outcome(self) -> Deal:
        """Return the rows, and what nobody can check."""
        rows, undealt = [], []
        for chain_id, one in self.chains.items():
            held = self.held[chain_id]
            for number in ROUNDS:
                about = {"chain_id": chain_id, "scenario": one.scenario}
                if number in held:
                    rows.append(Dealt(**about, round=number, auditor=held[number]))
                else:
                    undealt.append(Undealt(**about, round=number, reason=self._why(one)))
        return Deal(rows=tuple(rows), undealt=tuple(undealt))

    def _why(self, chain: ToCheck) -> str:
        """Return why nobody is left for a chain."""
        readers = [name for name in self.auditors if name not in chain.writers]
        if not readers:
            return "everybody wrote it"
        others = set(self.held[chain.chain_id].values())
        if set(readers) <= others:
            return "the only one who did not write it checks it in the other round"
        return "who is left could not judge it"
