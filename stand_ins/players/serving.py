"""Scripts and servers of the scripted players."""

from collections.abc import Sequence
from typing import Any

from stand_ins.models import Fault, Model, Script, ScriptedServer
from stand_ins.players.brain import Players
from stand_ins.players.cast import PLAYERS
from stand_ins.players.judges import JUDGES
from stand_ins.players.table import Table


def script_of(*, faults: Sequence[Fault] = (), **model: Any) -> Script:
    """Return a script with all players and judges; ``model`` holds further settings of each."""
    names = (*PLAYERS, *JUDGES)
    return Script(models=[Model(name=name, **model) for name in names], faults=faults)


def players_behind(table: Table, *, faults: Sequence[Fault] = (), **model: Any) -> ScriptedServer:
    """Return a server of all players and judges, which does not run yet."""
    return ScriptedServer(script_of(faults=faults, **model), brain=Players(table))
