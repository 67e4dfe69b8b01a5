"""What several models agree on, as pure functions.

A model stands behind what it proposed or accepted. A proposal is **taken** when at least two
models stand behind it and fewer decline it; **refused** when some decline it and at least as many
as stand behind it; else **listed** for a person. Text distance proposes and never stands behind
anything. What is about another column (``move``) is always listed.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

from labeling.attributes.gathering.components import components, join
from labeling.attributes.gathering.proposals import Pictures, Proposal, standing
from labeling.attributes.vocabulary.spelling import fold

_End = tuple[str, str]  # type, value
Held = tuple[list[Proposal], list[Proposal]]  # what stays taken, what is listed instead


@dataclass(frozen=True, slots=True, kw_only=True)
class Settled:
    """All proposals, each in one of three places, in the order of kind, type and values."""

    taken: tuple[Proposal, ...] = ()
    listed: tuple[Proposal, ...] = ()
    refused: tuple[Proposal, ...] = ()


def settle(proposals: Iterable[Proposal], *, most_added: int) -> Settled:
    """Return what is taken, listed and refused, whatever the order in which proposals come.

    Of two names for a type the one that more stand behind is taken, and no name that two types
    would share; at most ``most_added`` alternatives of a type. A merge that would join, by way of
    others, two values whose merge is refused is listed: the weakest of them, for the strong ones
    are joined first.
    """
    ordered = sorted(proposals, key=Proposal.order)
    taken = [one for one in ordered if _is_taken(one)]
    refused = [one for one in ordered if _is_refused(one)]
    listed = [one for one in ordered if not _is_taken(one) and not _is_refused(one)]
    checks: tuple[Callable[[Sequence[Proposal]], Held], ...] = (
        _one_name,
        lambda some: _few(some, most_added),
        lambda some: _apart(some, [one for one in refused if one.kind == "merge"]),
    )
    for check in checks:
        taken, held = check(taken)
        listed += held
    return Settled(
        taken=tuple(sorted(taken, key=Proposal.order)),
        listed=tuple(sorted(listed, key=Proposal.order)),
        refused=tuple(refused),
    )


def _is_taken(one: Proposal) -> bool:
    behind = len(one.supporters())
    return one.kind != "move" and behind >= 2 and behind > len(one.declined_by)


def _is_refused(one: Proposal) -> bool:
    return 0 < len(one.declined_by) >= len(one.supporters())


def _strongest(one: Proposal) -> tuple[int, int, int, tuple[int, str, tuple[str, ...], str]]:
    against, proposed = len(one.declined_by), len(one.proposed_by)
    return -len(one.supporters()), against, -proposed, one.order()


def _one_name(taken: Sequence[Proposal]) -> Held:
    renames = sorted((one for one in taken if one.kind == "rename"), key=_strongest)
    first: dict[str, Proposal] = {}
    for one in renames:
        first.setdefault(one.type, one)
    shared = Counter(fold(one.values[0]) for one in first.values())
    kept, held = [one for one in taken if one.kind != "rename"], []
    for one in renames:
        if one is not first[one.type]:
            held.append(replace(one, note=f"{first[one.type].values[0]!r} is taken"))
        elif shared[fold(one.values[0])] > 1:
            held.append(replace(one, note="two types would have this name"))
        else:
            kept.append(one)
    return kept, held


def _few(taken: Sequence[Proposal], most: int) -> Held:
    kept, held = [one for one in taken if one.kind != "add"], []
    added: Counter[str] = Counter()
    for one in sorted((one for one in taken if one.kind == "add"), key=_strongest):
        added[one.type] += 1
        if added[one.type] <= most:
            kept.append(one)
        else:
            held.append(replace(one, note=f"over the {most} that are wanted"))
    return kept, held


def _apart(taken: Sequence[Proposal], refused: Sequence[Proposal]) -> Held:
    kept, held = [one for one in taken if one.kind != "merge"], []
    enemies: dict[_End, set[_End]] = defaultdict(set)
    for one in refused:
        first, second = _ends(one)
        enemies[first].add(second)
        enemies[second].add(first)
    joined: dict[_End, set[_End]] = {}
    for one in sorted((one for one in taken if one.kind == "merge"), key=_strongest):
        first, second = _ends(one)
        whole = joined.get(first, {first}) | joined.get(second, {second})
        broken = min(((end, foe) for end in whole for foe in enemies[end] & whole), default=None)
        if broken is None:
            join(joined, first, second)
            kept.append(one)
        else:
            pair = " and ".join(repr(end[1]) for end in broken)
            held.append(replace(one, note=f"would merge {pair}, which is refused"))
    return kept, held


def _ends(merge: Proposal) -> tuple[_End, _End]:
    first, second = merge.values
    return (merge.type, first), (merge.type, second)


@dataclass(frozen=True, slots=True, kw_only=True)
class Merged:
    """Values of a type that become one, named ``keep``; ``values`` are sorted."""

    type: str
    keep: str
    values: tuple[str, ...]


def merged_values(merges: Sequence[Proposal], pictures: Pictures) -> list[Merged]:
    """Return what merges make of values: chains and cycles of pairs become one value.

    Its name is the one that most have proposed to keep; among equals a well-known term, then what
    more pictures have, then the first by name.
    """
    whole = components([_ends(merge) for merge in merges])
    keeps: dict[_End, Counter[str]] = defaultdict(Counter)  # by the first of a component
    for merge in merges:
        first = min(whole[_ends(merge)[0]])
        keeps[first].update({merge.keep: max(1, len(merge.proposed_by))} if merge.keep else {})
    return [
        _merged(first[0], {value for _, value in whole[first]}, keeps[first], pictures)
        for first in sorted({min(ends) for ends in whole.values()})
    ]


def _merged(type_name: str, values: set[str], keeps: Counter[str], pictures: Pictures) -> Merged:
    names = values | set(keeps)
    keep = min(names, key=lambda one: (-keeps[one], standing(type_name, one, pictures)))
    return Merged(type=type_name, keep=keep, values=tuple(sorted(values)))
