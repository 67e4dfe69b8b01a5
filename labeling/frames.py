"""Votes and labels as pandas frames, for people who look at them."""

from pathlib import Path

import pandas as pd

from benchwright import store
from benchwright.workspace import Workspace

_REPEATED = ("type", "value", "voter", "template", "view", "answer", "status", "origin")


def votes_frame(workspace: Workspace | Path | str) -> pd.DataFrame:
    """Return a row for each vote, with the columns of the record Vote.

    Raises WorkspaceError without votes, CorruptShard when they are not what was written.
    """
    return _frame(_workspace(workspace).votes, "votes-*.parquet")


def labels_frame(workspace: Workspace | Path | str) -> pd.DataFrame:
    """Return a row for each label, with the columns of the record Label; raises as above."""
    return _frame(_workspace(workspace).labels, "labels.parquet")


def _workspace(given: Workspace | Path | str) -> Workspace:
    return given if isinstance(given, Workspace) else Workspace(Path(given))


def _frame(folder: Path, pattern: str) -> pd.DataFrame:
    """Return a frame whose texts that repeat are categories: a tenth of the memory."""
    table = store.read_table(folder, pattern)
    categories = [name for name in _REPEATED if name in table.schema.names]
    frame: pd.DataFrame = table.to_pandas(categories=categories)
    return frame
