"""Labelled questions for the violation detector, as they stand in the package."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Literal, get_args

from pydantic import BaseModel, ConfigDict, RootModel

from benchwright.knowledge import Value
from benchwright.records import Told, Turn
from benchwright.yaml_files import read_settings
from evaluation.hidden_target.mapping.mapper import Mapper
from evaluation.hidden_target.parts import Question, SkipReason
from evaluation.hidden_target.reading.said import Asks, read_said
from evaluation.releases.galleries import Term

Wanted = Literal["valid", "several_questions", "index", "forbidden", "repeated", "compound"]
REASONS: tuple[SkipReason, ...] = get_args(Wanted)[1:]

_FOLDER = Path(__file__).parent
_PICTURES = 20  # of the galleries that the questions are about


class _File(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class _Type(_File):
    forbidden: bool = False
    aliases: tuple[str, ...] = ()
    values: dict[str, tuple[str, ...]]


class _Domain(_File):
    noun: str
    types: dict[str, _Type]


class _Domains(RootModel[dict[str, _Domain]]):
    pass


class Line(_File):
    """A line of detector.jsonl; ``before`` are the questions that were answered, each with it."""

    id: str
    domain: str
    part: Literal["tuning", "held_out"]
    before: tuple[tuple[str, Told], ...]
    contradicted: bool
    question: str
    verdict: Wanted


@dataclass(frozen=True, slots=True, kw_only=True)
class Domain:
    """What the pictures of some labelled questions show, and the words for it."""

    name: str
    noun: str
    terms: tuple[Term, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelledQuestion:
    """A question after the answered turns before it, and what a detector should say of it.

    Turns and question are mapped as in a game. The rules were tuned without those held out.
    """

    id: str
    domain: Domain
    is_held_out: bool
    turns: tuple[Turn, ...]
    is_contradicted: bool
    question: Question
    wanted: Wanted


@lru_cache(maxsize=1)
def labelled_questions() -> tuple[LabelledQuestion, ...]:
    """Return the labelled questions of the package, in their order."""
    domains = domains_of_the_package()
    mappers = {name: Mapper(domain.terms, domain.noun) for name, domain in domains.items()}
    return tuple(_labelled(line, domains[line.domain], mappers[line.domain]) for line in _lines())


@lru_cache(maxsize=1)
def domains_of_the_package() -> dict[str, Domain]:
    """Return the vocabularies of the labelled questions by name."""
    said = read_settings(_FOLDER / "vocabularies.yaml", _Domains, as_text=False)
    return {
        name: Domain(name=name, noun=domain.noun, terms=tuple(_terms(domain)))
        for name, domain in said.root.items()
    }


def _lines() -> Iterator[Line]:
    for line in (_FOLDER / "detector.jsonl").read_text("utf-8").splitlines():
        yield Line.model_validate_json(line)


def _terms(domain: _Domain) -> Iterator[Term]:
    for kind, said in sorted(domain.types.items()):
        for value, aliases in sorted(said.values.items()):
            yield Term(
                value=Value(type=kind, value=value, askable=not said.forbidden),
                type_aliases=said.aliases,
                aliases=aliases,
                templates=(),
            )


def _labelled(line: Line, domain: Domain, mapper: Mapper) -> LabelledQuestion:
    turns = tuple(
        _turn(number, mapper.question(text, 1), told)
        for number, (text, told) in enumerate(line.before, 1)
    )
    read = read_said(line.question)
    text, count = (read.text, read.count) if isinstance(read, Asks) else (line.question, 1)
    return LabelledQuestion(
        id=line.id,
        domain=domain,
        is_held_out=line.part == "held_out",
        turns=turns,
        is_contradicted=line.contradicted,
        question=mapper.question(text, count),
        wanted=line.verdict,
    )


def _turn(number: int, question: Question, told: Told) -> Turn:
    return Turn(
        turn=number,
        status="ok",
        text=question.text,
        question=question.text,
        read_by="labelled",
        asked=question.asked,
        mapped_by=question.mapped_by,
        told=told,
        reason=None,
        judged_by=None,
        truth=told,
        noise=None,
        fits="u" * _PICTURES,
        feasible=tuple(range(1, _PICTURES + 1)),
    )
