"""What people say of a sample of responses: how detectors do by them, and CorrTP put right by it.

FPCO-Dialog, appendix C: six responses of each model and premise class. ``review-labels open
--audit responses`` draws them, by a hash of their ids; the journal holds what people decided.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from benchwright.decisions.on_responses import JudgedResponse
from benchwright.statistics.prediction_powered import PredictionPowered, prediction_powered_share
from evaluation.false_premise.metrics.corrections import Corrections, Mask
from evaluation.false_premise.metrics.raters import (
    ALL,
    PairAgreement,
    Rated,
    rated_by_detectors,
)

Judged = Mapping[tuple[str, int], JudgedResponse]  # by dialogue and turn
_CODES = {"yes": 1, "no": 0}


@dataclass(frozen=True, slots=True, kw_only=True)
class Corrected:
    """CorrTP over all turns of a class, or of all, as detectors say and put right by people.

    ``judged`` counts the responses that people settled. ``found`` is null where of a class they
    settled none.
    """

    scope: str
    judged: int
    found: PredictionPowered | None


@dataclass(frozen=True, slots=True, kw_only=True)
class PeopleSay:
    """How far people and detectors agree on the sample, pair by pair, and what it corrects."""

    people: tuple[str, ...]
    responses: int
    agreement: tuple[PairAgreement, ...]
    corrected: tuple[Corrected, ...]


def people_say(corrections: Corrections, judged: Judged, seed: int) -> PeopleSay | None:
    """Return what the judgements of people come to; null where they judged no false premise.

    Whoever judged, two people, a person and a detector, two detectors: each pair is compared on
    the responses that people judged (table 2). People are called person 1, person 2 and so on, by
    their sorted names. Only responses that a plan drew correct anything: others stand for
    nothing but themselves.
    """
    cells = [
        (one.dialogue_id, turn + 1)
        for one, turns in zip(corrections.dialogues, corrections.is_false, strict=True)
        for turn in np.flatnonzero(turns).tolist()
    ]
    seen = np.array([bool(cell in judged and judged[cell].by_person) for cell in cells], bool)
    if not seen.any():
        return None
    names = sorted({name for cell in cells if cell in judged for name in judged[cell].by_person})
    people = tuple(f"person {number}" for number in range(1, len(names) + 1))
    read = rated_by_detectors(corrections)
    said = [
        [_CODES.get(judged[cell].by_person.get(name, ""), -1) for name in names]
        for cell, is_seen in zip(cells, seen, strict=True)
        if is_seen
    ]
    both = Rated(
        raters=(*people, *read.raters),
        codes=np.hstack([np.array(said, np.int64), read.codes[seen]]),
        scopes=tuple(np.array(read.scopes, dtype=object)[seen]),
        pictures=read.pictures[seen],
    )
    return PeopleSay(
        people=people,
        responses=int(seen.sum()),
        agreement=tuple(
            both.agreement(list(combinations(both.raters, 2)), corrections.classes, seed)
        ),
        corrected=tuple(_corrected(corrections, read, [judged.get(cell) for cell in cells])),
    )


def _corrected(
    corrections: Corrections, read: Rated, judged: list[JudgedResponse | None]
) -> Iterator[Corrected]:
    said = np.array(
        [
            float(_CODES[one.answer]) if one and one.is_drawn and one.answer else np.nan
            for one in judged
        ]
    )
    predicted = read.codes.mean(axis=1)
    scopes = np.array(read.scopes, dtype=object)
    _, strata = np.unique(list(read.scopes), return_inverse=True)
    parts: list[tuple[str, Mask]] = [(ALL, np.ones(len(said), bool))]
    parts += [(name, scopes == name) for name in corrections.classes]
    for scope, has in parts:
        yield Corrected(
            scope=scope,
            judged=int((~np.isnan(said[has])).sum()),
            found=prediction_powered_share(
                predicted[has], said[has], strata[has], read.pictures[has]
            ),
        )
