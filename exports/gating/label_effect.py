"""What errors of voted labels do to the episodes that were made of them, by simulation.

The labels of a gallery are the machine's word; what its pictures truly show is drawn from it: each
voted label is wrong at the rate that the audit found for its type and its answer. In an exclusive
type a yes that is wrong makes another value true; where none is yes, at most one no is wrong. Which
one hangs on the gallery, for its pictures were taken for being like the target: a value counts once
for each picture of it that has the value, and all of the catalog counts as one picture more.

*Identifiable*: by what the pictures truly show each distractor differs from the target in an
askable value (definition 5). *Kept*: the reference questioner (definition 6), answered by what the
target truly shows, still ends at the target alone. The feasible set is the verifier's, by labels;
one wrong label of the target among those asked throws the target out. So the share that is kept,
times the share of episodes that have an end at all, is what verified accuracy (definition 14) of
that questioner comes to, who sees every label and makes no mistake.
"""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from benchwright.feasible import Board
from benchwright.knowledge import NO, UNKNOWN, YES, Knowledge, Value
from benchwright.reference_questioner import questions
from exports.gating.check import Check, rounded
from exports.gating.known_galleries import KnownGalleries, Mask
from exports.gating.label_audit import ErrorRates, LabelAudit
from exports.gating.limits import EPISODES_KEPT, ERROR_DRAWS, ROWS_SHOWN

_WHAT = "episodes that label errors leave a way to their target"
Answers = npt.NDArray[np.int8]
Reals = npt.NDArray[np.float64]


@dataclass(frozen=True, kw_only=True)
class Errors:
    """For each of m askable values: how often its voted yes is wrong, its no, how common it is.

    ``columns`` are those of the values in the knowledge, ``pictures`` is how many it has.
    """

    values: tuple[Value, ...]
    columns: npt.NDArray[np.int64]
    yes: Reals
    no: Reals
    common: npt.NDArray[np.int64]
    pictures: int

    @classmethod
    def of(cls, rates: ErrorRates, knowledge: Knowledge) -> "Errors":
        """Return the errors of the askable values; one that no picture has counts as had by one."""
        at = np.array([value.askable for value in knowledge.values], bool).nonzero()[0]
        values = tuple(knowledge.values[column] for column in at)
        counts = np.bincount(knowledge.yes, minlength=len(knowledge.values))
        return cls(
            values=values,
            columns=at,
            yes=np.array([rates.rate(value.type, YES) for value in values]),
            no=np.array([rates.rate(value.type, NO) for value in values]),
            common=np.maximum(1, counts[at]),
            pictures=len(knowledge.ids),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Effect:
    """Of each episode: whether it has an end by labels, and how likely it keeps its properties."""

    ends: Mask
    kept: Reals
    was_identifiable: Mask
    identifiable: Reals

    @property
    def kept_share(self) -> float:
        """The expected share of the episodes with an end that keep it; 1 where none has."""
        return float(self.kept[self.ends].mean()) if self.ends.any() else 1.0


def label_effect(galleries: KnownGalleries, voted: pa.Table, audit: LabelAudit) -> Check:
    """Return the check of one config: the share of episodes kept, from the rates of an audit.

    The ends of its interval are at the ends of the intervals of the rates. It fails by the figure
    itself: an audit of too few labels already fails as ``label-error``. Where no episode has an end
    there is nothing to keep, and it is for information.
    """
    cells = VotedCells.of(galleries, voted)
    found, worst, best = (
        simulate(galleries, cells, rates) for rates in (audit.rates, audit.most, audit.least)
    )
    if not found.ends.any():
        said = "no episode has an end by labels: no questions lead to its target alone"
        return Check(
            name="label-effect", of=galleries.config, what=_WHAT, figure=None, n=0, note=said
        )
    share = found.kept_share
    passed = share >= EPISODES_KEPT
    order = sorted(
        found.ends.nonzero()[0].tolist(),
        key=lambda at: (found.kept[at], galleries.episodes[at].episode_id),
    )
    rows = [] if passed else [galleries.episodes[at].episode_id for at in order]
    return Check(
        name="label-effect",
        of=galleries.config,
        what=_WHAT,
        figure=rounded(share),
        low=rounded(min(worst.kept_share, share)),
        high=rounded(max(best.kept_share, share)),
        limit=EPISODES_KEPT,
        wanted="at least",
        n=len(order),
        passed=passed,
        rows=tuple(rows[:ROWS_SHOWN]),
        found=len(rows),
        note=_said(found),
    ).advised(
        "vote or judge again the types that are wrong most often, then build the next version"
    )


def _said(found: Effect) -> str:
    was, ends = found.was_identifiable, float(found.ends.mean())
    still = found.identifiable[was]
    identifiable = (
        f"{100 * was.mean():.1f} % are identifiable by labels, and of these"
        f" {100 * still.mean():.1f} % by what pictures truly show (nine in ten at a chance of"
        f" {100 * np.quantile(still, 0.1):.0f} % or more)"
        if was.any()
        else "none is identifiable"
    )
    return (
        f"{identifiable}; verified accuracy of the reference questioner, a ceiling:"
        f" {100 * ends * found.kept_share:.1f} %, without label errors {100 * ends:.1f} %"
    )


@dataclass(frozen=True, kw_only=True)
class VotedCells:
    """Which labels were voted, by rows and columns of the knowledge."""

    indptr: npt.NDArray[np.int64]
    columns: npt.NDArray[np.int64]

    @classmethod
    def of(cls, galleries: KnownGalleries, voted: pa.Table) -> "VotedCells":
        """Return the cells of a table with image_id, type and value; others are left aside."""
        known = galleries.knowledge
        names = pa.array([f"{value.type}\0{value.value}" for value in known.values], pa.string())
        spelt = pc.binary_join_element_wise(voted.column("type"), voted.column("value"), "\0")
        columns = pc.fill_null(pc.index_in(spelt, value_set=names), -1).to_numpy()
        ids = pa.array(list(galleries.row_of), pa.string())
        rows = pc.fill_null(pc.index_in(voted.column("image_id"), value_set=ids), -1).to_numpy()
        at = (columns >= 0) & (rows >= 0)
        order = np.argsort(rows[at], kind="stable")
        starts = np.searchsorted(rows[at][order], np.arange(len(known.ids) + 1))
        return cls(indptr=starts, columns=columns[at][order].astype(np.int64))

    def mask(self, rows: Sequence[int], width: int) -> Mask:
        """Return (k, m) which labels of these pictures were voted."""
        found = np.zeros((len(rows), width), bool)
        for at, row in enumerate(rows):
            found[at, self.columns[self.indptr[row] : self.indptr[row + 1]]] = True
        return found


def simulate(galleries: KnownGalleries, cells: VotedCells, rates: ErrorRates) -> Effect:
    """Return what label errors at these rates do to each episode."""
    errors = Errors.of(rates, galleries.knowledge)
    ends, kept, identifiable = [], [], []
    for one in galleries.episodes:
        rows, target = galleries.rows(one), one.target_index - 1
        answers = galleries.knowledge.answers(rows)[:, errors.columns]
        voted = cells.mask(rows, len(galleries.knowledge.values))[:, errors.columns]
        truth = drawn_truth(answers, voted, errors, one.episode_id)
        asked = questions(Board(target=target, values=errors.values, answers=answers))
        ends.append(asked is not None)
        still = (truth[:, target, asked or []] == answers[target, asked or []]).all(axis=1)
        kept.append(float(still.mean()) if asked is not None else 0.0)
        identifiable.append(float(_identifiable(truth, target).mean()))
    return Effect(
        ends=np.array(ends, bool),
        kept=np.array(kept),
        was_identifiable=np.array([one.identifiable for one in galleries.episodes], bool),
        identifiable=np.array(identifiable),
    )


def drawn_truth(
    answers: Answers, voted: Mask, errors: Errors, name: str, draws: int = ERROR_DRAWS
) -> Answers:
    """Return (draws, k, m) what k pictures may truly show whose labels are ``answers`` (k, m).

    The draws hang on the name alone.
    """
    size = (draws, *answers.shape)
    bits = hashlib.shake_256(f"gate\0label errors\0{name}".encode())
    uniform = np.frombuffer(bits.digest(4 * draws * answers.size), "<u4").reshape(size) / 2.0**32
    rates = np.where(answers == YES, errors.yes, errors.no) * (voted & (answers != UNKNOWN))
    truth = np.where(uniform < rates, -answers, answers).astype(np.int8)
    likely = (answers == YES).sum(axis=0) * errors.pictures + errors.common
    for columns in _exclusive(errors.values):
        truth[:, :, columns] = _one_value(
            answers[:, columns],
            rates[:, columns],
            likely[columns],
            uniform[:, :, columns.start],
        )
    return truth


def _one_value(
    answers: Answers, rates: Reals, likely: npt.NDArray[np.int64], uniform: Reals
) -> Answers:
    """Return (draws, k, values) the truth of one exclusive type: one value is yes at most.

    ``answers`` and ``rates`` are (k, values), ``uniform`` (draws, k). Where a value is yes, that
    one is wrong at its rate; where none is, one of the no is wrong at the sum of their rates, for
    two cannot be. What is true instead is drawn by how ``likely`` each other value is.
    """
    said = answers == YES
    wrong = np.where(said.any(axis=1), rates.max(axis=1, where=said, initial=0), rates.sum(axis=1))
    others = np.where(said.any(axis=1, keepdims=True), ~said, rates > 0) * likely
    sums = others.cumsum(axis=1)
    at_draw, at_picture = np.nonzero(uniform < wrong)
    again = uniform[at_draw, at_picture] / wrong[at_picture]  # uniform once more
    places = (again[:, None] * sums[at_picture, -1:] >= sums[at_picture]).sum(axis=1)
    truth = np.broadcast_to(answers, (len(uniform), *answers.shape)).copy()
    truth[at_draw, at_picture] = np.where(said[at_picture], NO, truth[at_draw, at_picture])
    there = places < answers.shape[1]  # a type of one value has no other
    truth[at_draw[there], at_picture[there], places[there]] = YES
    return truth


def _exclusive(values: Sequence[Value]) -> list[slice]:
    """Return the columns of each exclusive type; values stand by type."""
    found = []
    for _, group in groupby(range(len(values)), key=lambda at: values[at].type):
        columns = list(group)
        if values[columns[0]].exclusive:
            found.append(slice(columns[0], columns[-1] + 1))
    return found


def _identifiable(truth: Answers, target: int) -> Mask:
    """Return (draws,) whether each distractor differs from the target in some value."""
    differs = (truth * truth[:, target : target + 1] == YES * NO).any(axis=2)
    found: Mask = np.delete(differs, target, axis=1).all(axis=1)
    return found
