"""Scripted players behind a server, and the release that they know."""

import json
import shutil
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import yaml

from benchwright import store
from benchwright.workspace import Workspace
from evaluation.releases.release import open_release
from stand_ins.models import Fault, ScriptedServer
from stand_ins.players import Table, players_behind, table_of


@pytest.fixture(scope="session")
def _table(dresses_folder: Path) -> Table:
    return table_of(open_release(str(dresses_folder)))


@dataclass(kw_only=True)
class Stage:
    """The command, a server of players, a release, and a workspace to run in."""

    command: Callable[..., Any]
    server: ScriptedServer
    release: Path
    workspace: Workspace

    @property
    def served(self) -> tuple[str, str]:
        return "--base-url", self.server.base_url

    def voters(self, *names: str, **fields: Any) -> Path:
        """Write a file of voters by the names of their models."""
        rows = [
            {
                "name": name,
                "model": name,
                "base_url": self.server.base_url,
                "patience": 5,
                **fields,
            }
            for name in names
        ]
        path = self.workspace.root.with_name("voters.yaml")
        path.write_text(yaml.safe_dump({"voters": rows}), "utf-8")
        return path

    def do(self, *options: str | Path, code: int = 0) -> Any:
        """Run the command on the release; it ends with the code."""
        said = (str(self.release), *options, "--workspace", self.workspace.root)
        ran = self.command("run-benchmark", *said)
        assert ran.code == code, ran.out + ran.err
        return ran

    def fault(self, *options: str | Path) -> str:
        """Return the one line with which the command ends."""
        ran = self.do(*options, code=1)
        (line,) = ran.err.splitlines()
        return str(line)

    def folders(self) -> list[str]:
        """Return the names of the runs that there are."""
        return sorted(path.parent.name for path in self.workspace.runs.glob("*/manifest.json"))

    def about(self, name: str) -> Any:
        return json.loads((self.workspace.runs / name / "run.json").read_text("utf-8"))

    def rows(self, name: str) -> list[Any]:
        table = store.read_table(self.workspace.runs / name, "trajectories-*.parquet")
        rows: list[Any] = table.to_pylist()
        return rows


@pytest.fixture
def stage(
    run: Callable[..., Any], _table: Table, dresses_folder: Path, tmp_path: Path
) -> Iterator[Callable[..., Stage]]:
    """Open a server of players; ``inside`` lays the release into the workspace."""
    with ExitStack() as stack:

        def opened(*, faults: Sequence[Fault] = (), inside: bool = False, **model: Any) -> Stage:
            server = stack.enter_context(players_behind(_table, faults=faults, **model))
            workspace, release = Workspace(tmp_path / "workspace"), dresses_folder
            if inside:
                release = workspace.releases / "dresses" / "1.0.0"
                shutil.copytree(dresses_folder, release)
            return Stage(command=run, server=server, release=release, workspace=workspace)

        yield opened
