"""Questions from patterns: the wordings of patterns.yaml, filled in for a value of any type."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib import resources
from typing import Any

import yaml

from benchwright.records import AttributeType, AttributeValue
from labeling.attributes.templates.checking import NOUN, Rules, repeats
from labeling.attributes.templates.meaning import Meaning, meaning_of
from labeling.attributes.templates.phrases import (
    holds_one_of,
    is_adjective,
    is_plural,
    with_article,
)
from labeling.attributes.vocabulary.spelling import fold, similarity, tidy

_MISSPELT = 0.85  # how alike a type's name is to the one that it is taken for
_LEAST_LETTERS = 6
_NUMBER = re.compile(r"\d+(?:[.,]\d+)?")
_COUNT = re.compile(r"^(?:number|count) of ")
_PLACE = re.compile(r"\{(\w+)\}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Kind:
    """A kind of type: the wordings for it, and what completes the name of a value.

    ``adjectives`` names the set of wordings that values get which are adjectives.
    """

    says: tuple[str, ...]
    head: str | None = None
    heads: tuple[str, ...] = ()
    completes: str = "all"
    adjectives: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Patterns:
    """What patterns.yaml says."""

    sets: Mapping[str, tuple[str, ...]]
    kinds: Mapping[str, Kind]
    types: Mapping[str, tuple[str, str]]  # by folded name of a type: its usual spelling, its kind
    adjectives: frozenset[str]
    uncountable: frozenset[str]


@cache
def patterns() -> Patterns:
    """Return the patterns that the package brings along."""
    place = resources.files("labeling.attributes.templates").joinpath("patterns.yaml")
    said: dict[str, Any] = yaml.safe_load(place.read_text("utf-8"))
    kinds = {name: _kind(entry) for name, entry in said["kinds"].items()}
    return Patterns(
        sets={name: tuple(wordings) for name, wordings in said["any"].items()},
        kinds=kinds,
        types={
            fold(spelling): (spelling, name)
            for name, entry in said["kinds"].items()
            for spelling in entry["types"]
        },
        adjectives=frozenset(map(fold, said["adjectives"])),
        uncountable=frozenset(map(fold, said["uncountable"])),
    )


def _kind(entry: Mapping[str, Any]) -> Kind:
    return Kind(
        says=tuple(entry["says"]),
        head=entry.get("head"),
        heads=tuple(entry.get("heads", ())),
        completes=entry.get("completes", "all"),
        adjectives=entry.get("adjectives"),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """What a type is called in questions and its kind; ``is_exact``: not by its last word alone."""

    label: str
    kind: Kind | None
    is_exact: bool = True


def pattern_templates(rules: Rules, value: AttributeValue) -> Iterator[str]:
    """Yield the questions that the patterns give for a value, each by the rules, the best first.

    There are four and more but where names are at odds with every wording: a value that is called
    "the" leaves nothing to say about any other.
    """
    given: list[str] = []
    for template in _filled(rules.kind(value), value):
        if rules.fault(value, template) is None and repeats(template, tuple(given)) is None:
            given.append(template)
            yield template


def _filled(entry: AttributeType, value: AttributeValue) -> Iterator[str]:
    meaning, found = meaning_of(entry, value), found_kind(entry)
    name = " ".join(value.value.replace("_", " ").split())
    if _NUMBER.fullmatch(name):
        found = replace(found, label=_COUNT.sub("", found.label))
    for wording, thing in _wordings(meaning, found, name):
        yield _fill(wording, label=found.label, value=name, thing=thing)


def found_kind(entry: AttributeType) -> Found:
    """Return the kind of a type by its name or an alias, and what questions call it."""
    for name in (entry.type, *entry.aliases):
        known = _known(name)
        if known is not None:
            return replace(known, label=tidy(entry.type)) if not known.is_exact else known
    return Found(label=tidy(entry.type), kind=None)


@cache
def _known(name: str) -> Found | None:
    types, kinds = patterns().types, patterns().kinds
    key, tidied = fold(name), tidy(name)
    if key in types:
        spelling, kind = types[key]
        return Found(label=spelling, kind=kinds[kind])
    if len(key) >= _LEAST_LETTERS:
        best = max(sorted(types), key=lambda known: similarity(key, known))
        if similarity(key, best) >= _MISSPELT:
            return Found(label=types[best][0], kind=kinds[types[best][1]])
    last = tidied.split()[-1] if tidied else ""
    if fold(last) in types:
        return Found(label=tidied, kind=kinds[types[fold(last)][1]], is_exact=False)
    return None


def _wordings(meaning: Meaning, found: Found, name: str) -> Iterator[tuple[str, str]]:
    """Yield wordings with the thing that each may name, the best first."""
    if meaning.claim == "quality":
        yield from _of_quality(found, name)
        return
    sets, things = patterns().sets, meaning.things
    if all(map(_is_adjective, things)):  # nobody is free of waterproof
        traits = [wording.replace("{value}", "{thing}") for wording in sets["trait"]]
        chosen: Sequence[str] = traits if meaning.claim == "present" else ()
    else:
        chosen = sets["thing" if meaning.claim == "present" else "absent"]
        things = tuple(thing for thing in things if not _is_adjective(thing))
    yield from ((wording, thing) for thing in things for wording in chosen)
    yield from ((wording, name) for wording in sets["entry"])


def _of_quality(found: Found, name: str) -> Iterator[tuple[str, str]]:
    sets = patterns().sets
    thing, is_thing = thing_of(found, name)
    is_number = _NUMBER.fullmatch(name) is not None
    chosen: list[str] = []
    if is_number and is_plural(found.label):
        chosen += sets["number"]
    elif name.endswith("less"):
        chosen += sets["trait"]
    elif found.kind is not None and not is_number:
        chosen += _of_kind(found.kind, name)
    if is_thing and not is_number:
        chosen += sets["thing"]
    chosen += [*sets["quality"], *sets["entry"]]
    if not found.is_exact:  # a child with black hair is not black
        chosen = [wording for wording in chosen if "{type}" in wording]
    doubling = [one for one in chosen if _doubles(one, found.label, name, thing)]
    first = [one for one in chosen if one not in doubling]
    yield from ((wording, thing) for wording in [*first, *sets["thing"], *doubling])


def _of_kind(kind: Kind, name: str) -> Sequence[str]:
    if kind.adjectives is not None and _is_adjective(name):
        return patterns().sets[kind.adjectives]
    return kind.says


def _doubles(wording: str, label: str, name: str, thing: str) -> bool:
    """Tell whether a wording says the type twice: the neckline is a v neckline."""
    said = thing if "thing}" in wording else name
    return "{type}" in wording and '"' not in wording and holds_one_of(said, [label])


def thing_of(found: Found, name: str) -> tuple[str, bool]:
    """Return the value as a noun phrase, and whether it surely is one."""
    kind, label = found.kind, found.label
    if kind is None:
        return name, holds_one_of(name, [label])
    head = label if kind.head == "{type}" else kind.head
    if head is None:
        return name, False
    if holds_one_of(name, (head, *kind.heads)) or (
        is_plural(name) and not _is_adjective(name) and not is_plural(head)
    ):
        return name, True
    if kind.completes == "adjectives" and not _is_adjective(name):
        return name, False
    return f"{name} {head}", True


def _is_adjective(phrase: str) -> bool:
    return is_adjective(phrase, patterns().adjectives)


def _fill(wording: str, *, label: str, value: str, thing: str) -> str:
    filled = {
        "noun": NOUN,
        "type": label,
        "value": value,
        "thing": thing,
        "a_thing": thing if _is_adjective(thing) else with_article(thing, patterns().uncountable),
        "Is": "Are" if is_plural(label) else "Is",
        "There": "Are there" if is_plural(thing) else "Is there",
    }
    return _PLACE.sub(lambda place: filled[place[1]], wording)
