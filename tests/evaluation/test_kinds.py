"""Which kind a config is of, and whose options are whose."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import click
import pytest
from click.testing import CliRunner

from benchwright.errors import UsageError
from benchwright.workspace import Workspace
from evaluation.kinds import KINDS, chosen_config, kind_of, options_of_kinds
from evaluation.releases.release import Release
from evaluation.running.cli import run_command

Run = Callable[..., Any]


def of(*configs: str) -> Release:
    return Release(name="things/1.0.0", path="nowhere", commit=None, configs=configs)


@pytest.mark.parametrize(
    ("config", "kind"),
    [
        ("hidden-target-tau-0.6", "hidden-target"),
        ("false-premise", "false-premise"),
        ("candidate-set", "candidate-set"),
        ("question-chain", "question-chain"),
        # what a release holds besides is not played
        ("images", None),
        ("labels", None),
        ("responses", None),
        ("false-premises", None),
    ],
)
def test_the_kind_of_a_config(config: str, kind: str | None) -> None:
    found = kind_of(config)
    assert (None if found is None else found.name) == kind


def test_a_config_that_is_alone_need_not_be_named() -> None:
    config, kind = chosen_config(of("images", "false-premise", "labels"), None)
    assert (config, kind.name) == ("false-premise", "false-premise")


def test_a_config_that_is_named_is_taken() -> None:
    config, kind = chosen_config(of("false-premise", "question-chain"), "question-chain")
    assert (config, kind.name) == ("question-chain", "question-chain")


@pytest.mark.parametrize(
    ("configs", "named", "said"),
    [
        # several could be meant
        (
            ("images", "false-premise", "hidden-target-tau-0.6"),
            None,
            "name one of its configs by --config: false-premise, hidden-target-tau-0.6",
        ),
        (("images", "labels"), None, "things/1.0.0: holds nothing that can be played"),
        (
            ("images", "false-premise"),
            "images",
            "images: holds nothing that can be played; of things/1.0.0 these can be: false-premise",
        ),
        (("images",), "images", "images: holds nothing that can be played; nothing of it can"),
    ],
)
def test_what_cannot_be_chosen(configs: tuple[str, ...], named: str | None, said: str) -> None:
    with pytest.raises(UsageError) as told:
        chosen_config(of(*configs), named)
    assert said in str(told.value)


def test_an_option_of_several_kinds_is_the_same_in_all() -> None:
    """The command parses it once, by the first of them."""
    shown = {option.name: option.to_info_dict() for option in options_of_kinds()}
    for kind in KINDS:
        for param in kind.command.params:
            assert param.to_info_dict() == shown[param.name], (kind.name, param.name)


def test_no_kind_takes_the_name_of_a_common_option() -> None:
    names = [param.name for param in run_command.params]
    assert len(set(names)) == len(names)


def test_the_help_shows_the_options_of_each_kind_apart() -> None:
    said = CliRunner().invoke(run_command, ["--help"]).output
    common, *sections = said.split("Options of ")
    assert "--model" in common
    assert "--detectors" not in common
    of_premises = next(part for part in sections if part.startswith("false-premise:"))
    assert "--detectors" in of_premises
    assert "--turns" not in of_premises
    for kind in KINDS:
        for param in kind.command.params:
            if isinstance(param, click.Option) and not param.hidden:
                assert param.opts[0] in said


@pytest.mark.parametrize(
    ("config", "option", "said"),
    [
        (
            "false-premise",
            ("--turns", "5"),
            "--turns goes with hidden-target, not with false-premise; leave it away or name"
            " another",
        ),
        # though it is what would be taken without being named
        ("false-premise", ("--oracle", "labels"), "--oracle goes with hidden-target"),
        ("hidden-target-tau-0.3", ("--detectors", "x"), "--detectors goes with false-premise"),
    ],
)
def test_an_option_of_another_kind_is_refused(
    config: str, option: tuple[str, str], said: str, run: Run, whole_once: Workspace, tmp_path: Path
) -> None:
    release = whole_once.releases / "things" / "1.0.0"
    model = ("--model", "m", "--base-url", "http://127.0.0.1:9/v1")
    ran = run(
        "run-benchmark", release, "--config", config, *model, *option, "--workspace", tmp_path
    )
    assert ran.code == 1
    (line,) = ran.err.splitlines()
    assert said in line
