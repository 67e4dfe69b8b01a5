"""audits/left-out.csv: all judgements that the last sync took for no decision, and why."""

import csv
import io
from collections.abc import Sequence
from pathlib import Path

from benchwright import files
from benchwright.spreadsheet_cells import safe
from benchwright.workspace import Workspace
from labeling.audits.syncing.slots import Refused


def write_left_out(workspace: Workspace, refused: Sequence[Refused]) -> Path | None:
    """Write what was refused, in its order, and return where; without any there is no file."""
    path = workspace.audits / "left-out.csv"
    if not refused:
        path.unlink(missing_ok=True)
        return None
    text = io.StringIO(newline="")
    writer = csv.writer(text)
    writer.writerow(("place", "reason"))
    writer.writerows((safe(one.place), safe(one.reason)) for one in refused)
    path.parent.mkdir(parents=True, exist_ok=True)
    files.write_bytes(path, b"\xef\xbb\xbf" + text.getvalue().encode("utf-8", "replace"))
    return path
