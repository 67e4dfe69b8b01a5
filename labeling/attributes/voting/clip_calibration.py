"""Thresholds of the clip voters of an ensemble, from labels that are known."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from benchwright.asking.running import run
from benchwright.decisions.cells import Cell
from benchwright.engines.engine import LOCAL, Engine
from benchwright.errors import UsageError
from benchwright.plain_text import excerpt
from benchwright.seeds import draw
from benchwright.workspace import Workspace
from labeling.attributes.calibrating.by_decisions import FROM_DECISIONS
from labeling.attributes.calibrating.known import (
    FROM_CATALOG,
    Catalog,
    KnownFile,
    Unmatched,
    read_known,
)
from labeling.attributes.deciding.calibration import Known
from labeling.attributes.deciding.codes import UNSURE
from labeling.attributes.vocabulary.vocabulary import load_vocabulary
from labeling.attributes.voting.clip_thresholds import (
    Margins,
    Thresholds,
    calibrate_clip,
    save_thresholds,
)
from labeling.attributes.voting.clip_voter import (
    ClipVoting,
    clip_voting,
    thresholds_basis,
    thresholds_path,
)
from labeling.attributes.voting.ensemble import ClipVoter, Ensemble
from labeling.attributes.voting.plan import VotingPlan, plan_of
from labeling.attributes.voting.site import Site, site_of
from labeling.attributes.voting.subjects import Subject, SubjectKind, subjects_of
from labeling.attributes.voting.views import shown
from labeling.attributes.voting.voter import ShownQuestion

_NOTHING = (UNSURE, 1.0)
_MOST = 1_000  # subjects that are looked at; a seeded sample where more are known

Says = Callable[[Cell], tuple[int, float] | None]  # as in ``KnownFile.labels``


@dataclass(frozen=True, slots=True, kw_only=True)
class ClipCalibrated:
    """The thresholds of one voter and where they are kept; ``subjects`` were looked at."""

    voter: str
    thresholds: Thresholds
    subjects: int
    path: Path


@dataclass(frozen=True, slots=True, kw_only=True)
class ClipCalibration:
    """What each clip voter was given; ``unmatched`` are rows that are of nothing in the plan."""

    voters: tuple[ClipCalibrated, ...]
    unmatched: Unmatched | None


def calibrate_clip_voters(
    workspace: Workspace,
    ensemble: Ensemble,
    known: str,
    *,
    kind: SubjectKind = "pictures",
    noun: str | None = None,
    seed: int = 0,
    source: str = "the ensemble",
    engine: Engine = LOCAL,
) -> ClipCalibration:
    """Write labels/clip-NAME.json for each clip voter, from labels that are known.

    ``known`` is a file of labels, or ``catalog`` for what the catalog states. A file of cuts that
    stands there goes on as it is until its new cuts are made.

    Raises UsageError for ``decisions``, where the ensemble has no clip voter (``source`` is where
    it was read), or nothing is known of any subject, and as ``read_known``, ``site_of`` and
    ``clip_voting`` do.
    """
    if known == FROM_DECISIONS:
        raise UsageError(
            f"--known {FROM_DECISIONS} is of votes, and --clip sets cuts before there are any; name"
            f" a CSV or Parquet file of known labels, or {FROM_CATALOG}"
        )
    plan = plan_of(ensemble, load_vocabulary(workspace.vocabulary), seed=seed)
    clips = [voter for voter in ensemble.voters if isinstance(voter, ClipVoter)]
    if not clips:
        raise UsageError(
            f"{source}: has no voter of the kind clip, so nothing to set cuts for"
            f" (there are {excerpt(', '.join(ensemble.weights()))}); add one, or calibrate without"
            " --clip by votes"
        )
    held = None if known == FROM_CATALOG else read_known(Path(known), plan.vocabulary)
    says = _says(workspace, plan, held)
    told = [
        subject
        for subject in subjects_of(workspace, kind, noun)
        if any(says(cell) is not None for cell in _cells(subject, plan))
    ]
    chosen = _chosen(told, plan, says, seed)
    cells = {cell for subject in told for cell in _cells(subject, plan)}
    unmatched = None if held is None else held.unmatched(cells)
    if not chosen:
        why = "" if unmatched is None else f": {unmatched}"
        raise UsageError(f"{known}: knows nothing of the {kind} of this catalog{why}")
    with site_of(engine, workspace) as site:
        found = tuple(_calibrated(workspace, plan, voter, chosen, says, site) for voter in clips)
    return ClipCalibration(voters=found, unmatched=unmatched)


def _says(workspace: Workspace, plan: VotingPlan, held: KnownFile | None) -> Says:
    if held is not None:
        return held.labels.get
    catalog = Catalog.read(workspace, plan.vocabulary)

    def says(cell: Cell) -> tuple[int, float] | None:
        said = catalog.says(cell)
        return None if said == UNSURE else (said, 1.0)

    return says


def _chosen(told: Sequence[Subject], plan: VotingPlan, says: Says, seed: int) -> Sequence[Subject]:
    known = [
        subject
        for subject in told
        if any((says(cell) or _NOTHING)[0] != UNSURE for cell in _cells(subject, plan))
    ]
    order = sorted(
        known, key=lambda one: draw(seed, "clip calibration", one.image_id, one.object_id or "")
    )
    return order[:_MOST]


def _cells(subject: Subject, plan: VotingPlan) -> list[Cell]:
    return [(subject.image_id, subject.object_id, value.type, value.value) for value in plan.values]


def _calibrated(
    workspace: Workspace,
    plan: VotingPlan,
    settings: ClipVoter,
    subjects: Sequence[Subject],
    says: Says,
    site: Site,
) -> ClipCalibrated:
    path = thresholds_path(workspace, settings.name)
    with clip_voting(
        settings, plan.ensemble, plan.vocabulary, workspace, site, calibrated=False
    ) as voter:
        measured = run(_margins(voter, plan, subjects))
        basis = thresholds_basis(voter.embedder, plan.ensemble)
    told = [says(cell) or _NOTHING for subject in subjects for cell in _cells(subject, plan)]
    truth = np.array([code for code, _ in told], np.int8)
    known = Known(
        truth=truth, counts=truth != UNSURE, weights=np.array([weight for _, weight in told])
    )
    thresholds = calibrate_clip(measured, known)
    save_thresholds(path, thresholds, basis)
    return ClipCalibrated(
        voter=settings.name, thresholds=thresholds, subjects=len(subjects), path=path
    )


async def _margins(voter: ClipVoting, plan: VotingPlan, subjects: Sequence[Subject]) -> Margins:
    """Return the margins of all values of the subjects, for each template and view."""
    places = [(template, view) for template in _templates(plan) for view in plan.ensemble.views]
    columns = np.tile(np.arange(len(plan.values), dtype=np.int32), len(subjects))
    found = np.full((len(places), len(columns)), np.nan)
    for row, (template, view) in enumerate(places):
        asked = [_questions(plan, subject, template, view) for subject in subjects]
        rows = await asyncio.gather(*(voter.margins(questions) for questions in asked))
        found[row] = np.concatenate([np.array(each) for each in rows])
    return Margins(
        values=tuple((value.type, value.value) for value in plan.values),
        columns=columns,
        questions=tuple(places),
        margins=found,
    )


def _templates(plan: VotingPlan) -> list[str]:
    return [str(number) for number in range(1, plan.ensemble.templates + 1)]


def _questions(
    plan: VotingPlan, subject: Subject, template: str, view: str
) -> tuple[ShownQuestion, ...]:
    pictures = shown(subject, plan.ensemble.views[view], plan.ensemble.context)
    return tuple(
        ShownQuestion(
            subject=subject,
            type=value.type,
            value=value.value,
            template=template,
            text=plan.text(at, template, subject.noun),
            view=view,
            pictures=pictures,
        )
        for at, value in enumerate(plan.values)
    )
