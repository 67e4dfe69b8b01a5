"""The words of english.yaml."""

from dataclasses import dataclass
from functools import cache
from importlib import resources

from pydantic import BaseModel, ConfigDict

from benchwright.yaml_files import read_settings


class _File(BaseModel):
    model_config = ConfigDict(extra="forbid")

    spellings: dict[str, str]
    fillers: list[str]
    properties: list[str]
    general: list[str]
    function: list[str]
    openers: list[str]
    definite: list[str]
    subjects: list[str]
    articles: list[str]
    relations: list[str]
    conjunctions: list[str]
    lasting_negators: list[str]
    short_negators: list[str]
    ending_negation: list[str]
    negating_pairs: list[str]
    after_negators: list[str]
    presence: list[str]
    wondering: list[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class English:
    """The lists of english.yaml, to look words up in; see the comments there."""

    spellings: dict[str, str]
    fillers: frozenset[str]
    properties: frozenset[str]
    general: frozenset[str]
    function: frozenset[str]
    openers: frozenset[str]
    definite: frozenset[str]
    subjects: frozenset[str]
    articles: frozenset[str]
    relations: frozenset[str]
    conjunctions: frozenset[str]
    lasting_negators: frozenset[str]
    short_negators: frozenset[str]
    ending_negation: frozenset[str]
    negating_pairs: frozenset[tuple[str, str]]
    after_negators: frozenset[str]
    presence: frozenset[str]
    wondering: frozenset[str]


@cache
def english() -> English:
    """Return the words of english.yaml."""
    file = resources.files("evaluation.hidden_target.mapping").joinpath("english.yaml")
    with resources.as_file(file) as path:
        said = read_settings(path, _File, as_text=True)
    pairs = [tuple(pair.split()) for pair in said.negating_pairs]
    return English(
        spellings=said.spellings,
        fillers=frozenset(said.fillers),
        properties=frozenset(said.properties),
        general=frozenset(said.general),
        function=frozenset(said.function),
        openers=frozenset(said.openers),
        definite=frozenset(said.definite),
        subjects=frozenset(said.subjects),
        articles=frozenset(said.articles),
        relations=frozenset(said.relations),
        conjunctions=frozenset(said.conjunctions),
        lasting_negators=frozenset(said.lasting_negators),
        short_negators=frozenset(said.short_negators),
        ending_negation=frozenset(said.ending_negation),
        negating_pairs=frozenset((first, second) for first, second in pairs),
        after_negators=frozenset(said.after_negators),
        presence=frozenset(said.presence),
        wondering=frozenset(said.wondering),
    )
