"""Taking proposals into a vocabulary."""

from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, replace

from benchwright.errors import UsageError
from benchwright.records import AttributeType, AttributeValue
from labeling.attributes.gathering.agreement import merged_values
from labeling.attributes.gathering.proposals import Pictures, Proposal
from labeling.attributes.vocabulary.spelling import fold
from labeling.attributes.vocabulary.suggestions import known_terms, merged
from labeling.attributes.vocabulary.vocabulary import Key, SetAside, Vocabulary, check


@dataclass(frozen=True, slots=True, kw_only=True)
class Applied:
    """A vocabulary with proposals taken, and those that fit it no more."""

    vocabulary: Vocabulary
    void: tuple[Proposal, ...]


def apply(vocabulary: Vocabulary, proposals: Iterable[Proposal], pictures: Pictures) -> Applied:
    """Take proposals, whatever their order: merges, moves, what is set aside, additions, types.

    What an earlier change has settled already changes nothing. A proposal does not fit when its
    type or value is there no more, when it would label what is set aside, or when a merge would
    end in another type.
    """
    ordered = sorted(proposals, key=Proposal.order)
    void: list[Proposal] = []
    vocabulary = _merge(vocabulary, [one for one in ordered if one.kind == "merge"], pictures, void)
    moves = [one for one in ordered if one.kind == "move"]
    vocabulary = _change(vocabulary, moves, void)
    vocabulary = _set_aside(vocabulary, [one for one in ordered if one.kind == "set aside"], void)
    others = [one for one in ordered if one.kind not in ("merge", "move", "set aside")]
    vocabulary = _change(vocabulary, others, void)
    return Applied(vocabulary=vocabulary, void=tuple(sorted(void, key=Proposal.order)))


def _change(
    vocabulary: Vocabulary, proposals: Sequence[Proposal], void: list[Proposal]
) -> Vocabulary:
    for one in proposals:
        kind = _type(vocabulary, one.type)
        changed = None if kind is None else _CHANGES[one.kind](vocabulary, kind, one)
        if changed is None:
            void.append(one)
        else:
            vocabulary = changed
    return vocabulary


def _type(vocabulary: Vocabulary, name: str) -> AttributeType | None:
    """Return the type of this name; a proposal may be older than its new name."""
    exact = next((one for one in vocabulary.types if one.type == name), None)
    if exact is not None:
        return exact
    key = fold(name)
    return next(
        (one for one in vocabulary.types if key in map(fold, (one.type, *one.aliases))), None
    )


def _merge(
    vocabulary: Vocabulary, merges: Sequence[Proposal], pictures: Pictures, void: list[Proposal]
) -> Vocabulary:
    fitting = []
    lookup, aside = vocabulary.lookup(), vocabulary.aside().keys()
    for one in merges:
        kind = _type(vocabulary, one.type)
        resolved = None if kind is None else _resolved(lookup, aside, kind, one)
        if resolved is None:
            void.append(one)
        else:
            fitting.append(resolved)
    for group in merged_values(fitting, pictures):
        for value in group.values:
            if value != group.keep:
                pair, into = (group.type, value), (group.type, group.keep)
                vocabulary = merged(vocabulary, pair, into)
    return vocabulary


def _resolved(
    lookup: Mapping[Key, AttributeValue], aside: Set[Key], kind: AttributeType, merge: Proposal
) -> Proposal | None:
    """Return a merge with the names that its values have now, null where it does not fit."""
    key = fold(kind.type)
    found = {}
    for value in {*merge.values, *([merge.keep] if merge.keep else [])}:
        entry = lookup.get((key, fold(value)))
        is_name = value == merge.keep or fold(value) in known_terms()  # that no picture has yet
        if (key, fold(value)) in aside or (entry is None and not is_name):
            return None
        if entry is not None and entry.type != kind.type:
            return None
        found[value] = entry
    if all(found[value] is None for value in merge.values):
        return None
    names = {value: value if entry is None else entry.value for value, entry in found.items()}
    values = tuple(sorted(names[value] for value in merge.values))
    keep = names[merge.keep] if merge.keep else None
    return replace(merge, type=kind.type, values=values, keep=keep)


def _move(vocabulary: Vocabulary, kind: AttributeType, one: Proposal) -> Vocabulary | None:
    entry = vocabulary.lookup().get((fold(kind.type), fold(one.values[0])))
    into = _type(vocabulary, one.into_type or "")
    target = None if into is None else _entry(vocabulary, into, one.keep or "")
    if entry is None or target is None:
        return None
    if entry == target:  # a merge has taken it along
        return vocabulary
    if entry.type != kind.type:
        return None
    return merged(vocabulary, (entry.type, entry.value), (target.type, target.value))


def _entry(vocabulary: Vocabulary, kind: AttributeType, value: str) -> AttributeValue | None:
    entry = vocabulary.lookup().get((fold(kind.type), fold(value)))
    return entry if entry is not None and entry.type == kind.type else None


def _set_aside(
    vocabulary: Vocabulary, proposals: Sequence[Proposal], void: list[Proposal]
) -> Vocabulary:
    lookup, aside = vocabulary.lookup(), vocabulary.aside()
    gone: dict[AttributeValue, str] = {}
    for one in proposals:
        kind = _type(vocabulary, one.type)
        key = fold(kind.type if kind else one.type), fold(one.values[0])
        entry = lookup.get(key)
        if entry is not None and kind is not None and entry.type == kind.type:
            gone.setdefault(entry, one.reason)
        elif key not in aside:
            void.append(one)
    return _without(vocabulary, gone)


def _set_aside_type(vocabulary: Vocabulary, kind: AttributeType, one: Proposal) -> Vocabulary:
    gone = {value: one.reason for value in vocabulary.values if value.type == kind.type}
    return _without(vocabulary, gone)


def _without(vocabulary: Vocabulary, gone: Mapping[AttributeValue, str]) -> Vocabulary:
    """Return the vocabulary with values set aside, each with its reason."""
    aside = {(one.type, one.spelling): one for one in vocabulary.set_aside}
    for value, reason in gone.items():
        own = f"{value.type}: {value.value}" if ": " in value.value else value.value
        for spelling in (own, *value.aliases):
            new = SetAside(type=value.type, spelling=spelling, reason=reason or "cannot be seen")
            aside.setdefault((value.type, spelling), new)
    return replace(
        vocabulary,
        values=tuple(value for value in vocabulary.values if value not in gone),
        set_aside=tuple(aside[key] for key in sorted(aside)),
    )


def _add(vocabulary: Vocabulary, kind: AttributeType, one: Proposal) -> Vocabulary | None:
    key = fold(kind.type), fold(one.values[0])
    if key in vocabulary.lookup() or key in vocabulary.aside():
        return None
    value = AttributeValue(type=kind.type, value=one.values[0], aliases=(), templates=())
    values = sorted([*vocabulary.values, value], key=lambda value: (value.type, value.value))
    return replace(vocabulary, values=tuple(values))


def _flag(vocabulary: Vocabulary, kind: AttributeType, one: Proposal) -> Vocabulary:
    yes = not one.kind.startswith("not ")
    name = one.kind.removeprefix("not ")
    changed = replace(kind, exclusive=yes) if name == "exclusive" else replace(kind, askable=yes)
    types = tuple(changed if entry == kind else entry for entry in vocabulary.types)
    return replace(vocabulary, types=types)


def _rename(vocabulary: Vocabulary, kind: AttributeType, one: Proposal) -> Vocabulary | None:
    name = one.values[0]
    others = [entry for entry in vocabulary.types if entry != kind]
    taken = {fold(known) for entry in others for known in (entry.type, *entry.aliases)}
    if fold(name) in taken:
        return None
    aliases = {known for known in (kind.type, *kind.aliases) if fold(known) != fold(name)}
    new = replace(kind, type=name, aliases=tuple(sorted(aliases)))
    renamed = Vocabulary(
        types=tuple(sorted([*others, new], key=lambda entry: entry.type)),
        values=tuple(
            sorted(
                (replace(v, type=name) if v.type == kind.type else v for v in vocabulary.values),
                key=lambda value: (value.type, value.value),
            )
        ),
        set_aside=tuple(
            sorted(
                (replace(a, type=name) if a.type == kind.type else a for a in vocabulary.set_aside),
                key=lambda entry: (entry.type, entry.spelling),
            )
        ),
    )
    try:
        check(renamed)
    except UsageError:  # an alias of another type named this column
        return None
    return renamed


_CHANGES: dict[str, Callable[[Vocabulary, AttributeType, Proposal], Vocabulary | None]] = {
    "move": _move,
    "set aside type": _set_aside_type,
    "add": _add,
    "rename": _rename,
    "exclusive": _flag,
    "not exclusive": _flag,
    "askable": _flag,
    "not askable": _flag,
}
