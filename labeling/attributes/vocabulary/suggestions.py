"""Likely misspellings and misplaced values: suggested, never merged by themselves."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib import resources
from typing import Literal

import numpy as np
import yaml
from rapidfuzz.distance import OSA, JaroWinkler
from rapidfuzz.process import cdist

from benchwright.records import AttributeValue
from labeling.attributes.vocabulary.spelling import fold, garbled, similarity, tidy
from labeling.attributes.vocabulary.vocabulary import Vocabulary

_LEAST = 0.8
_LEAST_OF_RARE = 0.75  # for a value ten times rarer than what it resembles
_LEAST_MISPLACED = 0.9
_MARGIN = 1e-3  # for the rounding of the first, rough look
_BLOCK = 500  # words that are looked at together
_DIGITS = re.compile(r"\d+")
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
    text = (resources.files(__package__) / "terms.yaml").read_text("utf-8")
    return {fold(term): term for terms in yaml.safe_load(text).values() for term in terms}


def suggest(vocabulary: Vocabulary, counts: Mapping[tuple[str, str], int]) -> Sequence[Suggestion]:
    """Return what a person may want to merge, the most frequent first.

    ``counts`` says how many pictures have each (type, value). A value that is spelt like a
    well-known term is left alone. A spelling is suggested into the well-known term that it
    resembles, else into a more frequent value of its type; a rare value that is common in another
    type is suggested there.
    """
    words = [
        _Word(value=value, key=fold(value.value), count=counts.get((value.type, value.value), 0))
        for value in vocabulary.values
    ]
    unknown = [word for word in words if word.key not in known_terms()]
    alike = _alike([word.key for word in unknown], [word.key for word in words])
    found = []
    for word, places in zip(unknown, alike, strict=True):
        near = [words[place] for place in places if _same_digits(word.key, words[place].key)]
        suggestion = _misplaced(word, near) or _misspelt(word, near)
        found += [suggestion] if suggestion else []
    aside = vocabulary.aside()
    possible = [one for one in found if (fold(one.into_type), fold(one.into)) not in aside]
    return sorted(possible, key=lambda entry: (-entry.count, entry.type, entry.value))


@dataclass(frozen=True, slots=True, kw_only=True)
class _Word:
    """A value with its folded spelling, and how many pictures have it."""

    value: AttributeValue
    key: str
    count: int


def _alike(keys: Sequence[str], others: Sequence[str]) -> Iterator[Sequence[int]]:
    """Yield for each key the places of those others that may be near enough to look at."""
    for start in range(0, len(keys), _BLOCK):
        block = keys[start : start + _BLOCK]
        edits = cdist(block, others, scorer=OSA.normalized_similarity, dtype=np.float32)
        ends = cdist(block, others, scorer=JaroWinkler.similarity, dtype=np.float32)
        for row in (edits >= _LEAST_OF_RARE - _MARGIN) | (ends >= _LEAST_OF_RARE - _MARGIN):
            yield np.nonzero(row)[0].tolist()


def _same_digits(one: str, other: str) -> bool:
    """Tell whether two words hold the same numbers: 1950s is no misspelling of 1960s."""
    return _DIGITS.findall(one) == _DIGITS.findall(other)


def _misplaced(word: _Word, near: Sequence[_Word]) -> Suggestion | None:
    for other in near:
        if other.value.type == word.value.type or other.count < 10 * word.count:
            continue
        alike = similarity(word.key, other.key)
        if alike >= _LEAST_MISPLACED:
            into = other.value
            return _suggestion("misplaced", word, into.type, into.value, alike)
    return None


def _misspelt(word: _Word, near: Sequence[_Word]) -> Suggestion | None:
    best = max(_candidates(word, near), default=None)
    if best is None:
        return None
    return _suggestion("spelling", word, word.value.type, best[2], best[0])


def _candidates(word: _Word, near: Sequence[_Word]) -> Iterator[tuple[float, int, str]]:
    """Yield (similarity, pictures, spelling) of what a word could be a misspelling of."""
    for other in near:
        name = other.value.value
        if other.value.type != word.value.type or name == word.value.value:
            continue
        alike = similarity(word.key, other.key)
        if other.count >= 10 * word.count:
            alike = max(alike, garbled(word.key, other.key))
            if alike >= _LEAST_OF_RARE:
                yield alike, other.count, name
        elif alike >= _LEAST and (
            other.key in known_terms() or (other.count, name) > (word.count, word.value.value)
        ):
            yield alike, other.count, name
    if len(word.key) >= _SHORT:
        for term_key, term in known_terms().items():
            if similarity(word.key, term_key) >= _LEAST and _same_digits(word.key, term_key):
                yield similarity(word.key, term_key), 0, term


def _suggestion(
    kind: Literal["spelling", "misplaced"], word: _Word, into_type: str, into: str, alike: float
) -> Suggestion:
    return Suggestion(
        kind=kind,
        type=word.value.type,
        value=word.value.value,
        into_type=into_type,
        into=into,
        similarity=round(alike, 3),
        count=word.count,
    )


def accept(vocabulary: Vocabulary, suggestion: Suggestion) -> Vocabulary:
    """Return the vocabulary with one suggestion taken (see ``merged``)."""
    pair = suggestion.type, suggestion.value
    return merged(vocabulary, pair, (suggestion.into_type, suggestion.into))


def merged(vocabulary: Vocabulary, pair: tuple[str, str], into: tuple[str, str]) -> Vocabulary:
    """Return the vocabulary with the (type, value) ``pair`` made an alias of ``into``.

    A term that is not yet a value of the type becomes one. Where ``pair`` is no value any more,
    for an earlier merge has taken it along, nothing changes.
    """
    gone = next((one for one in vocabulary.values if (one.type, one.value) == pair), None)
    if gone is None:
        return vocabulary
    own = [gone.value, *(alias for alias in gone.aliases if ": " not in alias)]
    foreign = [alias for alias in gone.aliases if ": " in alias]
    if into[0] != gone.type or ": " in gone.value:
        own = [f"{gone.type}: {spelling}" for spelling in own]
    target = next(
        (
            value
            for value in vocabulary.values
            if value.type == into[0] and fold(into[1]) in map(fold, (value.value, *value.aliases))
        ),
        AttributeValue(type=into[0], value=tidy(into[1]), aliases=(), templates=()),
    )
    whole = replace(target, aliases=tuple(sorted({*target.aliases, *own, *foreign})))
    others = [value for value in vocabulary.values if value not in (gone, target)]
    values = sorted([*others, whole], key=lambda value: (value.type, value.value))
    return replace(vocabulary, values=tuple(values))
