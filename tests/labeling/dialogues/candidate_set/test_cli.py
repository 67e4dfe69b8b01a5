from typing import Any

import pytest

from labeling.dialogues.candidate_set.choosing.rules import FilterSettings
from labeling.dialogues.candidate_set.choosing.sampling import DIALOGUES
from labeling.dialogues.candidate_set.cli import candidate_set
from labeling.dialogues.candidate_set.sizes import TURNS

FILTER = {name: getattr(FilterSettings(), name) for name in FilterSettings.__slots__}


@pytest.mark.parametrize(
    ("command", "defaults"),
    [
        ("filter", FILTER),
        ("sample", {"dialogues": DIALOGUES}),
        ("run", {**FILTER, "dialogues": DIALOGUES}),
        ("funnel", {"turns": TURNS}),
    ],
)
def test_defaults_are_those_of_the_steps(command: str, defaults: dict[str, Any]) -> None:
    options = {option.name: option.default for option in candidate_set.commands[command].params}
    assert {name: options[name] for name in defaults} == defaults
