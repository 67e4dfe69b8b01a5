"""What of the run command is not for people."""

from pathlib import Path
from typing import Any

import pytest

from benchwright.workspace import Workspace


@pytest.mark.parametrize(
    ("config", "options", "said"),
    [
        # the page writes thousandths: asked for as pixels they would be read as such
        ("candidate-set", ("--box-format", "pixels"), "--box-format pixels: is for models"),
        ("hidden-target-tau-0.3", ("--player", "greedy"), "--player greedy: a person plays here"),
        ("candidate-set", ("--person", "a/b"), "--person a/b"),
        # the true answers that planning shows are asked for under following
        ("question-chain", (), "name alone,planning or alone,following,final"),
        ("question-chain", ("--modes", "alone, planning,final"), "name alone,planning or alone,"),
        ("question-chain", ("--modes", "guessing"), "--modes guessing: wants some of planning,"),
        ("false-premise", ("--detectors", "one"), "--detectors one: name the file"),
    ],
)
def test_what_is_not_for_people(
    config: str,
    options: tuple[str, ...],
    said: str,
    run: Any,
    whole_once: Workspace,
    tmp_path: Path,
) -> None:
    release = whole_once.releases / "things" / "1.0.0"
    more = ("--config", config, "--person", "ana", "--port", "0", "--workspace", tmp_path)
    ran = run("run-benchmark", "human", release, *more, *options)
    assert ran.code == 1
    assert said in ran.err
    assert ran.err.count("\n") == 1
