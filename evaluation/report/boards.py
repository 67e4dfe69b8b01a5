"""Runs that may stand in one table: of one config of the same rows of a release, in order."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from benchwright.errors import UsageError
from evaluation.kinds import KINDS, kind_of
from evaluation.report.entries import Entry
from evaluation.report.kinds import candidate_set, false_premise, hidden_target, question_chain
from evaluation.report.kinds.sheet import Sheet
from evaluation.running.kind import Kind
from evaluation.scoring.figures import Key
from evaluation.scoring.spelling import spoken

_SHEETS = {
    "hidden-target": hidden_target.sheet_of,
    "false-premise": false_premise.sheet_of,
    "candidate-set": candidate_set.sheet_of,
    "question-chain": question_chain.sheet_of,
}
_TOLD = 12  # hex digits of a digest that tell releases apart


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """A run in its place, from 1; ``is_tied`` where others have the same main figures.

    ``place`` is null where it has none of them.
    """

    entry: Entry
    place: int | None
    is_tied: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Board:
    """The runs on one config of one release, the best first, and what is shown of them.

    ``noun`` is what an item is called. ``conditions`` are the settings, by name, in which the runs
    differ though they have nothing to do with who plays.
    """

    kind: str
    noun: str
    standings: tuple[Standing, ...]
    sheet: Sheet
    conditions: tuple[str, ...]

    @property
    def entries(self) -> list[Entry]:
        """The runs, the best first."""
        return [one.entry for one in self.standings]

    @property
    def config(self) -> str:
        """The config that was played."""
        return self.entries[0].about.config

    @property
    def release(self) -> str:
        """The names by which the runs call the release."""
        return ", ".join(dict.fromkeys(entry.about.release for entry in self.entries))

    @property
    def digest(self) -> str:
        """The beginning of the digest of what was played."""
        return self.entries[0].about.release_digest[:_TOLD]

    @property
    def has_person(self) -> bool:
        """Whether a person played."""
        return any(entry.is_person for entry in self.entries)

    @property
    def shared(self) -> Mapping[str, str]:
        """The parts that all runs have in common, such as the oracle."""
        first, *others = map(_parts, self.entries)
        return {
            part: name
            for part, name in first.items()
            if all(other.get(part) == name for other in others)
        }

    def played_under(self, entry: Entry) -> Mapping[str, str]:
        """Return in what a run differs from others: its parts, and how it was played."""
        own = {part: name for part, name in _parts(entry).items() if part not in self.shared}
        for name in self.conditions:
            value = (entry.settings or {}).get(name)
            spelt = _spelt(value)
            if spelt is not None and name not in own and condition_name(name) not in own.values():
                own[condition_name(name)] = spelt
        return own


def condition_name(name: str) -> str:
    """Return the name of a setting in words."""
    return spoken(name).removeprefix("is ")


def boards_of(entries: Iterable[Entry]) -> list[Board]:
    """Return the tables of a report: by kind, config and release, each with its runs in order.

    Raises UsageError for a config of no kind.
    """
    groups: dict[tuple[int, str, str], list[Entry]] = {}
    for entry in entries:
        about = entry.about
        key = (_place(about.config), about.config, about.release_digest)
        groups.setdefault(key, []).append(entry)
    ordered = sorted(
        groups.items(),
        key=lambda pair: (*pair[0][:2], min(one.about.release for one in pair[1]), pair[0][2]),
    )
    return [_board(group) for _, group in ordered]


def _place(config: str) -> int:
    return KINDS.index(_kind(config))


def _kind(config: str) -> Kind:
    kind = kind_of(config)
    if kind is None:
        raise UsageError(f"{config}: holds nothing of which this version makes a report")
    return kind


def _board(group: Sequence[Entry]) -> Board:
    kind = _kind(group[0].about.config)
    make = _SHEETS[kind.name]
    standings = standings_of(_labelled(group), make(group).main)
    scoring = kind.scoring()
    return Board(
        kind=kind.name,
        noun=scoring.noun,
        standings=tuple(standings),
        sheet=make([one.entry for one in standings]),
        conditions=tuple(name for name in scoring.conditions if _differs(group, name)),
    )


def standings_of(entries: Iterable[Entry], main: Sequence[Key]) -> list[Standing]:
    """Return runs in their order; those with the same main figures share a place."""
    ordered = sorted(entries, key=lambda entry: (*_worth(entry, main), entry.about.run))
    worths = Counter(_worth(entry, main) for entry in ordered)
    found: list[Standing] = []
    for at, entry in enumerate(ordered, 1):
        worth = _worth(entry, main)
        is_same = bool(found) and _worth(found[-1].entry, main) == worth
        is_placed = any(entry.figure(key) for key in main)
        place = found[-1].place if is_same else at
        found.append(
            Standing(
                entry=entry,
                place=place if is_placed else None,
                is_tied=is_placed and worths[worth] > 1,
            )
        )
    return found


def _worth(entry: Entry, main: Sequence[Key]) -> tuple[tuple[bool, float], ...]:
    """Return what runs are ordered by, the best first; null comes last."""
    found = [entry.figure(key) for key in main]
    return tuple(
        (True, 0.0) if one is None or one.value is None else (False, -round(one.value, 9))
        for one in found
    )


def _labelled(group: Sequence[Entry]) -> list[Entry]:
    """Return runs with labels: the player, and the run where several are of one player."""
    names = Counter(entry.about.player for entry in group)
    return [
        replace(
            entry,
            label=entry.about.player
            if names[entry.about.player] == 1
            else f"{entry.about.player} ({entry.about.run})",
        )
        for entry in group
    ]


def _parts(entry: Entry) -> dict[str, str]:
    return {one.part: one.name for one in entry.about.parts}


def _spelt(value: Any) -> str | None:
    """Return a setting in words: nothing more than its name for true, null for what is not on."""
    if value is None or value is False:
        return None
    if value is True:
        return ""
    return ", ".join(map(str, value)) if isinstance(value, list | tuple) else f"{value}"


def _differs(group: Sequence[Entry], name: str) -> bool:
    return len({repr((entry.settings or {}).get(name)) for entry in group}) > 1
