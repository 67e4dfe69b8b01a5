"""A run on a release of the Hub, from the push to the score, in processes as a user has them."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from benchwright.workspace import Workspace
from stand_ins.hub import HubServer
from stand_ins.hub.serving import TOKEN

REPO = "ana/things"


@pytest.fixture
def command(tmp_path: Path) -> Callable[..., Any]:
    """Run a console command against a Hub."""

    def run(hub: HubServer, module: str, *arguments: str | Path) -> Any:
        code = f"import sys; sys.argv[0] = 'command'; from {module} import main; main()"
        environment = {
            **os.environ,
            "HF_ENDPOINT": hub.address,
            "HF_TOKEN": TOKEN,
            "HF_HOME": str(tmp_path / "home"),
            "HF_HUB_DISABLE_XET": "1",
        }
        return subprocess.run(
            [sys.executable, "-c", code, *map(str, arguments)],
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )

    return run


@pytest.mark.heavy
def test_plays_and_scores_a_tag(
    command: Callable[..., Any], whole_once: Workspace, tmp_path: Path
) -> None:
    with HubServer() as hub:
        pushed = command(
            hub,
            "exports.cli",
            *("push", "things", "--version", "1.0.0", "--repo", REPO),
            *("--workspace", whole_once.root),
        )
        assert pushed.returncode == 0, pushed.stderr
        place = ("--workspace", tmp_path / "elsewhere")  # which has nothing of the release
        greedy = ("--config", "hidden-target-tau-0.3", "--player", "greedy", *place)
        played = command(hub, "evaluation.cli", f"{REPO}@v1.0.0", *greedy)
        assert played.returncode == 0, played.stderr
        (folder,) = (path for path in (tmp_path / "elsewhere" / "runs").iterdir() if path.is_dir())
        scored = command(hub, "evaluation.cli", "score", folder.name, *place)
        assert scored.returncode == 0, scored.stderr
        commit = hub.repositories[REPO].tags["v1.0.0"]
        unknown = command(hub, "evaluation.cli", f"{REPO}@v9.9.9", *greedy)
    about = json.loads((folder / "run.json").read_text("utf-8"))
    assert about["release"] == {
        "name": f"{REPO}@v1.0.0",
        "commit": commit,
        "place": f"{REPO}@{commit}",
    }
    rows = pq.read_table(folder / "scores.parquet").to_pylist()
    # as the run calls it, with the commit beside it
    assert {(row["release"], row["release_commit"]) for row in rows} == {(f"{REPO}@v1.0.0", commit)}
    assert unknown.returncode == 1
    assert f"error: {REPO}: has no tag v9.9.9" in unknown.stderr
