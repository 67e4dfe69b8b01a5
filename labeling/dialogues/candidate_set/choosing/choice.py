"""One dialogue as the steps of choosing see it, kept or not, and where they write it."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Literal, get_args

import pyarrow as pa

from benchwright import store
from benchwright.arrow_fields import TEXT, required
from benchwright.rows import from_table
from benchwright.workspace import Workspace
from labeling.dialogues.stored import dialogues_folder

ChoosingStep = Literal["filtered", "sampled"]
CHOOSING_STEPS: tuple[ChoosingStep, ...] = get_args(ChoosingStep)
_COMMANDS: Mapping[ChoosingStep, str] = {
    "filtered": "build-dialogues candidate-set filter",
    "sampled": "build-dialogues candidate-set sample",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """A dialogue, what it is judged by, and why it is left out; null where it is kept.

    ``boxes`` are all that its picture has; ``category`` is the target's, null where no source
    says it; ``of_category`` are the boxes that may be of it (``rules.rivals``); ``size_ratio`` is
    the area of the largest of those over that of the smallest, null where there is none.
    """

    dialogue_id: str
    image_id: str
    boxes: int
    category: str | None
    of_category: int
    size_ratio: float | None
    reason: str | None


_SCHEMA = pa.schema(
    [
        required("dialogue_id", TEXT),
        required("image_id", TEXT),
        required("boxes", pa.int32()),
        pa.field("category", TEXT),
        required("of_category", pa.int32()),
        pa.field("size_ratio", pa.float64()),
        pa.field("reason", TEXT),
    ]
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Choosing:
    """What a step of choosing holds; ``is_new`` is false where it stood there already."""

    manifest: store.Manifest
    choices: Sequence[Choice]
    is_new: bool


def choosing_folder(workspace: Workspace, step: ChoosingStep) -> Path:
    """Return the folder of a step of choosing."""
    return dialogues_folder(workspace, "candidate-set") / step


def read_choices(workspace: Workspace, step: ChoosingStep) -> list[Choice]:
    """Return the dialogues of a step, kept and left out, in the order of their ids.

    Raises WorkspaceError where the step is not done and CorruptShard.
    """
    table = store.read_table(choosing_folder(workspace, step), f"{step}.parquet")
    return list(from_table(table, Choice))


def standing_choices(workspace: Workspace, step: ChoosingStep, plan: store.Plan) -> Choosing | None:
    """Return what a step holds where it was made by just this plan."""
    manifest = store.finished(choosing_folder(workspace, step), plan)
    if manifest is None:
        return None
    return Choosing(manifest=manifest, choices=read_choices(workspace, step), is_new=False)


def write_choices(
    workspace: Workspace,
    step: ChoosingStep,
    choices: Iterable[Choice],
    plan: store.Plan,
    reasons: Mapping[str, int],
) -> Choosing:
    """Write STEP.parquet in the order of the ids, and the manifest; ``kept`` is counted."""
    rows = sorted(choices, key=lambda one: one.dialogue_id)
    folder = choosing_folder(workspace, step)
    with store.writing(folder, plan, configs={step: f"{step}.parquet"}) as out:
        out.table(step, pa.Table.from_pylist([asdict(one) for one in rows], schema=_SCHEMA))
        out.counts.update(dialogues=len(rows), kept=sum(one.reason is None for one in rows))
        out.reasons.update(reasons)
    manifest = store.require(folder, _COMMANDS[step])
    return Choosing(manifest=manifest, choices=rows, is_new=True)
