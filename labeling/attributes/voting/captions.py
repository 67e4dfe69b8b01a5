"""Captions in pairs, with a value and without it: the wordings of captions.yaml, filled in."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from importlib import resources
from math import lcm
from typing import Any

import yaml

from benchwright.errors import UsageError
from benchwright.records import AttributeType, AttributeValue
from benchwright.store import digest_of
from labeling.attributes.templates.meaning import meaning_of
from labeling.attributes.templates.patterns import Found, found_kind, patterns, thing_of
from labeling.attributes.templates.phrases import is_adjective, is_plural, with_article
from labeling.attributes.vocabulary.spelling import fold, tidy
from labeling.attributes.voting.ensemble import ClipVoter
from labeling.attributes.voting.plan import VotingPlan

_PLACE = re.compile(r"\{(\w+)\}")
_NUMBER = re.compile(r"\d+(?:[.,]\d+)?")
_RECENT = 20_000  # pairs that are kept: each is wanted for every picture

_Pairs = tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class CaptionPair:
    """A caption of pictures with the value, and one of pictures without.

    ``of_all_parts``: a picture that is shown in parts has the value only where all parts have it
    (nothing is missing from a picture that is missing from one corner).
    """

    with_value: str
    without: str
    of_all_parts: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class _Wordings:
    frames: tuple[str, ...]
    sets: Mapping[str, _Pairs]
    kinds: Mapping[str, _Pairs]
    digest: str


@cache
def _wordings() -> _Wordings:
    place = resources.files("labeling.attributes.voting").joinpath("captions.yaml")
    said: dict[str, Any] = yaml.safe_load(place.read_text("utf-8"))
    return _Wordings(
        frames=tuple(said["frames"]),
        sets={name: _pairs(entries) for name, entries in said["any"].items()},
        kinds={name: _pairs(entries) for name, entries in said["kinds"].items()},
        digest=digest_of(said),
    )


def _pairs(entries: Sequence[Sequence[str]]) -> _Pairs:
    return tuple((with_value, without) for with_value, without in entries)


def captions_digest() -> str:
    """Return the digest of all wordings: thresholds hold for these only."""
    return _wordings().digest


@lru_cache(_RECENT)
def caption_pair(kind: AttributeType, value: AttributeValue, noun: str, number: int) -> CaptionPair:
    """Return the pair with a number, from 1, for a value of what the noun names.

    Pairs with different numbers differ. Raises UsageError for a number beyond the last, which is
    10 or more.
    """
    wordings = _wordings()
    chosen, filling = _chosen(kind, value)
    last = lcm(len(wordings.frames), len(chosen))
    if not 1 <= number <= last:
        raise UsageError(
            f"{kind.type}: {value.value}: wanted caption pair {number}, and there are {last}; ask"
            " for fewer templates, or leave the clip voter away"
        )
    frame = wordings.frames[(number - 1) % len(wordings.frames)]
    filled = filling | {
        "noun": noun,
        "a_noun": _with_article(noun),
        "a_value_noun": _with_article(f"{filling['value']} {noun}"),
    }
    with_value, without = (
        frame.format(_PLACE.sub(lambda place: filled[place[1]], caption))
        for caption in chosen[(number - 1) % len(chosen)]
    )
    return CaptionPair(
        with_value=with_value, without=without, of_all_parts=chosen is wordings.sets["absent"]
    )


def check_captions(plan: VotingPlan) -> None:
    """Raise UsageError when a clip voter has fewer pairs for a value than there are templates."""
    if not any(isinstance(voter, ClipVoter) for voter in plan.ensemble.voters):
        return
    types = {entry.type: entry for entry in plan.vocabulary.types}
    entries = {(entry.type, entry.value): entry for entry in plan.vocabulary.values}
    for value in plan.values:
        entry = entries[value.type, value.value]
        caption_pair(types[value.type], entry, "thing", plan.ensemble.templates)


def _chosen(kind: AttributeType, value: AttributeValue) -> tuple[_Pairs, dict[str, str]]:
    """Return the pairs for a value, and what fills their places but for the noun."""
    sets = _wordings().sets
    meaning, found, name = meaning_of(kind, value), found_kind(kind), tidy(value.value)
    if fold(found.label) == fold(kind.type):  # spelt as the vocabulary does
        found = replace(found, label=tidy(kind.type))
    if meaning.claim != "quality":
        thing = meaning.things[0]
        return sets[meaning.claim], _filling(found.label, name, thing)
    thing, is_thing = thing_of(found, name)
    filling = _filling(found.label, name, thing)
    if _NUMBER.fullmatch(name) and is_plural(found.label):
        return sets["number"], filling
    if name.endswith("less"):
        return sets["trait"], filling
    own = _wordings().kinds.get(_kind_name(found))
    if own is not None and found.is_exact:
        return own, filling
    return sets["thing" if is_thing and found.is_exact else "quality"], filling


def _kind_name(found: Found) -> str:
    kinds = patterns().kinds
    return next((name for name, kind in kinds.items() if kind is found.kind), "")


def _filling(label: str, value: str, thing: str) -> dict[str, str]:
    return {"type": label, "value": value, "thing": thing, "a_thing": _with_article(thing)}


def _with_article(phrase: str) -> str:
    if is_adjective(phrase, patterns().adjectives):
        return phrase
    return with_article(phrase, patterns().uncountable)
