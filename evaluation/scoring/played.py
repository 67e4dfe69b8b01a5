"""A run as it is scored, wherever it was made."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from benchwright.errors import UsageError
from benchwright.plain_text import counted, excerpt
from benchwright.run_records import Trajectory


@dataclass(frozen=True, slots=True, kw_only=True)
class RefusedRow:
    """A row of a run made elsewhere that could not be read; ``line`` counts from 1.

    ``reason`` is a short code, ``detail`` says it in words.
    """

    line: int
    episode_id: str | None
    reason: str
    detail: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Played:
    """A run: who played what, and the episodes in the order of their ids.

    ``planned`` is how many episodes were to be played. ``detector`` and ``oracle`` are null where
    nobody says, ``verifier`` is ``labels`` or the name of a voter. ``prompt`` is the sha256 of all
    that the player was told. ``settings`` and ``seed`` are those of the run, null where it was made
    elsewhere. ``refused`` and the episodes that failed are not in the score.
    """

    name: str
    player: str
    prompt: str | None
    detector: str | None
    oracle: str | None
    verifier: str
    planned: int
    trajectories: Sequence[Trajectory]
    settings: Mapping[str, Any] | None = None
    seed: int | None = None
    refused: Sequence[RefusedRow] = ()

    @property
    def finished(self) -> list[Trajectory]:
        """The episodes that were played to their end."""
        return [played for played in self.trajectories if played.end != "failed"]

    @property
    def coverage(self) -> float:
        """The share of the planned episodes that were played to their end, 0 to 1."""
        return len(self.finished) / self.planned if self.planned else 0.0


def check_whole(played: Played) -> None:
    """Raise UsageError where episodes are missing or failed, or where there is none at all."""
    lacking = played.planned - len(played.finished)
    if not lacking and played.planned:
        return
    failed = len(played.trajectories) - len(played.finished)
    missing = lacking - failed
    wrong = [f"{missing:,} are missing"] if missing else []
    wrong += [f"{failed:,} failed"] if failed else []
    remedy = "add them to the file" if played.settings is None else "run it again to go on"
    raise UsageError(
        f"{played.name}: of {counted(played.planned, 'episode')} {' and '.join(wrong)}"
        f"{_refused(played)}; {remedy}, or score what is there with --partial"
    )


def _refused(played: Played) -> str:
    if not played.refused:
        return ""
    first = played.refused[0]
    return (
        f" ({counted(len(played.refused), 'row')} could not be read, the first in line"
        f" {first.line}: {excerpt(first.detail)})"
    )
