"""Captions to train with: the wordings of wordings.yaml, put together by chance."""

from collections.abc import Mapping
from dataclasses import dataclass
from importlib import resources
from itertools import product
from random import Random
from typing import Any

import yaml

_FILE = "wordings.yaml"
_STREWN, _MADE_UP = 0.35, 0.15  # how often a sentence gets fillers, and words of no language
_SYLLABLES = "ba co du fi ga he ji ko la me ni po qua ri so tu ve wi xo ya zu br st nd"


@dataclass(frozen=True, slots=True, kw_only=True)
class Named:
    """A value of a type by its names: noun ``things`` and ``words`` that describe."""

    type: str
    value: str
    things: tuple[str, ...]
    words: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Wordings:
    """All that captions are made of, in the order of the file."""

    values: tuple[Named, ...]
    type_names: Mapping[str, tuple[str, ...]]
    nouns: tuple[str, ...]
    things: tuple[str, ...]
    words: tuple[str, ...]
    around: tuple[str, ...]
    filler: tuple[str, ...]
    otherwise: Mapping[str, tuple[str, ...]]

    def pairs(self, chance: Random) -> list[tuple[str, str]]:
        """Return for each value a caption of pictures that show it, and one of others."""
        return [self._pair(value, chance) for value in self.values]

    def sentences(self) -> list[str]:
        """Return every sentence without fillers, each once: what the tokenizer learns from.

        Of nouns and surroundings, which go with all, each is taken once.
        """
        said = [
            _filled(frame, noun="a dress", bare="dress", name=name, thing=thing)
            for named in self.values
            for frames, things in ((self.things, named.things), (self.words, named.words))
            for thing, name, frame in product(things, self.type_names[named.type], frames)
        ]
        said += [
            _filled(frame, noun="a dress", bare="dress", name=name, thing=named.value)
            for named in self.values
            for name in self.type_names[named.type]
            for frames in self.otherwise.values()
            for frame in frames
        ]
        said += [frame.format("") for frame in self.around]
        return [*dict.fromkeys([*said, *self.nouns, *self.filler])]

    def _pair(self, named: Named, chance: Random) -> tuple[str, str]:
        bare = chance.choice(self.nouns)
        place: dict[str, str] = {
            "bare": bare,
            "noun": f"{chance.choice(('a', 'a', 'one', 'the', 'this'))} {bare}",
            "name": chance.choice(self.type_names[named.type]),
        }
        by_word = bool(named.words) and chance.random() < 0.4
        frame = chance.choice(self.words if by_word else self.things)
        shown = chance.choice(named.words if by_word else named.things)
        around = chance.choice(self.around)
        with_value = _filled(frame, thing=shown, **place)
        without = self._without(named, chance, frame, by_word=by_word, **place)
        return (
            self._strewn(around.format(with_value), shown, chance),
            self._strewn(around.format(without), "", chance),
        )

    def _without(
        self, named: Named, chance: Random, frame: str, *, by_word: bool, **place: str
    ) -> str:
        how = chance.random()
        if how < 0.3:
            return _filled(chance.choice(self.otherwise["plain"]), thing="", **place)
        if how < 0.4:
            missing = chance.choice(self.otherwise["missing"])
            thing = missing.format(thing=chance.choice(named.things))
            return _filled(chance.choice(self.things), thing=thing, **place)
        other = chance.choice(self.otherwise["words" if by_word else "things"])
        return _filled(frame, thing=_filled(other, thing="", **place), **place)

    def _strewn(self, sentence: str, kept: str, chance: Random) -> str:
        """Return a sentence with words strewn in that mean nothing, never inside ``kept``."""
        if chance.random() >= _STREWN:
            return sentence
        before, found, after = sentence.partition(kept) if kept else (sentence, "", "")
        parts = [*before.split(), *([found] if found else []), *after.split()]
        for _ in range(chance.randint(1, 3)):
            word = (
                "".join(chance.choices(_SYLLABLES.split(), k=chance.randint(1, 3)))
                if chance.random() < _MADE_UP
                else chance.choice(self.filler)
            )
            parts.insert(chance.randint(0, len(parts)), word)
        return " ".join(parts)


def _filled(frame: str, *, noun: str, bare: str, name: str, thing: str) -> str:
    return frame.format(noun=noun, bare=bare, type=name, thing=thing, word=thing)


def read_wordings() -> Wordings:
    """Return the wordings of the package's file."""
    text = resources.files(__package__).joinpath(_FILE).read_text("utf-8")
    said: dict[str, Any] = yaml.safe_load(text)
    return Wordings(
        values=tuple(
            Named(
                type=kind,
                value=str(value),
                things=tuple(names["things"]),
                words=tuple(names.get("words", ())),
            )
            for kind, entry in said["types"].items()
            for value, names in entry["values"].items()
        ),
        type_names={kind: tuple(entry["names"]) for kind, entry in said["types"].items()},
        nouns=tuple(said["nouns"]),
        things=tuple(said["things"]),
        words=tuple(said["words"]),
        around=tuple(said["around"]),
        filler=tuple(dict.fromkeys(said["filler"].split())),
        otherwise={name: tuple(frames) for name, frames in said["otherwise"].items()},
    )
