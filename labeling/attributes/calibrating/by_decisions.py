"""Labels that are known because people judged them in an audit that drew them."""

from collections.abc import Mapping

import numpy as np

from benchwright.decisions.fields import label_of
from benchwright.decisions.journal import journal_path
from benchwright.decisions.on_labels import label_decisions
from benchwright.decisions.standing import Standing, outcome
from benchwright.records import Decision
from benchwright.workspace import Workspace
from labeling.attributes.calibrating.known import Cell, Unmatched, cells_of, name_of
from labeling.attributes.deciding.ballots import Ballots
from labeling.attributes.deciding.calibration import Known
from labeling.attributes.deciding.codes import LABEL_CODES, UNSURE, Mask

FROM_DECISIONS = "decisions"  # in the place of a file: what people decided
_NOT_DRAWN = "labels that people decided were drawn by no plan, or are not voted on"


def known_by_decisions(
    workspace: Workspace, ballots: Ballots, counts: Mask
) -> tuple[Known, Unmatched | None]:
    """Return what people decided of the cells of some ballots, and how much of it is no use.

    Each label weighs the inverse of the probability with which its plan drew it (definition 25). A
    plan that grew holds all that the smaller one drew, so that the largest probability of a stratum
    is that of all its labels. What no plan drew stands for nothing but itself and is left out.
    ``counts`` is as in ``known_by_file``.
    """
    decisions = label_decisions(workspace)
    strata = _strata(decisions)
    truth, weights = np.zeros(len(ballots), np.int8), np.ones(len(ballots))
    held = _by_cell(decisions)
    used: set[Cell] = set()
    for at, cell in enumerate(cells_of(ballots)):
        by_auditor = held.get(cell)
        probability = None if by_auditor is None else _probability(by_auditor, strata)
        if by_auditor is None or probability is None:
            continue
        used.add(cell)
        truth[at] = LABEL_CODES.get(outcome(by_auditor)[0] or "unsure", UNSURE)
        weights[at] = 1 / probability
    return Known(truth=truth, counts=counts, weights=weights), _unused(workspace, held, used)


def _by_cell(decisions: Standing) -> dict[Cell, Mapping[str, Decision]]:
    found: dict[Cell, Mapping[str, Decision]] = {}
    for thing, by_auditor in decisions.items():
        label = label_of(thing.field)
        if thing.image_id is not None and label is not None:
            found[(thing.image_id, thing.object_id, *label)] = by_auditor
    return found


def _strata(decisions: Standing) -> Mapping[str, float]:
    """Return the largest probability of each stratum."""
    found: dict[str, float] = {}
    for by_auditor in decisions.values():
        for each in by_auditor.values():
            if each.stratum is not None and each.probability is not None:
                found[each.stratum] = max(each.probability, found.get(each.stratum, 0.0))
    return found


def _probability(by_auditor: Mapping[str, Decision], strata: Mapping[str, float]) -> float | None:
    """Return with which probability a label was drawn; null where none drew it."""
    drawn = [
        each.probability if each.stratum is None else strata[each.stratum]
        for each in by_auditor.values()
        if each.probability is not None
    ]
    return max(drawn, default=None)


def _unused(
    workspace: Workspace, held: Mapping[Cell, Mapping[str, Decision]], used: set[Cell]
) -> Unmatched | None:
    others = sorted((cell for cell in held if cell not in used), key=name_of)
    if not others:
        return None
    return Unmatched(
        path=journal_path(workspace),
        count=len(others),
        of=len(held),
        example=name_of(others[0]),
        what=_NOT_DRAWN,
    )
