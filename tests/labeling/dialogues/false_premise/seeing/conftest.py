"""Voters that look at the real pictures, and what they know of them."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from typing import Any

import pytest

from benchwright.asking.voters import Voter
from benchwright.boxes import Box
from benchwright.records import Item
from benchwright.workspace import Workspace
from stand_ins.models import Answer, Model, Script, ScriptedServer
from stand_ins.onlooker import Onlooker


@dataclass(kw_only=True)
class World:
    """What is so: the boxes that each description fits; what is nowhere is not listed.

    ``says`` overrides what a model answers, by model, box (null: the picture) and description.
    """

    fits: dict[str, list[Box]]
    says: dict[tuple[str, Box | None, str], Answer] = field(default_factory=dict)

    def judge(self, model: str, _: Item, box: Box | None, description: str) -> Answer:
        there = self.fits.get(description, [])
        is_there = box in there if box else bool(there)
        return self.says.get((model, box, description), "yes" if is_there else "no")


@dataclass(kw_only=True)
class Lookers:
    """Voters behind one server."""

    server: ScriptedServer
    voters: tuple[Voter, ...]

    def calls(self) -> int:
        return self.server.counts.chats


@pytest.fixture
def world() -> type[World]:
    return World


@pytest.fixture
def lookers() -> Iterator[Callable[..., Lookers]]:
    """Start voters, by their names, that look at the pictures of a workspace."""
    with ExitStack() as stack:

        def start(
            workspace: Workspace, world: World, *names: str, script: Any = None, **voter: Any
        ) -> Lookers:
            models = [Model(name=name) for name in names]
            brain = Onlooker(workspace, world.judge)
            server = ScriptedServer(Script(models=models, **(script or {})), brain=brain)
            stack.enter_context(server)
            made = tuple(
                Voter(name=name, model=name, base_url=server.base_url, **voter) for name in names
            )
            return Lookers(server=server, voters=made)

        yield start
