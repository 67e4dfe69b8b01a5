"""The runs of a report, each with its score: played ones are scored, scored ones are read."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import isfinite
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from benchwright import store
from benchwright.errors import CorruptShard, UsageError
from benchwright.records import ScoreRow
from benchwright.rows import from_table
from benchwright.run_path import run_path
from benchwright.workspace import Workspace
from evaluation.scoring.figures import Figure, Key
from evaluation.scoring.opened import OpenedRun, open_run
from evaluation.scoring.score_rows import SCORES, TABLE, score_rows
from evaluation.scoring.scored import Scored, Wanted, score_opened

_PERSON = "human:"  # begins the model of a person, see evaluation/human


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One run of a report with its figures.

    ``about`` is a row of its score, which names all that was measured. ``settings`` are those of
    the run, null where it does not say them. ``scored`` and ``opened`` are null for a score that
    was read from its files: no pairs and no episodes can be made of it. ``label`` tells players of
    one name apart.
    """

    about: ScoreRow
    figures: Mapping[Key, Figure]
    settings: Mapping[str, Any] | None
    scored: Scored | None = None
    opened: OpenedRun | None = None
    label: str = ""

    @property
    def is_person(self) -> bool:
        """Whether a person played."""
        return (self.about.model or "").startswith(_PERSON)

    @property
    def is_rule(self) -> bool:
        """Whether what played is known to be no model."""
        is_asked = any(build.part == "player" for build in self.about.builds)
        return not is_asked and self.settings is not None

    @property
    def name(self) -> str:
        """The player as the report names it."""
        return self.label or self.about.player

    def figure(self, key: Key) -> Figure | None:
        """Return a figure, null where it is not there or could not be measured."""
        found = self.figures.get(key)
        return None if found is None or found.value is None else found

    def value(self, key: Key) -> float | None:
        """Return the value of a figure, null where there is none."""
        found = self.figures.get(key)
        return None if found is None else found.value


def read_entries(
    runs: Sequence[str], workspace: Workspace, *, release: str | None, seed: int
) -> list[Entry]:
    """Return the runs with their scores; of a run that is not whole what is there is scored.

    A run that holds its score is scored by the detectors of that. Raises UsageError for a run that
    is named twice or is no folder, CorruptShard for a score that cannot be read, and as ``scored``
    does.
    """
    wanted = Wanted(release=release, config=None, noun=None, seed=seed, is_partial=True)
    found = [_entry(run, wanted, workspace) for run in runs]
    names: dict[tuple[str, str, str], str] = {}
    for run, entry in zip(runs, found, strict=True):
        about = entry.about
        name = (about.run, about.config, about.release_digest)
        if name in names:
            raise UsageError(f"{run}: is the same run as {names[name]}; name each of them once")
        names[name] = run
    return found


def _entry(run: str, wanted: Wanted, workspace: Workspace) -> Entry:
    path = run_path(run, workspace)
    if path.is_file():
        raise UsageError(
            f"{path}: is a file, and a report takes folders; of a run made elsewhere give the"
            f" folder that run-benchmark score {path} --release RELEASE --out FOLDER writes"
        )
    if (path / TABLE).is_file() and not (path / store.MANIFEST).exists():
        return _read(path)
    opened = open_run(run, workspace, release=wanted.release, detectors=_detectors(path))
    scored = score_opened(opened, wanted)
    rows = score_rows(scored.tally, scored.on, scored.figures)
    return Entry(
        about=rows[0],
        figures={figure.key: figure for figure in scored.figures},
        settings=scored.tally.identity.settings,
        scored=scored,
        opened=opened,
    )


def _detectors(folder: Path) -> tuple[str, ...]:
    """Return the detectors of the score that a run holds, none without such a score."""
    if not (folder / SCORES).exists():
        return ()
    return tuple((_settings(folder) or {}).get("detectors", ()))


def _settings(folder: Path) -> dict[str, Any] | None:
    """Return the settings of a run as its score says them."""
    try:
        settings = json.loads((folder / SCORES).read_text("utf-8")).get("settings")
    except (OSError, ValueError, AttributeError) as error:
        raise CorruptShard(folder / SCORES, "cannot be read as a score") from error
    if not isinstance(settings, dict | None):
        raise CorruptShard(folder / SCORES, "does not say how the run was played")
    return settings


def _read(folder: Path) -> Entry:
    try:
        rows = list(from_table(pq.read_table(folder / TABLE), ScoreRow))
    except (OSError, ValueError, KeyError, TypeError, pa.ArrowException) as error:
        raise CorruptShard(folder / TABLE, "cannot be read as a score") from error
    if not rows:
        raise CorruptShard(folder / TABLE, "has no rows")
    settings = _settings(folder)
    bounds = (x for row in rows for x in (row.value, row.low, row.high))
    if not all(x is None or isfinite(x) for x in bounds):
        raise CorruptShard(folder / TABLE, "holds what is no number")
    return Entry(
        about=rows[0],
        figures={key: figure for row in rows for key, figure in [_figure(row)]},
        settings=settings,
    )


def _figure(row: ScoreRow) -> tuple[Key, Figure]:
    key = Key(row.metric, row.by, row.of)
    return key, Figure(key=key, value=row.value, low=row.low, high=row.high, n=row.n)
