"""Votes and labels as pandas frames: what people see of them."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from benchwright.errors import WorkspaceError
from benchwright.records import SCHEMAS, Label, Vote
from benchwright.workspace import Workspace
from labeling import labels_frame, votes_frame

Serve = Callable[..., Any]


def test_votes_and_labels_are_frames(shop: Any, kit: Any, serve: Serve) -> None:
    voters = [kit.model(serve(kit.script()), "m")]
    scripted = {"kind": "scripted", "name": "s", "labels": "truth.parquet"}
    shop.ask(shop.ensemble(*voters))
    shop.do("decide")
    truth = shop.workspace.labels / "labels.parquet"
    (shop.root / "truth.parquet").write_bytes(truth.read_bytes())
    shop.ask(shop.ensemble(*voters, scripted, templates=1))
    shop.do("decide")
    votes = votes_frame(shop.workspace)
    assert list(votes.columns) == SCHEMAS[Vote].names
    assert len(votes) == len(shop.votes())
    assert set(votes["voter"].unique()) == {"m", "s"}
    repeated = ("type", "value", "voter", "template", "view", "answer", "status")
    assert all(votes[name].dtype.name == "category" for name in repeated)
    assert votes["p_yes"].dtype.kind == "f"
    first = shop.votes()[0]
    row = votes.iloc[0]
    assert (row["image_id"], row["value"], row["answer"]) == (
        first.image_id,
        first.value,
        first.answer,
    )
    # what one would ask of it
    by_voter = votes.groupby("voter", observed=True)["answer"].count()
    assert by_voter.sum() == len(votes)
    labels = labels_frame(str(shop.root))
    assert list(labels.columns) == SCHEMAS[Label].names
    assert (labels["origin"] == "voted").all()
    assert (labels["answer"] == "yes").sum() == sum(map(len, shop.truths.values()))
    assert labels["votes_counted"].dtype.kind == "i"
    assert labels_frame(Path(shop.root)).equals(labels_frame(Workspace(shop.root)))


def test_what_is_not_there(shop: Any) -> None:
    for frame in (votes_frame, labels_frame):
        with pytest.raises(WorkspaceError, match="nothing finished here"):
            frame(shop.root)
