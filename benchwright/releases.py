"""What the releases of a workspace are, by their locks and gates."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from benchwright.plain_text import counted, excerpt
from benchwright.workspace import Workspace

LOCK = "release.lock.json"  # written last: a folder without it is no release
_GATE = "gate.json"
_CONFIGS = 4  # in a line before it is cut


def release_lines(workspace: Workspace) -> Iterator[tuple[str, list[str]]]:
    """Yield for each release its folder, and in lines its rows, its gate and what made it.

    The order is that of names, then of versions as numbers. A lock or gate that cannot be read is
    said in its line. Whether a release was pushed is known on the Hub alone.
    """
    for folder in sorted((path.parent for path in workspace.releases.glob(f"*/*/{LOCK}")), key=_by):
        try:
            lock = json.loads((folder / LOCK).read_bytes())
            lines = [f"{_rows(lock)}; {_gate(folder)}", f"benchwright {lock['benchwright']}"]
        except (OSError, ValueError, KeyError, TypeError, AttributeError):
            lines = [f"{LOCK} or {_GATE} cannot be read: bring it back, or remove the folder"]
        yield workspace.relative(folder), lines


def _by(folder: Path) -> tuple[str, list[tuple[int, str]]]:
    parts = folder.name.split(".")
    return folder.parent.name, [(int(part) if part.isdecimal() else -1, part) for part in parts]


def _rows(lock: Any) -> str:
    rows = {str(name): int(config["rows"]) for name, config in lock["configs"].items()}
    shown = [f"{excerpt(name)} {count:,}" for name, count in list(rows.items())[:_CONFIGS]]
    more = [f"{len(rows) - _CONFIGS} more"] if len(rows) > _CONFIGS else []
    return f"{counted(sum(rows.values()), 'row')}: {', '.join([*shown, *more])}"


def _gate(folder: Path) -> str:
    """Return whether it may be pushed: which checks fail that nobody waived."""
    if not (folder / _GATE).is_file():
        return "gate: not run"
    checks = json.loads((folder / _GATE).read_bytes())["checks"]
    failed = [one for one in checks if one["limit"] is not None and not one["passed"]]
    refused = dict.fromkeys(excerpt(str(one["name"])) for one in failed if one["waived"] is None)
    waived = sum(one["waived"] is not None for one in failed)
    said = f"gate: fails {', '.join(refused)}" if refused else "gate: passes"
    return f"{said} ({waived} waived)" if waived else said
