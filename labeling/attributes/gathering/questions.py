"""What models are asked about a vocabulary, type by type.

The order of values and proposals is drawn from the seed and their names, so that it does not
depend on rows or voters and says nothing of how common a value is.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from benchwright.asking.requests import Request
from benchwright.records import AttributeType
from benchwright.seeds import shuffled
from labeling.attributes.gathering.answers import Asked, FirstAnswer, LaterAnswer
from labeling.attributes.gathering.proposals import Kind, Pictures, Proposal
from labeling.attributes.vocabulary.spelling import fold
from labeling.attributes.vocabulary.suggestions import Suggestion
from labeling.attributes.vocabulary.vocabulary import Vocabulary

_PART = 60  # values in one question
_COMMON = 15  # of them the most common of the type, into which rare ones are merged
_LONGEST = 200  # characters of a value; what is longer is a sentence, and not asked about
_REVIEWED = 40  # proposals in one question
_ANSWER = 2000  # tokens; raised once where they do not do
_VERDICTS = 1000


@dataclass(frozen=True, slots=True, kw_only=True)
class TypeQuestion:
    """A question about values of one type, the first of the type also about the type itself."""

    asked: Asked
    is_first: bool
    request: Request

    @property
    def form(self) -> type[LaterAnswer]:
        """The form of the answer."""
        return FirstAnswer if self.is_first else LaterAnswer


@dataclass(frozen=True, slots=True, kw_only=True)
class Review:
    """A question about proposals of others, numbered from 1."""

    proposals: tuple[Proposal, ...]
    request: Request


def type_questions(
    vocabulary: Vocabulary,
    suggestions: Sequence[Suggestion],
    pictures: Pictures,
    *,
    most: int,
    seed: int,
) -> Iterator[TypeQuestion]:
    """Yield the questions about all types, by their names.

    A well-known term that text distance suggests for a value is listed with it. ``most`` is how
    many alternatives are wanted of a type.
    """
    present = _present(vocabulary)
    for kind in vocabulary.types:
        near = [one for one in suggestions if one.type == kind.type and one.kind == "spelling"]
        others = [name for name in present if name != kind.type]
        elsewhere = frozenset().union(*(present[name] for name in others))
        names = frozenset(
            fold(name)
            for entry in vocabulary.types
            if entry != kind
            for name in (entry.type, *entry.aliases)
        )
        for at, part in enumerate(_parts(vocabulary, kind.type, pictures, seed)):
            values = {*part, *(one.into for one in near if one.value in part)}
            asked = Asked(
                type=kind.type,
                values=tuple(shuffled(sorted(values), seed, "vocabulary", kind.type)),
                present=present[kind.type],
                elsewhere=elsewhere - {fold(value) for value in values},
                names=names,
                most=most,
            )
            text = _first_text(kind, asked, pictures) if at == 0 else _text(asked, pictures)
            request = Request.of(text, max_tokens=_ANSWER, temperature=0)
            yield TypeQuestion(asked=asked, is_first=at == 0, request=request)


def _present(vocabulary: Vocabulary) -> dict[str, frozenset[str]]:
    """Return the folded spellings of each type, those that are set aside among them."""
    found: dict[str, set[str]] = {kind.type: set() for kind in vocabulary.types}
    for value in vocabulary.values:
        found[value.type].update(map(fold, (value.value, *value.aliases)))
    for entry in vocabulary.set_aside:
        found[entry.type].add(fold(entry.spelling))
    return {name: frozenset(spellings) for name, spellings in found.items()}


def _parts(
    vocabulary: Vocabulary, type_name: str, pictures: Pictures, seed: int
) -> Iterator[set[str]]:
    """Yield the values of a type; where they are many, the most common ones in every part."""
    values = sorted(
        (
            value.value
            for value in vocabulary.values
            if value.type == type_name and len(value.value) <= _LONGEST
        ),
        key=lambda value: (-pictures.get((type_name, value), 0), value),
    )
    if len(values) <= _PART:
        if values:
            yield set(values)
        return
    common, rest = values[:_COMMON], shuffled(values[_COMMON:], seed, "part", type_name)
    size = _PART - _COMMON
    for start in range(0, len(rest), size):
        yield {*common, *rest[start : start + size]}


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def _text(asked: Asked, pictures: Pictures) -> str:
    values = "\n".join(
        f"- {_quoted(value)} ({pictures.get((asked.type, value), 0)})" for value in asked.values
    )
    return f"""\
The pictures of a catalog are labelled with attributes. For the attribute {_quoted(asked.type)}
people wrote these values, each with the number of pictures that have it:
{values}

Bring them into order, so that each value is something that one can see.
merges: values that are two words for the same thing: synonyms, misspellings, short forms, a
brand's own word such as a fancy name of a colour. Name them all in "same", and in "keep" the one
of them that is the usual word. What only looks alike, or is a kind of the other, stays apart.
not_visual: values that cannot be told from a picture alone, such as brands, prices, sizes, how to
wash it, or that say nothing, such as "other"; "why" takes a few words.
Write values just as they stand above. An empty list is right where there is nothing to say."""


def _first_text(kind: AttributeType, asked: Asked, pictures: Pictures) -> str:
    return f"""{_text(asked, pictures)}
alternatives: at most {asked.most} values of this attribute that are not listed, that pictures of
such a catalog may well show and that one can see; "why" says by what one sees it.
about: the attribute as a whole. "name": its readable name in plain lower-case words. "exclusive":
whether one object has one value of it at most. "askable": whether somebody who looks for one
picture among similar ones may be asked about it; that is false for colour, print and pattern,
lengths, sizes, age, background and things worn with it. "not_visual": why none of its values can
be told from a picture, or an empty text where they can. So far it is taken for {
        "exclusive" if kind.exclusive else "not exclusive"
    }
and for {"askable" if kind.askable else "not askable"}."""


def reviews(
    voter: str, kind: AttributeType, proposals: Sequence[Proposal], values: Sequence[str], seed: int
) -> Iterator[Review]:
    """Yield the questions to a voter about what it did not propose itself.

    ``values`` are the most common values of the type, shown for orientation.
    """
    by_name = {
        one.names()[-1]: one
        for one in proposals
        if one.kind in _CLAIMS and voter not in one.proposed_by
    }
    names = shuffled(sorted(by_name), seed, "review", kind.type)
    for start in range(0, len(names), _REVIEWED):
        part = tuple(by_name[name] for name in names[start : start + _REVIEWED])
        request = Request.of(
            _review_text(kind, part, values[:_REVIEWED]), max_tokens=_VERDICTS, temperature=0
        )
        yield Review(proposals=part, request=request)


_CLAIMS: Mapping[Kind, str] = {  # of the values of a proposal
    "merge": "{} and {} are two words for the same thing",
    "set aside": "{} cannot be told from a picture alone, or says nothing",
    "set aside type": "no value of this attribute can be told from a picture alone",
    "add": "{} is a further value of this attribute that one can see in pictures, and no other"
    " word for one that is listed",
    "rename": "{} is a right and readable name of this attribute",
}


def _review_text(kind: AttributeType, part: Sequence[Proposal], values: Sequence[str]) -> str:
    common = ", ".join(map(_quoted, values)) or "none"
    claims = "\n".join(
        f"{at}. {_CLAIMS[one.kind].format(*map(_quoted, one.values))}"
        for at, one in enumerate(part, start=1)
    )
    return f"""\
The pictures of a catalog are labelled with attributes. Somebody says the following of the
attribute {_quoted(kind.type)}, whose common values are {common}:
{claims}

Judge each by itself: "number" is its number, "accept" is true only where it holds for sure. Two
words that only look alike, or of which one is a kind of the other, are not the same thing."""
