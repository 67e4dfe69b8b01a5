"""Servers of the scripted answerers and detectors."""

from collections.abc import Sequence
from typing import Any

from stand_ins.answerers.brain import Answerers
from stand_ins.answerers.cast import ANSWERERS
from stand_ins.answerers.detectors import DETECTORS
from stand_ins.models import Fault, Model, Script, ScriptedServer


def answerers_behind(
    brain: Answerers, *, faults: Sequence[Fault] = (), **model: Any
) -> ScriptedServer:
    """Return a server of all answerers and detectors, which does not run yet.

    ``model`` holds further settings of each of them.
    """
    models = [Model(name=name, **model) for name in (*ANSWERERS, *DETECTORS)]
    return ScriptedServer(Script(models=models, faults=faults), brain=brain)
