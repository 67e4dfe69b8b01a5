"""What was made of each described dialogue, and where it stands.

It is apart from the making: what looks at false descriptions reads them here, and the making reads
in turn what was seen.
"""

from pathlib import Path

from benchwright import store
from benchwright.errors import WorkspaceError
from benchwright.records import Falsified
from benchwright.rows import from_table
from benchwright.workspace import Workspace
from labeling.dialogues.false_premise.describing import describe
from labeling.dialogues.false_premise.planning import plan
from labeling.dialogues.stored import dialogues_folder

STAGE = "dialogues/false-premise/falsified"
COMMAND = "build-dialogues false-premise falsify"


def falsified_folder(workspace: Workspace) -> Path:
    """Return the folder of the false descriptions."""
    return dialogues_folder(workspace, "false-premise") / "falsified"


def require_falsified(workspace: Workspace) -> store.Manifest:
    """Return the manifest of the false descriptions of what is planned and described now.

    Raises WorkspaceError, with the command to run, where there are none or they are of others.
    """
    folder = falsified_folder(workspace)
    made = store.require(folder, COMMAND)
    before = {
        "plan": store.require(plan.plan_folder(workspace), plan.COMMAND),
        "described": store.require(describe.described_folder(workspace), describe.COMMAND),
    }
    if any(made.plan.inputs.get(name) != one.digest() for name, one in before.items()):
        raise WorkspaceError(
            f"{folder}: was made of another plan or of other descriptions; run {COMMAND} again"
        )
    return made


def read_falsified(workspace: Workspace) -> list[Falsified]:
    """Return a row for each described dialogue and variant, in the order of ids and variants.

    Raises WorkspaceError, with the command to run, when there are none, and CorruptShard.
    """
    folder = falsified_folder(workspace)
    store.require(folder, COMMAND)
    return list(from_table(store.read_table(folder, "falsified.parquet"), Falsified))
