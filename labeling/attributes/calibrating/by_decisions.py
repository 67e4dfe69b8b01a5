"""Labels that are known because people judged them in an audit that drew them."""

from collections.abc import Mapping

import numpy as np

from benchwright.decisions.cells import Cell, cell_of, name_of
from benchwright.decisions.drawn import read_drawn
from benchwright.decisions.journal import journal_path
from benchwright.decisions.on_labels import label_decisions
from benchwright.decisions.standing import Standing, Thing, asked, outcome
from benchwright.plain_text import excerpt
from benchwright.records import Decision
from benchwright.workspace import Workspace
from labeling.attributes.calibrating.known import Unmatched, cells_of
from labeling.attributes.deciding.ballots import Ballots
from labeling.attributes.deciding.calibration import Known
from labeling.attributes.deciding.codes import LABEL_CODES, UNSURE, Mask

FROM_DECISIONS = "decisions"  # in the place of a file: what people decided
_NOT_DRAWN = "labels that people decided were drawn by no plan, or are not voted on"


def known_by_decisions(
    workspace: Workspace, ballots: Ballots, counts: Mask
) -> tuple[Known, Unmatched | None]:
    """Return what people decided of the cells of some ballots, and how much of it is no use.

    A label of audits/plan.json weighs as in the report: as many labels of its stratum as each of
    those stands for that were told (definition 25). One that only an earlier plan drew weighs the
    inverse of the probability with which it did: a plan that grew holds all that the smaller one
    drew, so that the largest probability of a stratum is that of all its labels. What no plan drew
    stands for nothing but itself and is left out, and so is a value that was only named in the
    place of another. ``counts`` is as in ``known_by_file``.
    """
    held = label_decisions(workspace)
    decisions = asked(held)
    by_thing = _weights(workspace, decisions)
    truth, weights = np.zeros(len(ballots), np.int8), np.ones(len(ballots))
    things = {cell: thing for thing in held if (cell := cell_of(thing)) is not None}
    used: set[Cell] = set()
    for at, cell in enumerate(cells_of(ballots)):
        thing = things.get(cell)
        if thing is None or thing not in by_thing:
            continue
        used.add(cell)
        truth[at] = LABEL_CODES.get(outcome(decisions[thing])[0] or "unsure", UNSURE)
        weights[at] = by_thing[thing]
    return Known(truth=truth, counts=counts, weights=weights), _unused(workspace, set(things), used)


def _weights(workspace: Workspace, decisions: Standing) -> Mapping[Thing, float]:
    """Return for how many labels each stands that was asked and that a plan drew."""
    drawn = read_drawn(workspace)
    found: dict[Thing, float] = {}
    if drawn is not None:
        tallies = drawn.tallies(decisions)
        found = {
            label.thing: stratum.stands_for
            for label in drawn.labels
            if label.thing in decisions and (stratum := tallies.get(label.stratum or ""))
        }
    earlier = {thing: by_auditor for thing, by_auditor in decisions.items() if thing not in found}
    strata = _strata(earlier)
    for thing, by_auditor in earlier.items():
        probability = _probability(by_auditor, strata)
        if probability is not None:
            found[thing] = 1 / probability
    return found


def _strata(decisions: Standing) -> Mapping[str, float]:
    """Return the largest probability of each stratum, as decisions have it."""
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


def _unused(workspace: Workspace, held: set[Cell], used: set[Cell]) -> Unmatched | None:
    others = sorted(held - used, key=name_of)
    if not others:
        return None
    return Unmatched(
        path=journal_path(workspace),
        count=len(others),
        of=len(held),
        example=excerpt(name_of(others[0])),
        what=_NOT_DRAWN,
    )
