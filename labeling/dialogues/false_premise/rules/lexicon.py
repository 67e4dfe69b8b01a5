"""The words that the rules know: words.yaml, read once."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any, Literal

from benchwright.yaml_files import parse_text

Pronoun = Literal["he", "she", "it", "they"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Lexicon:
    """What is known of words, all in the singular and in small letters.

    ``parents`` are the kinds right above a kind; ``same`` gives for a word the words that it is
    one with; ``young`` the word for the grown; ``ages`` the number of its list of ages. The rest
    are the lists of words.yaml.
    """

    parents: Mapping[str, frozenset[str]]
    same: Mapping[str, frozenset[str]]
    young: Mapping[str, str]
    ages: Mapping[str, int]
    pronouns: Mapping[str, Pronoun]
    plurals: Mapping[str, str]
    properties: Mapping[str, frozenset[str]]
    body: frozenset[str]
    before_a_place: frozenset[str]
    places: frozenset[str]
    places_as_one_word: tuple[str, ...]
    companions: frozenset[str]
    measures: frozenset[str]
    after_a_noun: frozenset[str]
    verbs: frozenset[str]
    before_a_subject: frozenset[str]
    no_thing: frozenset[str]
    of_nothing: frozenset[str]

    def is_noun(self, word: str) -> bool:
        """Tell whether a word in the singular is one for a person, vehicle, animal or food."""
        return word in self.parents or word in self.same or word in self.ages

    def above(self, word: str) -> frozenset[str]:
        """Return all kinds that a kind is of; itself is not among them."""
        seen: set[str] = set()
        ahead = [word]
        while ahead:
            new = self.parents.get(ahead.pop(), frozenset()) - seen
            seen |= new
            ahead += new
        return frozenset(seen)

    def properties_of(self, word: str) -> frozenset[str]:
        """Return the properties that a word is a value of; none for a word that is not known."""
        return frozenset(name for name, values in self.properties.items() if word in values)

    def is_of_a_part(self, word: str) -> bool:
        """Tell whether a word in the singular names clothing, or a part of a body or a thing."""
        return word in self.body or word in self.properties["clothing"]


@cache
def lexicon() -> Lexicon:
    """Return what words.yaml says."""
    text = resources.files(__package__).joinpath("words.yaml").read_text("utf-8")
    said: dict[str, Any] = parse_text(text)  # on is a word
    parents: dict[str, frozenset[str]] = {}
    for child, parent in _edges(said["kinds"], None):
        above = frozenset() if parent is None else frozenset((parent,))
        parents[child] = parents.get(child, frozenset()) | above
    same: dict[str, frozenset[str]] = {}
    for group in said["same"]:
        for word in group:
            same[word] = same.get(word, frozenset()) | {group[0]}
    pronouns: dict[str, Pronoun] = dict.fromkeys(said["he"], "he")
    pronouns |= dict.fromkeys(said["she"], "she")
    return Lexicon(
        parents=parents,
        same=same,
        young=said["young"],
        ages={word: number for number, group in enumerate(said["ages"]) for word in group},
        pronouns=pronouns,
        plurals=said["plurals"],
        properties={name: frozenset(words) for name, words in said["properties"].items()},
        body=frozenset(said["body"]),
        before_a_place=frozenset(said["places"]["before_a_place"]),
        places=frozenset(said["places"]["of_themselves"]),
        places_as_one_word=tuple(said["places"]["as_one_word"]),
        companions=frozenset(said["with"]),
        measures=frozenset(said["measures"]),
        after_a_noun=frozenset(said["after_a_noun"]),
        **{name: frozenset(words) for name, words in said["beside_pronouns"].items()},
    )


def _edges(kinds: Mapping[str, Any], above: str | None) -> Iterator[tuple[str, str | None]]:
    for kind, below in kinds.items():
        yield kind, above
        yield from _edges(below, kind)
