"""The options of a command that say where its work is done."""

import os
from collections.abc import Callable
from functools import wraps
from typing import Any, Literal

import click

from benchwright.engines.engine import Engine
from benchwright.errors import UsageError

_engine_option = click.option(
    "--engine",
    type=click.Choice(["local", "ray"]),
    default="local",
    show_default=True,
    help="Where the work is done: on this machine, or on a Ray cluster (needs the extra ray).",
)
_address_option = click.option(
    "--address",
    metavar="HOST:PORT",
    help="The Ray cluster, with --engine ray.  [default: RAY_ADDRESS, else Ray is started on this"
    " machine]",
)


def engine_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options on the engine, and hand them to the command as ``engine``."""

    @_engine_option
    @_address_option
    @wraps(command)
    def with_engine(
        *, engine: Literal["local", "ray"], address: str | None, **others: object
    ) -> Any:
        if address is not None and engine != "ray":
            raise UsageError(f"--address {address} is of a Ray cluster: add --engine ray")
        if engine == "ray":
            address = address or os.environ.get("RAY_ADDRESS") or None
        return command(engine=Engine(name=engine, address=address), **others)

    return with_engine
