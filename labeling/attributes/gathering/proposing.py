"""From what each voter thinks of a type to proposals: each once, with all who proposed it."""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from labeling.attributes.gathering.answers import Group, Ideas
from labeling.attributes.gathering.components import components
from labeling.attributes.gathering.proposals import (
    FLAGS,
    TEXT_DISTANCE,
    Kind,
    Pictures,
    Proposal,
    standing,
)
from labeling.attributes.vocabulary.spelling import fold
from labeling.attributes.vocabulary.suggestions import Suggestion


def proposals_of(
    type_name: str,
    said: Mapping[str, Ideas],
    suggestions: Iterable[Suggestion],
    open_flags: Collection[Kind],
    pictures: Pictures,
) -> list[Proposal]:
    """Return what is proposed for a type, each once with all who proposed it.

    ``said`` are the ideas by voter, ``open_flags`` the flags that may be proposed. Voters who see
    a flag as it stands decline its change.
    """
    suggestions = [one for one in suggestions if one.type == type_name]
    found = list(_merges(type_name, said, suggestions, pictures))
    found += _same("set aside", type_name, {name: said[name].set_aside for name in said})
    found += _same("add", type_name, {name: said[name].add for name in said})
    found += _renames(type_name, said)
    whole = {name: ideas.not_visual for name, ideas in said.items() if ideas.not_visual}
    if whole:
        names = tuple(sorted(whole))
        found.append(
            Proposal(
                kind="set aside type", type=type_name, reason=whole[names[0]], proposed_by=names
            )
        )
    found += _flags(type_name, said, open_flags)
    found += [_move(one) for one in suggestions if one.kind == "misplaced"]
    return sorted(found, key=Proposal.order)


def _same(kind: Kind, type_name: str, said: Mapping[str, Mapping[str, str]]) -> Iterator[Proposal]:
    """Yield a proposal for each value that voters named, whatever their spelling of it."""
    by_key: dict[str, dict[str, tuple[str, str]]] = defaultdict(dict)
    for voter, values in said.items():
        for value, why in values.items():
            by_key[fold(value)][voter] = (value, why)
    for named in by_key.values():
        spelt = Counter(value for value, _ in named.values())
        value = min(spelt, key=lambda one: (-spelt[one], one))
        reasons = [why for _, (_, why) in sorted(named.items()) if why]
        yield Proposal(
            kind=kind,
            type=type_name,
            values=(value,),
            reason=reasons[0] if reasons else "",
            proposed_by=tuple(sorted(named)),
        )


def _renames(type_name: str, said: Mapping[str, Ideas]) -> Iterator[Proposal]:
    """Yield a proposal for each name but the present one; blanks matter here."""
    for name in sorted({ideas.name for ideas in said.values() if ideas.name is not None}):
        if name != type_name:
            by = tuple(sorted(voter for voter, ideas in said.items() if ideas.name == name))
            yield Proposal(kind="rename", type=type_name, values=(name,), proposed_by=by)


def _merges(
    type_name: str, said: Mapping[str, Ideas], suggestions: Sequence[Suggestion], pictures: Pictures
) -> Iterator[Proposal]:
    """Yield the pairs that make up the groups of all voters.

    A group of many is proposed as pairs with the value to keep; a voter also proposes a pair of
    another voter that lies within its own groups.
    """
    keeps: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    reasons: dict[tuple[str, str], dict[str, str]] = defaultdict(dict)
    for voter, ideas in sorted(said.items()):
        for group in ideas.groups:
            for pair, keep in _pairs(type_name, group, pictures):
                keeps[pair][keep] += 1
                reasons[pair].setdefault(voter, group.why)
    near: set[tuple[str, str]] = set()
    for one in suggestions:
        if one.kind == "spelling":
            pair = _pair(one.value, one.into)
            keeps[pair][one.into] += 1
            near.add(pair)
    whole = {
        voter: components(group.values for group in ideas.groups) for voter, ideas in said.items()
    }
    for pair, names in keeps.items():
        by = [voter for voter, joined in whole.items() if pair[1] in joined.get(pair[0], ())]
        why = [reason for _, reason in sorted(reasons[pair].items()) if reason]
        yield Proposal(
            kind="merge",
            type=type_name,
            values=pair,
            keep=min(names, key=lambda one: (-names[one], standing(type_name, one, pictures))),
            reason=why[0] if why else ("spelt alike" if pair in near else ""),
            proposed_by=tuple(sorted([*by, *([TEXT_DISTANCE] if pair in near else [])])),
        )


def _pairs(
    type_name: str, group: Group, pictures: Pictures
) -> Iterator[tuple[tuple[str, str], str]]:
    keep = group.keep or min(group.values, key=lambda one: standing(type_name, one, pictures))
    for value in group.values:
        if value != keep:
            yield _pair(value, keep), keep


def _pair(one: str, other: str) -> tuple[str, str]:
    return (one, other) if one < other else (other, one)


def _flags(
    type_name: str, said: Mapping[str, Ideas], open_flags: Collection[Kind]
) -> Iterator[Proposal]:
    opinions: dict[Kind, list[str]] = defaultdict(list)
    for voter, ideas in sorted(said.items()):
        if ideas.exclusive is not None:
            opinions["exclusive" if ideas.exclusive else "not exclusive"].append(voter)
        if ideas.askable is not None:
            opinions["askable" if ideas.askable else "not askable"].append(voter)
    for kind in FLAGS:
        if kind in open_flags and opinions[kind]:
            yield Proposal(
                kind=kind,
                type=type_name,
                proposed_by=tuple(opinions[kind]),
                declined_by=tuple(opinions[FLAGS[kind]]),
            )


def _move(one: Suggestion) -> Proposal:
    return Proposal(
        kind="move",
        type=one.type,
        values=(one.value,),
        keep=one.into,
        into_type=one.into_type,
        reason="common in the other column",
        proposed_by=(TEXT_DISTANCE,),
    )
