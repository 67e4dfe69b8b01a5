"""The rules that every template keeps, whoever wrote it: pure functions of words.

A yes must mean that the value is there, a no that it is not, and nothing else may be asked. What
a value or its type is called is taken out before the words are looked at: a colour named
"black or white" is no alternative.
"""

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Literal

import yaml

from benchwright.records import AttributeType, AttributeValue
from labeling.attributes.templates.meaning import own_names
from labeling.attributes.templates.phrases import words_of
from labeling.attributes.vocabulary.spelling import fold
from labeling.attributes.vocabulary.vocabulary import Vocabulary

NOUN = "{noun}"
LONGEST = 200  # characters
_MOST_WORDS = 40

Reason = Literal[
    "no yes/no question",
    "not about the value",
    "names another value",
    "negation",
    "alternatives",
    "noun",
    "too long",
    "repeated",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Fault:
    """The rule that a template breaks, and how."""

    reason: Reason
    message: str


@cache
def _words(of: str) -> frozenset[str]:
    """Return one of the lists of rules.yaml."""
    place = resources.files("labeling.attributes.templates").joinpath("rules.yaml")
    return frozenset(yaml.safe_load(place.read_text("utf-8"))[of])


_NOT = re.compile(r"n['’]t\b|\b(?:other than|rather than|opposite of)\b", re.IGNORECASE)
_TURNED = re.compile(r"(?:un|non|dis)(?=\w{3})")
_GLUED = re.compile(r"[\w'’-]\{noun\}|\{noun\}[\w'’-]")
_ARTICLE = re.compile(r"\ban?\s+\{noun\}", re.IGNORECASE)
_BETWEEN = re.compile(r"[.!?;:]|\n")
_UNSHOWN = frozenset({"Cc", "Cs", "Zl", "Zp"})  # controls, halves of letters, line ends
_TAKEN_OUT = "\0"

Span = tuple[int, int]


class Rules:
    """The rules for the templates of one vocabulary."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self._kinds = {entry.type: entry for entry in vocabulary.types}
        self._named: dict[str, list[str]] = {}  # folded name: the values that it names
        longest = 0
        for value in vocabulary.values:
            for name in filter(words_of, _spelled(value)):  # a mere ? is named by none
                self._named.setdefault(fold(name), []).append(f"{value.type}: {value.value}")
                longest = max(longest, len(name))
        self._longest = longest + 8  # blanks and hyphens may be added

    def kind(self, value: AttributeValue) -> AttributeType:
        """Return the type of a value."""
        return self._kinds[value.type]

    def fault(self, value: AttributeValue, template: str) -> Fault | None:
        """Return the first rule that a template of a value breaks, or null."""
        return next(self._faults(value, template), None)

    def _faults(self, value: AttributeValue, template: str) -> Iterator[Fault]:
        if len(template) > LONGEST:
            yield Fault(reason="too long", message=f"over {LONGEST} characters")
            return
        if any(unicodedata.category(letter) in _UNSHOWN for letter in template):
            yield Fault(reason="no yes/no question", message="holds a character without a shape")
            return
        if len(words_of(template)) > _MOST_WORDS:
            yield Fault(reason="too long", message=f"over {_MOST_WORDS} words")
            return
        yield from _noun_faults(template)
        kind = self.kind(value)
        said = template.replace(NOUN, _TAKEN_OUT * len(NOUN))  # a value may be named noun
        own = _spans(said, {fold(name) for name in own_names(kind, value)})
        if not own:
            shown = own_names(kind, value)
            yield Fault(reason="not about the value", message=f"does not name {shown[0]!r}")
        of_type = _spans(said, {fold(name) for name in (kind.type, *kind.aliases)})
        other = self._other(said, [*own, *of_type])
        if other is not None:
            yield Fault(reason="names another value", message=f"names {other} as well")
        rest = _without(template, [*own, *of_type])
        yield from _word_faults(rest, words_of(" ".join(own_names(kind, value))))
        yield from _form_faults(template, rest)

    def _other(self, template: str, allowed: list[Span]) -> str | None:
        """Return a value whose name stands in a template outside the allowed spans."""
        for start, end in _windows(template, self._longest):
            named = self._named.get(fold(template[start:end]))
            inside = any(first <= start and end <= last for first, last in allowed)
            if named is not None and not inside:
                return named[0]
        return None


def _spelled(value: AttributeValue) -> Iterator[str]:
    yield value.value
    for alias in value.aliases:
        yield alias.partition(": ")[2] or alias


def _windows(text: str, longest: int) -> Iterator[Span]:
    """Yield every run of whole words, from the first place on, up to a length in characters."""
    edges = [at for at in range(len(text) + 1) if _is_edge(text, at)]
    for number, start in enumerate(edges):
        if start < len(text) and text[start].isspace():
            continue
        for end in edges[number + 1 :]:
            if end - start > longest:
                break
            if not text[end - 1].isspace():
                yield start, end


def _is_edge(text: str, at: int) -> bool:
    return at in (0, len(text)) or not (text[at - 1].isalnum() and text[at].isalnum())


def _spans(text: str, names: set[str]) -> list[Span]:
    longest = max(map(len, names)) * 2 + 8
    return [span for span in _windows(text, longest) if fold(text[slice(*span)]) in names - {""}]


def _without(text: str, spans: list[Span]) -> str:
    gone = {at for start, end in spans for at in range(start, end)}
    return "".join(_TAKEN_OUT if at in gone else letter for at, letter in enumerate(text))


def _noun_faults(template: str) -> Iterator[Fault]:
    said = template.count(NOUN)
    left = template.replace(NOUN, "")
    if said != 1:
        yield Fault(reason="noun", message=f"holds {NOUN} {said} times, not once")
    elif "{" in left or "}" in left:
        yield Fault(reason="noun", message=f"holds a brace that is none of {NOUN}")
    elif _GLUED.search(template) or _ARTICLE.search(template):
        yield Fault(reason="noun", message=f"joins {NOUN} to a word or to a/an; write the {NOUN}")


def _form_faults(template: str, rest: str) -> Iterator[Fault]:
    words = words_of(template)
    is_one = rest.endswith("?") and not _BETWEEN.search(rest[:-1])
    if not words or words[0] not in _words("openers") or not is_one:
        yield Fault(
            reason="no yes/no question", message="is not one question from Is/Does/Can to ?"
        )
    more = _words("asks_more") & set(words_of(rest))
    if more:
        yield Fault(reason="no yes/no question", message=f"asks {min(more)!r}")


def _word_faults(rest: str, own: tuple[str, ...]) -> Iterator[Fault]:
    words = words_of(rest.replace(NOUN, ""))
    found = [word for word in words if word in _words("negating")]
    turned = [word for word in words if _turns_round(word, own)]
    phrase = _NOT.search(rest)
    if found or turned or phrase:
        what = (found or turned or [phrase[0] if phrase else ""])[0]
        yield Fault(reason="negation", message=f"turns the question round by {what!r}")
    two = [word for word in words if word in _words("two")]
    if two:
        yield Fault(reason="alternatives", message=f"asks two things by {two[0]!r}")


def _turns_round(word: str, own: tuple[str, ...]) -> bool:
    """Tell whether a word is one of the value's own words made its opposite."""
    lead = _TURNED.match(word)
    stems = [word[lead.end() :]] if lead else []
    stems += [word.removesuffix("less")] if word.endswith("less") else []
    return any(stem in own for stem in stems)


def repeats(template: str, others: tuple[str, ...]) -> Fault | None:
    """Return a fault where a template has the words of another, whatever their case and marks."""
    if any(words_of(template) == words_of(other) for other in others):
        return Fault(reason="repeated", message="says what another template says")
    return None
