"""Scoring a run as it is named on the command line: finds it, its release, and the score."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from benchwright.errors import UsageError
from benchwright.plain_text import counted
from benchwright.workspace import Workspace
from evaluation.scoring.figures import Figure, figures
from evaluation.scoring.opened import OpenedRun, ScoredOn, open_run
from evaluation.scoring.protocol import Scoring, Tally
from evaluation.scoring.refusals import refused_rows
from evaluation.scoring.score_rows import score_files, score_rows
from evaluation.scoring.spelling import share


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """How a run is to be scored.

    ``release`` and ``config`` are null where the run says them, ``noun`` where the release does.
    ``detectors`` are those by which it is scored, empty for all that it has.
    """

    release: str | None
    config: str | None
    noun: str | None
    seed: int
    is_partial: bool
    detectors: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Scored:
    """A run with its score; ``folder`` is that of the run, null for one made elsewhere."""

    tally: Tally
    on: ScoredOn
    scoring: Scoring
    figures: Sequence[Figure]
    folder: Path | None

    @property
    def title(self) -> str:
        """Who played what."""
        who = self.tally.identity
        return f"{who.player} on {self.on.release}, {self.on.config} ({who.name})"

    @property
    def counts(self) -> str:
        """How much was scored, and who else took part."""
        tally = self.tally
        parts = ", ".join(f"{part} {name}" for part, name in tally.identity.parts.items())
        scored = f"{len(tally.items):,} of {counted(tally.planned, self.scoring.noun)}"
        if tally.coverage < 1:
            scored += f", {share(tally.coverage)} covered"
        return f"{scored}; {parts}" if parts else scored

    def files(self) -> Mapping[str, bytes]:
        """Return the files of the score by their names."""
        return score_files(score_rows(self.tally, self.on, self.figures), self._facts())

    def _facts(self) -> dict[str, Any]:
        tally = self.tally
        return {
            "items": {
                "noun": self.scoring.noun,
                "planned": tally.planned,
                "scored": len(tally.items),
                "failed": tally.failed,
                "missing": tally.planned - len(tally.items) - tally.failed,
            },
            "coverage": tally.coverage,
            "settings": tally.identity.settings,
            "seed": tally.identity.seed,
            "refused_rows": [asdict(row) for row in tally.refused],
            **tally.facts,
        }


def scored(run: str, wanted: Wanted, workspace: Workspace) -> Scored:
    """Return the score of a run: a folder runs/NAME, NAME alone, or a JSON Lines file.

    Raises UsageError as ``open_run`` does, and where the run is not whole and a partial score is
    not wanted.
    """
    opened = open_run(
        run,
        workspace,
        release=wanted.release,
        config=wanted.config,
        noun=wanted.noun,
        detectors=wanted.detectors,
    )
    return score_opened(opened, wanted)


def score_opened(opened: OpenedRun, wanted: Wanted) -> Scored:
    """Return the score of a run that was found; raises as ``scored`` does."""
    tally = opened.tally()
    if not wanted.is_partial:
        _check_whole(tally, opened)
    if not tally.items:
        noun = opened.scoring.noun
        raise UsageError(
            f"{tally.identity.name}: no {noun} is whole{_lacks(tally)}; nothing to score"
        )
    items = [tally.items[name] for name in sorted(tally.items)]
    found = figures(
        [item.amounts for item in items],
        [item.picture for item in items],
        wanted.seed,
        tally.derived,
    )
    return Scored(
        tally=tally, on=opened.on, scoring=opened.scoring, figures=found, folder=opened.folder
    )


def check_same(first: Scored, second: Scored) -> None:
    """Raise UsageError where two runs were not of the same rows of a release."""
    if first.on.config != second.on.config:
        how = f"one is of {first.on.config}, the other of {second.on.config}"
    elif first.on.digest != second.on.digest:
        how = f"were not played on the same {first.scoring.noun}s and labels"
    else:
        return
    raise UsageError(
        f"{first.title} and {second.title}: {how}; runs are compared on one config of one release"
    )


def _check_whole(tally: Tally, opened: OpenedRun) -> None:
    """Raise UsageError where items are missing or failed, or where there is none at all."""
    lacking = tally.planned - len(tally.items)
    if not lacking and tally.planned:
        return
    missing = lacking - tally.failed
    wrong = [f"{missing:,} are missing"] if missing else []
    wrong += [f"{tally.failed:,} failed{_lacks(tally)}"] if tally.failed else []
    again = "add them to the file" if opened.folder is None else "run it again to go on"
    remedy = tally.remedy or again
    raise UsageError(
        f"{tally.identity.name}: of {counted(tally.planned, opened.scoring.noun)}"
        f" {' and '.join(wrong)}{_refused(tally)}; {remedy}, or score what is there with --partial"
    )


def _lacks(tally: Tally) -> str:
    return f" (missing: {tally.lacks})" if tally.lacks else ""


def _refused(tally: Tally) -> str:
    return f"; {refused_rows(tally.refused)}" if tally.refused else ""
