"""How far auditors agree: on labels, by pair, type and value, and on records by kind."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from benchwright.decisions.fields import label_of
from benchwright.decisions.standing import Thing
from benchwright.statistics.agreement.ac1 import gwets_ac1
from benchwright.statistics.agreement.alpha import krippendorffs_alpha
from benchwright.statistics.agreement.coefficient import Coefficient
from benchwright.statistics.agreement.exact import exact_agreement
from benchwright.statistics.agreement.judgements import MISSING, Judgements
from benchwright.statistics.agreement.two_raters import lights_kappa
from labeling.audits.reporting.board import ANSWERS, Board
from labeling.audits.reporting.settings import ReportSettings

ENOUGH = 10  # things that two judged, below which a single value has no coefficients


@dataclass(frozen=True, slots=True, kw_only=True)
class Agreement:
    """Coefficients of the same judgements.

    ``kappa`` is Cohen's; of more than two auditors it is Light's, the mean over their pairs.
    """

    exact: Coefficient
    kappa: Coefficient
    alpha: Coefficient
    ac1: Coefficient

    @property
    def judged(self) -> int:
        """How many things two auditors or more judged."""
        return self.exact.judged

    @property
    def left_out(self) -> int:
        """How many things one auditor judged alone."""
        return self.exact.left_out


@dataclass(frozen=True, slots=True, kw_only=True)
class PairAgreement:
    """Agreement of two auditors, ``first`` before ``second`` by name."""

    first: str
    second: str
    agreement: Agreement


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardAgreement:
    """Agreement on one kind of thing; pairs without a thing that both judged are left out."""

    auditors: tuple[str, ...]
    overall: Agreement
    pairs: tuple[PairAgreement, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelAgreement:
    """Agreement on labels, unsure being an answer of its own.

    ``yes_or_no`` counts an auditor who was unsure as one who did not judge. ``weighted`` is the
    agreement that is to be expected on all labels: of those that the plan shows to two, each
    counting by the inverse of its inclusion probability; null without a plan. ``values`` are
    those of which ENOUGH labels were judged twice.
    """

    answers: BoardAgreement
    yes_or_no: BoardAgreement
    weighted: Agreement | None
    types: Mapping[str, Agreement]
    values: Mapping[tuple[str, str], Agreement]


def agreement_of(judgements: Judgements, settings: ReportSettings) -> Agreement:
    """Return the coefficients of some judgements."""
    how = settings.seed, settings.draws, settings.confidence
    return Agreement(
        exact=exact_agreement(judgements, settings.confidence),
        kappa=lights_kappa(judgements, *how),
        alpha=krippendorffs_alpha(judgements, *how),
        ac1=gwets_ac1(judgements, *how),
    )


def board_agreement(board: Board, settings: ReportSettings) -> BoardAgreement:
    """Return how far the auditors of a board agree, all together and in pairs."""
    return BoardAgreement(
        auditors=board.auditors,
        overall=agreement_of(board.judgements, settings),
        pairs=tuple(_pairs(board, settings)),
    )


def label_agreement(
    board: Board, weights: Mapping[Thing, float] | None, settings: ReportSettings
) -> LabelAgreement:
    """Return how far auditors agree on labels.

    ``weights`` are the inverse inclusion probabilities of the labels that two were to judge.
    """
    kinds = [label_of(thing.field) or ("", "") for thing in board.things]
    types = sorted({kind for kind, _ in kinds})
    twice = board.judgements.times >= 2
    by_value: dict[tuple[str, str], list[int]] = {}
    for row, kind in enumerate(kinds):
        by_value.setdefault(kind, []).append(row)
    return LabelAgreement(
        answers=board_agreement(board, settings),
        yes_or_no=board_agreement(_told(board), settings),
        weighted=None if weights is None else _weighted(board, weights, settings),
        types={
            name: agreement_of(
                board.rows(row for row, (kind, _) in enumerate(kinds) if kind == name), settings
            )
            for name in types
        },
        values={
            kind: agreement_of(board.rows(rows), settings)
            for kind, rows in sorted(by_value.items())
            if np.count_nonzero(twice[rows]) >= ENOUGH
        },
    )


def _pairs(board: Board, settings: ReportSettings) -> Iterator[PairAgreement]:
    for one, other in combinations(range(len(board.auditors)), 2):
        both = board.judgements.raters(one, other)
        if both.judged:
            yield PairAgreement(
                first=board.auditors[one],
                second=board.auditors[other],
                agreement=agreement_of(both, settings),
            )


def _told(board: Board) -> Board:
    """Return a board of yes and no alone."""
    whole = board.judgements
    codes = np.where(whole.codes == ANSWERS.index("unsure"), MISSING, whole.codes)
    return Board(
        things=board.things,
        auditors=board.auditors,
        judgements=Judgements.of(codes, 2, whole.clusters, whole.weights),
    )


def _weighted(
    board: Board, weights: Mapping[Thing, float], settings: ReportSettings
) -> Agreement | None:
    rows = [row for row, thing in enumerate(board.things) if thing in weights]
    if not rows:
        return None
    drawn = board.rows(rows)
    own = [weights[board.things[row]] for row in rows]
    weighed = Judgements.of(drawn.codes, drawn.categories, drawn.clusters, own)
    return agreement_of(weighed, settings)
