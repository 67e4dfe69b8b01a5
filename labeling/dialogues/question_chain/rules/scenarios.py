"""The categories of chains, each with the scenarios that are known of it."""

from collections.abc import Mapping
from functools import cache
from importlib import resources

from pydantic import RootModel

from benchwright.yaml_files import parse_text
from labeling.dialogues.question_chain.rules.wording import folded


@cache
def scenarios() -> Mapping[str, tuple[str, ...]]:
    """Return the scenarios of each category, in the order of scenarios.yaml."""
    text = resources.files(__package__).joinpath("scenarios.yaml").read_text("utf-8")
    return RootModel[dict[str, tuple[str, ...]]].model_validate(parse_text(text)).root


def one_spelling(scenario: str) -> str:
    """Return a scenario as all its spellings are counted: as it is known, else in one case."""
    name = folded(scenario)
    known = (each for names in scenarios().values() for each in names)
    return next((each for each in known if folded(each) == name), name)
