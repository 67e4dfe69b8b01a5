"""kill -9 while boxes are proposed: the same command goes on, and nothing is bought twice.

Real processes ask a real server. They are killed at seeded moments: when an answer has come and
is not stored, when it is stored, and when a file is written and has no name yet.
"""

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from benchwright.asking.session import Spending
from benchwright.workspace import Workspace
from labeling.dialogues.candidate_set.proposing.propose import propose

KILLS, CONCURRENCY = 3, 4


@pytest.mark.heavy
def test_nothing_is_bought_twice(
    spoken: Workspace,
    look: Any,
    looker: Any,
    tmp_path: Path,
    holdings: Any,
    die_asking: Callable[..., int],
) -> None:
    killed = Workspace(Path(shutil.copytree(spoken.root, tmp_path / "killed")))
    with look({"ann": looker(), "ben": looker()}, concurrency=CONCURRENCY) as lookers:
        propose(spoken, lookers.voters, Spending())
        undisturbed = lookers.calls()
    with look({"ann": looker(), "ben": looker()}, concurrency=CONCURRENCY) as lookers:
        path = tmp_path / "voters.yaml"
        path.write_text(json.dumps({"voters": [v.model_dump(mode="json") for v in lookers.voters]}))
        died = die_asking(
            "labeling.dialogues.cli",
            [
                *("build-dialogues", "candidate-set", "propose", "--voters", str(path)),
                *("--workspace", str(killed.root)),
            ],
            ahead={"labeling.dialogues.candidate_set.proposing.propose": {}},
            moments=(5, 60),
            seed=3,
        )
        assert died >= KILLS
        assert undisturbed <= lookers.calls() <= undisturbed + 2 * CONCURRENCY * died
        assert len(lookers.server.counts.requests) == undisturbed  # none but those
    proposals, whole = (one.root / "dialogues" / "candidate-set" for one in (killed, spoken))
    assert holdings(proposals) == holdings(whole)
