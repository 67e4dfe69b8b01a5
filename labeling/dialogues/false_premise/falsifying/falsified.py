"""What was made of each described dialogue, and where it stands.

It is apart from the making: what looks at false descriptions reads them here, and the making reads
in turn what was seen.
"""

from pathlib import Path

from benchwright import store
from benchwright.drafting_records import Falsified
from benchwright.rows import from_table
from benchwright.workspace import Workspace
from labeling.dialogues.stored import dialogues_folder

STAGE = "dialogues/false-premise/falsified"
COMMAND = "build-dialogues false-premise falsify"


def falsified_folder(workspace: Workspace) -> Path:
    """Return the folder of the false descriptions."""
    return dialogues_folder(workspace, "false-premise") / "falsified"


def read_falsified(workspace: Workspace) -> list[Falsified]:
    """Return a row for each described dialogue and variant, in the order of ids and variants.

    Raises WorkspaceError, with the command to run, when there are none, and CorruptShard.
    """
    folder = falsified_folder(workspace)
    store.require(folder, COMMAND)
    return list(from_table(store.read_table(folder, "falsified.parquet"), Falsified))
