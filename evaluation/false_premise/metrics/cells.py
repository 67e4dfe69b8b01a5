"""Would fewer pictures tell the same? A stratified bootstrap over cells (appendix H)."""

from dataclasses import dataclass

import numpy as np

from benchwright.statistics.stratified_draws import DRAWS, stratified_counts
from evaluation.false_premise.metrics.corrections import Corrections
from evaluation.false_premise.metrics.ordering import (
    Order,
    class_counts,
    class_shares,
    order_of,
)

SIZES = (10, 15, 20, 25, 30)


@dataclass(frozen=True, slots=True, kw_only=True)
class CellDraws:
    """In which share of draws of ``size`` pictures of each cell the order of classes held."""

    size: int
    is_put_back: bool
    held: float


@dataclass(frozen=True, slots=True, kw_only=True)
class CellStudy:
    """Draws from cells of complexity, category and class, each of ``smallest`` pictures or more.

    ``order`` is that of CorrTP over all turns and all pictures.
    """

    order: Order
    cells: int
    smallest: int
    draws: int
    found: tuple[CellDraws, ...]


def cell_study(corrections: Corrections, seed: int, draws: int = DRAWS) -> CellStudy | None:
    """Return in how many draws the order of the classes holds, by size, put back and not.

    Sizes are those of the paper that every cell has. All dialogues of a picture in a cell are
    drawn together. Null where there is no order, and without false premises.
    """
    turns = corrections.false_turns
    order = order_of(class_shares(corrections, turns[-1])) if turns else None
    if order is None:
        return None
    cells = [(one.complexity, one.category, one.premise_class) for one in corrections.dialogues]
    pairs = list(zip(cells, (one.image_id for one in corrections.dialogues), strict=True))
    met = sorted(set(pairs))
    number_of = {pair: number for number, pair in enumerate(met)}
    cell_of = {cell: number for number, cell in enumerate(sorted(set(cells)))}
    strata = np.array([cell_of[cell] for cell, _ in met])
    counts = class_counts(
        corrections,
        corrections.up_to(turns[-1]),
        np.array([number_of[pair] for pair in pairs], np.int64),
    )
    smallest = int(np.bincount(strata).min())
    found = tuple(
        CellDraws(
            size=size,
            is_put_back=is_put_back,
            held=counts.held(
                stratified_counts(strata, size, seed, is_put_back=is_put_back, draws=draws), order
            ),
        )
        for size in SIZES
        if size <= smallest
        for is_put_back in (True, False)
    )
    return CellStudy(order=order, cells=len(cell_of), smallest=smallest, draws=draws, found=found)
