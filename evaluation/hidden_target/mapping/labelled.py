"""The labelled questions of the package, by which the mapper is measured."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Literal

from pydantic import BaseModel, ConfigDict

from benchwright.knowledge import Value
from benchwright.records import Asked
from benchwright.yaml_files import read_settings
from evaluation.releases.galleries import Term

Part = Literal["held_out", "tuning"]


class _Vocabulary(BaseModel):
    model_config = ConfigDict(extra="forbid")

    noun: str
    types: dict[str, list[str]]
    type_aliases: dict[str, list[str]] = {}
    aliases: dict[str, dict[str, list[str]]] = {}
    templates: dict[str, dict[str, list[str]]] = {}


class _File(BaseModel):
    model_config = ConfigDict(extra="forbid")

    vocabularies: dict[str, _Vocabulary]
    held_out: dict[str, list[tuple[str, str]]]
    tuning: dict[str, list[tuple[str, str]]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Labelled:
    """A question, the vocabulary it is about, and what it asks for; empty where for nothing."""

    part: Part
    vocabulary: str
    question: str
    asked: frozenset[Asked]


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelledSet:
    """The questions, and the terms and the noun of each vocabulary that they are about."""

    questions: tuple[Labelled, ...]
    vocabularies: dict[str, tuple[tuple[Term, ...], str]]


@cache
def labelled_set() -> LabelledSet:
    """Return the questions of labelled_questions.yaml."""
    file = resources.files("evaluation.hidden_target.mapping").joinpath("labelled_questions.yaml")
    with resources.as_file(file) as path:
        said = read_settings(path, _File, as_text=True)
    vocabularies = {name: (tuple(_terms(one)), one.noun) for name, one in said.vocabularies.items()}
    parts: dict[Part, dict[str, list[tuple[str, str]]]] = {
        "held_out": said.held_out,
        "tuning": said.tuning,
    }
    questions = tuple(
        Labelled(part=part, vocabulary=name, question=question, asked=frozenset(_asked(asks)))
        for part, by_name in parts.items()
        for name, pairs in by_name.items()
        for question, asks in pairs
    )
    return LabelledSet(questions=questions, vocabularies=vocabularies)


def _terms(said: _Vocabulary) -> Iterator[Term]:
    for type_name, values in sorted(said.types.items()):
        for value in sorted(values):
            yield Term(
                value=Value(type=type_name, value=value),
                type_aliases=tuple(said.type_aliases.get(type_name, ())),
                aliases=tuple(said.aliases.get(type_name, {}).get(value, ())),
                templates=tuple(said.templates.get(type_name, {}).get(value, ())),
            )


def _asked(asks: str) -> Iterator[Asked]:
    for one in asks.split(" + ") if asks != "none" else ():
        type_name, _, value = one.removeprefix("not ").partition(": ")
        yield Asked(type=type_name, value=value, is_negated=one.startswith("not "))
