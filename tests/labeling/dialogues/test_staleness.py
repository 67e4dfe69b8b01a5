from pathlib import Path
from typing import Literal

import pyarrow as pa
import pytest

from benchwright import store
from benchwright.errors import WorkspaceError
from benchwright.workspace import Workspace
from labeling.dialogues.staleness import refuse_stale_drafts, stale_drafts
from labeling.dialogues.stored import DialogueKind, dialogues_folder, write_drafts


def step(workspace: Workspace, kind: DialogueKind, name: str, said: str) -> str:
    """Write a step of one row; return what identifies it."""
    folder = dialogues_folder(workspace, kind) / name
    plan = store.Plan(stage=name, inputs={}, settings={})
    with store.writing(folder, plan, configs={name: f"{name}.parquet"}) as out:
        out.table(name, pa.table({"said": [said]}))
    return store.require(folder, name).digest()


@pytest.mark.parametrize(
    ("kind", "names", "anew", "stale"),
    [
        ("false-premise", ("plan", "falsified"), (), []),
        ("false-premise", ("plan", "falsified"), ("plan", "falsified"), ["falsified", "plan"]),
        ("false-premise", ("falsified", "seen"), ("seen",), []),  # drafts stay as they were judged
        ("candidate-set", ("catalog", "sampled"), ("sampled",), ["sampled"]),
        ("candidate-set", ("catalog",), ("sampled",), []),  # not made of it
    ],
)
def test_drafts_are_of_the_steps_that_they_name(
    tmp_path: Path,
    kind: Literal["false-premise", "candidate-set"],
    names: tuple[str, ...],
    anew: tuple[str, ...],
    stale: list[str],
) -> None:
    workspace = Workspace(tmp_path)
    inputs = {name: step(workspace, kind, name, "before") for name in names}
    plan = store.Plan(stage=f"dialogues/{kind}/drafts", inputs=inputs, settings={})
    write_drafts(workspace, kind, [], plan)
    refuse_stale_drafts(workspace, kind)
    for name in anew:
        step(workspace, kind, name, "after")
    assert stale_drafts(workspace, kind) == stale
    if stale:
        said = f"{' and '.join(stale)} changed since these drafts were made; run build-dialogues"
        with pytest.raises(WorkspaceError, match=said):
            refuse_stale_drafts(workspace, kind)


def test_without_drafts_none_is_stale(tmp_path: Path) -> None:
    assert stale_drafts(Workspace(tmp_path), "candidate-set") == []
