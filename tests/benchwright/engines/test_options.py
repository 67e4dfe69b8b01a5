"""Which engine a command is asked for."""

from collections.abc import Callable
from typing import Any

import click
import pytest
from click.testing import CliRunner

from benchwright.commands import say
from benchwright.engines.engine import Engine
from benchwright.engines.options import engine_options
from benchwright.errors import UsageError


@click.command()
@engine_options
def command(*, engine: Engine) -> None:
    say(repr(engine))


@pytest.mark.parametrize(
    ("arguments", "environment", "wanted"),
    [
        ([], None, Engine()),
        ([], "h:1", Engine()),  # who works here does not care
        (["--engine", "ray"], None, Engine(name="ray")),
        (["--engine", "ray"], "h:1", Engine(name="ray", address="h:1")),
        (["--engine", "ray"], "", Engine(name="ray")),
        (["--engine", "ray", "--address", "k:2"], "h:1", Engine(name="ray", address="k:2")),
    ],
)
def test_the_engine_that_is_asked_for(
    arguments: list[str], environment: str | None, wanted: Engine
) -> None:
    done = CliRunner().invoke(command, arguments, env={"RAY_ADDRESS": environment})
    assert done.output == f"{wanted!r}\n"


def test_an_address_is_of_ray() -> None:
    done = CliRunner().invoke(command, ["--address", "h:1"])
    assert isinstance(done.exception, UsageError)
    assert "--engine ray" in str(done.exception)


@pytest.mark.parametrize(
    ("command", "arguments", "option"),
    [
        ("build-catalog", ("sample", "--n", "4", "--workers", "1"), "--workers 1"),
        ("build-galleries", ("--tau", "0.7", "--threads", "2"), "--threads 2"),
    ],
)
def test_a_number_of_workers_is_of_this_machine(
    command: str, arguments: tuple[str, ...], option: str, small: Any, run: Callable[..., Any]
) -> None:
    ran = run(command, *arguments, "--engine", "ray", "--workspace", small)
    assert ran.code == 1
    assert ran.err.startswith(f"error: {option} is of --engine local")
