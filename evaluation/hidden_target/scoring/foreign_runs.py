"""Runs made elsewhere: a JSON Lines file with an episode a line."""

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from benchwright.asking.any_json import cleaned, mapping_of
from benchwright.errors import UsageError
from benchwright.plain_text import excerpt
from benchwright.records import Trajectory
from evaluation.hidden_target.running.material import Material
from evaluation.hidden_target.scoring.foreign_episodes import ForeignEpisodes, Unfit
from evaluation.hidden_target.scoring.foreign_rows import ForeignRow, fault_of
from evaluation.hidden_target.scoring.played import Played
from evaluation.scoring.protocol import RefusedRow


def read_foreign_run(path: Path, material: Material) -> Played:
    """Return the run in a file, of all episodes of ``material``.

    A row that cannot be read is kept with the reason. A row that is there twice word for word
    counts once; of an episode with several rows none does. The verifier is the one that ``builds``
    names, else the labels.

    Raises UsageError where there is no such file.
    """
    makes, stem = ForeignEpisodes(material), excerpt(path.stem)
    found: dict[int, Trajectory] = {}
    refused: list[RefusedRow] = []
    for number, line in _lines(path):
        try:
            row = ForeignRow.model_validate(_object(line))
            found[number] = makes.trajectory(row, name=stem)
        except Unfit as fault:
            refused.append(_refused(number, _name(line), fault.reason, fault.detail))
        except ValidationError as error:
            refused.append(_refused(number, _name(line), "malformed", fault_of(error)))
    kept = _without_rivals(found, refused)
    return Played(
        name=_common((played.run for played in kept), stem),
        player=_common((played.player for played in kept), stem),
        prompt=None,
        detector=_part(kept, "detector"),
        oracle=_part(kept, "oracle"),
        verifier=_part(kept, "verifier") or "labels",
        planned=len(material.galleries),
        trajectories=sorted(kept, key=lambda played: played.episode_id),
        refused=sorted(refused, key=lambda row: row.line),
    )


def _lines(path: Path) -> Iterator[tuple[int, bytes]]:
    try:
        with path.open("rb") as stream:
            for number, line in enumerate(stream, 1):
                if line.strip():
                    yield number, line
    except FileNotFoundError as error:
        raise UsageError(f"{path}: no such file") from error


def _object(line: bytes) -> Mapping[str, Any]:
    try:
        row = json.loads(line.decode("utf-8-sig"))
    except (ValueError, RecursionError) as error:
        raise Unfit("not_json", f"is no JSON ({error})") from error
    if not isinstance(row, dict):
        raise Unfit("not_json", "is no JSON object")
    return mapping_of(cleaned(row))


def _name(line: bytes) -> str | None:
    try:
        name = _object(line).get("episode_id")
    except Unfit:
        return None
    return name if isinstance(name, str) else None


def _refused(line: int, episode_id: str | None, reason: str, detail: str) -> RefusedRow:
    return RefusedRow(
        line=line,
        item=None if episode_id is None else excerpt(episode_id),
        reason=reason,
        detail=excerpt(detail),
    )


def _without_rivals(found: Mapping[int, Trajectory], refused: list[RefusedRow]) -> list[Trajectory]:
    """Return the episodes that have one row; the rows of others become refused ones."""
    rows = Counter(played.episode_id for played in set(found.values()))
    for number, played in found.items():
        if rows[played.episode_id] > 1:
            detail = f"there are other rows of episode {played.episode_id}"
            refused.append(_refused(number, played.episode_id, "twice", detail))
    return [played for played in set(found.values()) if rows[played.episode_id] == 1]


def _part(kept: Sequence[Trajectory], part: str) -> str | None:
    names = {build.voter for played in kept for build in played.builds if build.part == part}
    return ", ".join(sorted(names)) or None


def _common(names: Iterator[str], otherwise: str) -> str:
    """Return the one name that all rows give, else that of the file."""
    found = set(names)
    return found.pop() if len(found) == 1 else otherwise
