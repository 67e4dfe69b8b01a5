"""What models answer about a type, and what of it holds against what they were asked."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

import pydantic

from benchwright.plain_text import excerpt
from labeling.attributes.vocabulary.spelling import fold, tidy
from labeling.attributes.vocabulary.suggestions import known_terms

_LONGEST_NAME = 60  # characters of a name that a model gives
_LONGEST_REASON = 160


class _Said(pydantic.BaseModel):
    # no defaults and no bounds: servers that enforce a schema want every key, and few bounds
    model_config = pydantic.ConfigDict(extra="forbid", strict=True)


class SaidMerge(_Said):
    """Values that name the same thing."""

    same: list[str]
    keep: str
    why: str


class SaidValue(_Said):
    """A value, and why it is named."""

    value: str
    why: str


class SaidOfType(_Said):
    """What holds for the type as a whole; ``not_visual`` is empty where it can be seen."""

    name: str
    exclusive: bool
    askable: bool
    not_visual: str


class LaterAnswer(_Said):
    """The answer about a further part of a type's values."""

    merges: list[SaidMerge]
    not_visual: list[SaidValue]


class FirstAnswer(LaterAnswer):
    """The answer about the first part of a type's values, and about the type."""

    alternatives: list[SaidValue]
    about: SaidOfType


class Verdict(_Said):
    """Whether a numbered proposal is right."""

    number: int
    accept: bool


class ReviewAnswer(_Said):
    """The answer about the proposals of others."""

    verdicts: list[Verdict]


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What a question was about: values of a type, and what else the answer is checked against.

    ``present`` are the folded spellings that the type has or has set aside, ``elsewhere`` those
    of other types, ``names`` the folded names of other types. ``most`` alternatives are wanted.
    """

    type: str
    values: tuple[str, ...]
    present: frozenset[str] = frozenset()
    elsewhere: frozenset[str] = frozenset()
    names: frozenset[str] = frozenset()
    most: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Group:
    """Values that a voter takes for one; ``keep`` is null where it named none of them."""

    values: tuple[str, ...]
    keep: str | None
    why: str


@dataclass(slots=True, kw_only=True)
class Ideas:
    """What one voter thinks of one type, as far as it holds; ``ignored`` counts what does not."""

    groups: list[Group] = field(default_factory=list)
    set_aside: dict[str, str] = field(default_factory=dict)  # value: why
    add: dict[str, str] = field(default_factory=dict)  # new value: why
    name: str | None = None
    exclusive: bool | None = None
    askable: bool | None = None
    not_visual: str = ""
    ignored: Counter[str] = field(default_factory=Counter)


def take(ideas: Ideas, answer: LaterAnswer, asked: Asked) -> None:
    """Add to the ideas what of an answer is about what was asked."""
    known = {fold(value): value for value in asked.values}
    for merge in answer.merges:
        _take_merge(ideas, merge, asked, known)
    for said in answer.not_visual:
        value = known.get(fold(said.value))
        if value is None:
            ideas.ignored[_stranger(said.value, asked)] += 1
        else:
            ideas.set_aside.setdefault(value, excerpt(said.why, _LONGEST_REASON))
    if isinstance(answer, FirstAnswer):
        _take_alternatives(ideas, answer.alternatives, asked)
        _take_type(ideas, answer.about, asked)


def _take_merge(ideas: Ideas, merge: SaidMerge, asked: Asked, known: dict[str, str]) -> None:
    found = set()
    for said in dict.fromkeys([*merge.same, merge.keep]):
        value = known.get(fold(said))
        if value is None:
            ideas.ignored[_stranger(said, asked)] += 1
        else:
            found.add(value)
    if len(found) < 2:
        ideas.ignored["a merge of less than two values"] += 1
        return
    keep = known.get(fold(merge.keep))
    ideas.groups.append(
        Group(values=tuple(sorted(found)), keep=keep, why=excerpt(merge.why, _LONGEST_REASON))
    )


def _stranger(said: str, asked: Asked) -> str:
    other = fold(said) in asked.elsewhere
    return "a value of another type" if other else "a value that was not asked about"


def _take_alternatives(ideas: Ideas, said: Sequence[SaidValue], asked: Asked) -> None:
    taken = set(asked.present)
    for one in said:
        name = named(one.value)
        if name is None:
            ideas.ignored["a name that is none"] += 1
        elif fold(name) in taken:
            ideas.ignored["an alternative that is there already"] += 1
        elif len(ideas.add) >= asked.most:
            ideas.ignored["an alternative over the number wanted"] += 1
        else:
            taken.add(fold(name))
            ideas.add[known_terms().get(fold(name), name)] = excerpt(one.why, _LONGEST_REASON)


def _take_type(ideas: Ideas, said: SaidOfType, asked: Asked) -> None:
    ideas.exclusive, ideas.askable = said.exclusive, said.askable
    ideas.not_visual = excerpt(said.not_visual, _LONGEST_REASON)
    name = named(said.name)
    if name is None:
        ideas.ignored["a name that is none"] += 1
    elif fold(name) in asked.names:
        ideas.ignored["a name of another type"] += 1
    else:
        ideas.name = name


def verdicts_of(answer: ReviewAnswer, number: int) -> tuple[dict[int, bool], int]:
    """Return the verdicts on proposals 1 to ``number``, and how many were of no use.

    A proposal that got both verdicts has none.
    """
    found: dict[int, set[bool]] = {}
    for verdict in answer.verdicts:
        if 1 <= verdict.number <= number:
            found.setdefault(verdict.number, set()).add(verdict.accept)
    clear = {at: next(iter(said)) for at, said in found.items() if len(said) == 1}
    strangers = sum(not 1 <= verdict.number <= number for verdict in answer.verdicts)
    return clear, strangers + len(found) - len(clear)


def named(said: str) -> str | None:
    """Return a name that a model gave in our spelling, null when it can be none."""
    name = tidy(said)
    bad = len(name) > _LONGEST_NAME or not name.isprintable() or ": " in name or "," in name
    return None if bad or not any(map(str.isalnum, fold(name))) else name
