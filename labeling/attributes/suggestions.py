"""Likely misspellings and misplaced values: suggested, never merged by themselves."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib import resources
from typing import Literal

import yaml

from benchwright.records import AttributeValue
from labeling.attributes.spelling import fold, garbled, similarity, tidy
from labeling.attributes.vocabulary import Vocabulary

_LEAST = 0.8
_LEAST_OF_RARE = 0.75  # for a value ten times rarer than what it resembles
_LEAST_MISPLACED = 0.9
_SHORT = 6  # letters under which nearly every word resembles some well-known term


@dataclass(frozen=True, slots=True, kw_only=True)
class Suggestion:
    """``value`` of ``type`` looks like ``into`` of ``into_type``; ``count`` pictures have it."""

    kind: Literal["spelling", "misplaced"]
    type: str
    value: str
    into_type: str
    into: str
    similarity: float  # 0 to 1
    count: int


@cache
def known_terms() -> Mapping[str, str]:
    """Return the well-known terms of terms.yaml, by folded spelling."""
    text = resources.files("labeling.attributes").joinpath("terms.yaml").read_text("utf-8")
    return {fold(term): term for terms in yaml.safe_load(text).values() for term in terms}


def suggest(vocabulary: Vocabulary, counts: Mapping[tuple[str, str], int]) -> Sequence[Suggestion]:
    """Return what a person may want to merge, the most frequent first.

    ``counts`` says how many pictures have each (type, value). A value that is spelt like a
    well-known term is left alone. A spelling is suggested into the well-known term that it
    resembles, else into a more frequent value of its type; a rare value that is common in another
    type is suggested there.
    """
    found = [
        suggestion
        for value in vocabulary.values
        if (
            suggestion := _misplaced(value, vocabulary, counts)
            or _misspelt(value, vocabulary, counts)
        )
    ]
    return sorted(found, key=lambda entry: (-entry.count, entry.type, entry.value))


def _misplaced(
    value: AttributeValue, vocabulary: Vocabulary, counts: Mapping[tuple[str, str], int]
) -> Suggestion | None:
    own = counts.get((value.type, value.value), 0)
    for other in vocabulary.values:
        if other.type == value.type:
            continue
        alike = similarity(fold(value.value), fold(other.value))
        common = counts.get((other.type, other.value), 0)
        if (
            alike >= _LEAST_MISPLACED
            and common >= 10 * own
            and fold(value.value) not in known_terms()
        ):
            return _suggestion("misplaced", value, other.type, other.value, alike, own)
    return None


def _misspelt(
    value: AttributeValue, vocabulary: Vocabulary, counts: Mapping[tuple[str, str], int]
) -> Suggestion | None:
    key = fold(value.value)
    if key in known_terms():
        return None
    own = counts.get((value.type, value.value), 0)
    best = max(_candidates(value, own, vocabulary, counts), default=None)
    if best is None:
        return None
    return _suggestion("spelling", value, value.type, best[2], best[0], own)


def _candidates(
    value: AttributeValue,
    own: int,
    vocabulary: Vocabulary,
    counts: Mapping[tuple[str, str], int],
) -> Iterator[tuple[float, int, str]]:
    """Yield (similarity, pictures, spelling) of what the value could be a misspelling of."""
    key = fold(value.value)
    for other in vocabulary.values:
        count = counts.get((other.type, other.value), 0)
        if other.type != value.type or other.value == value.value:
            continue
        alike = similarity(key, fold(other.value))
        if count >= 10 * own:
            alike = max(alike, garbled(key, fold(other.value)))
            if alike >= _LEAST_OF_RARE:
                yield alike, count, other.value
        elif alike >= _LEAST and (
            fold(other.value) in known_terms() or (count, other.value) > (own, value.value)
        ):
            yield alike, count, other.value
    for term_key, term in known_terms().items():
        if len(key) >= _SHORT and similarity(key, term_key) >= _LEAST:
            yield similarity(key, term_key), 0, term


def _suggestion(
    kind: Literal["spelling", "misplaced"],
    value: AttributeValue,
    into_type: str,
    into: str,
    alike: float,
    count: int,
) -> Suggestion:
    return Suggestion(
        kind=kind,
        type=value.type,
        value=value.value,
        into_type=into_type,
        into=into,
        similarity=round(alike, 3),
        count=count,
    )


def accept(vocabulary: Vocabulary, suggestion: Suggestion) -> Vocabulary:
    """Return the vocabulary with one suggestion taken: the value becomes an alias.

    A term that is not yet a value of the type becomes one.
    """
    gone = next(
        (
            value
            for value in vocabulary.values
            if (value.type, value.value) == (suggestion.type, suggestion.value)
        ),
        None,
    )
    if gone is None:  # an earlier suggestion has taken it along
        return vocabulary
    own = [gone.value, *(alias for alias in gone.aliases if ": " not in alias)]
    foreign = [alias for alias in gone.aliases if ": " in alias]
    if suggestion.into_type != gone.type or ": " in gone.value:
        own = [f"{gone.type}: {spelling}" for spelling in own]
    into = next(
        (
            value
            for value in vocabulary.values
            if value.type == suggestion.into_type
            and fold(suggestion.into) in map(fold, (value.value, *value.aliases))
        ),
        AttributeValue(
            type=suggestion.into_type, value=tidy(suggestion.into), aliases=(), templates=()
        ),
    )
    merged = replace(into, aliases=tuple(sorted({*into.aliases, *own, *foreign})))
    others = [value for value in vocabulary.values if value not in (gone, into)]
    values = sorted([*others, merged], key=lambda value: (value.type, value.value))
    return replace(vocabulary, values=tuple(values))
