"""The parts of a population that are audited apart: attributes by classes of the vote margin."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from benchwright.decisions.fields import escaped, label_field
from labeling.audits.planning.population import Longs, Population

CLASSES = 3
ONE_IN = 20  # a value with so large a part of all labels is a stratum of its own


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelStratum:
    """Labels of one type (``value`` null: of those values that are no stratum of their own).

    ``low`` and ``high`` are the bounds of its class of the margin in hundredths, both inclusive;
    ``margin_class`` numbers that class from 0, the closest votes.
    """

    name: str
    type: str
    value: str | None
    margin_class: int
    low: int
    high: int
    size: int


def stratify(population: Population) -> tuple[tuple[LabelStratum, ...], Longs]:
    """Return the strata that have labels, and the number of each label's stratum.

    They depend on the labels alone, so that a later plan divides them just as the pilot did.
    """
    bounds = margin_bounds(np.bincount(population.margins, minlength=51))
    classes = np.searchsorted([high for _, high in bounds], population.margins)
    names, attributes = _attributes(population)
    keys, codes, sizes = np.unique(
        attributes * len(bounds) + classes, return_inverse=True, return_counts=True
    )
    strata = []
    for key, size in zip(keys.tolist(), sizes.tolist(), strict=True):
        attribute, margin_class = divmod(key, len(bounds))
        (type_name, value), (low, high) = names[attribute], bounds[margin_class]
        spelt = escaped(type_name) if value is None else label_field(type_name, value)
        strata.append(
            LabelStratum(
                name=f"{spelt} {margin_text(low, high)}",
                type=type_name,
                value=value,
                margin_class=margin_class,
                low=low,
                high=high,
                size=size,
            )
        )
    return tuple(strata), codes.astype(np.int64)


def margin_bounds(counts: Longs, classes: int = CLASSES) -> list[tuple[int, int]]:
    """Return the first and last hundredth of each class of the margin, ascending.

    ``counts`` (51,) are how many labels have each hundredth. The classes share the sum of the
    square roots of the counts equally, as nearly as whole hundredths allow (Dalenius and Hodges
    1959, "Minimum variance stratification"); there are fewer where the margins take
    fewer values. The first begins at 0 and the last ends at 50.
    """
    cumulated = np.cumsum(np.sqrt(counts))
    taken = np.flatnonzero(counts)
    wanted = [cumulated[-1] * part / classes for part in range(1, classes)]
    ends = {int(taken[np.argmin(np.abs(cumulated[taken] - share))]) for share in wanted}
    last = len(counts) - 1
    highs = [*sorted(end for end in ends if end < taken[-1]), last]
    return list(zip([0, *(high + 1 for high in highs[:-1])], highs, strict=True))


def margin_text(low: int, high: int) -> str:
    """Return a class of the margin in words, from two hundredths."""
    return f"{low / 100:.2f}-{high / 100:.2f}"


def _attributes(population: Population) -> tuple[Sequence[tuple[str, str | None]], Longs]:
    """Return the attributes by name, and the number of each label's."""
    types, values = population.labels.column("type"), population.labels.column("value")
    pairs = pa.table({"type": types, "value": values}).group_by(["type", "value"])
    counted = pairs.aggregate([([], "count_all")]).to_pylist()
    large = {
        (row["type"], row["value"])
        for row in counted
        if row["count_all"] * ONE_IN >= len(population)
    }
    keys = {(row["type"], row["value"]): (row["type"], row["value"]) for row in counted}
    held = {key: key if key in large else (key[0], None) for key in keys}
    names = sorted(set(held.values()), key=lambda name: (name[0], name[1] is not None, name[1]))
    numbers = {name: number for number, name in enumerate(names)}
    spelt = pc.binary_join_element_wise(types, values, "\0")
    order = list(held)
    known = pa.array([f"{kind}\0{value}" for kind, value in order], pa.string())
    places = pc.index_in(spelt, value_set=known).to_numpy()
    return names, np.array([numbers[held[key]] for key in order], np.int64)[places]
