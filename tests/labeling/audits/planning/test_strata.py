from collections import Counter
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from labeling.audits.planning.population import read_population
from labeling.audits.planning.strata import margin_bounds, stratify


def counts(**hundredths: int) -> np.ndarray:
    made = np.zeros(51, np.int64)
    for name, count in hundredths.items():
        made[int(name[1:])] = count
    return made


@pytest.mark.parametrize(
    ("made", "bounds"),
    [
        (counts(m50=900), [(0, 50)]),  # one voter, one question
        (counts(m0=10), [(0, 50)]),
        (counts(m16=100, m50=900), [(0, 16), (17, 50)]),  # three voters
        (counts(m5=100, m16=100, m50=100), [(0, 5), (6, 16), (17, 50)]),
        # square roots 10, 20, 40, 60, 57: thirds at 62 and 125 lie nearest to 70 and 130
        (counts(m5=100, m16=400, m27=1600, m38=3600, m50=3249), [(0, 27), (28, 38), (39, 50)]),
        (np.ones(51, np.int64), [(0, 16), (17, 33), (34, 50)]),  # margins of every size
    ],
)
def test_classes_of_the_margin(made: np.ndarray, bounds: list[tuple[int, int]]) -> None:
    assert margin_bounds(made) == bounds


def test_every_label_is_in_one_stratum(kit: SimpleNamespace, labelled: Any) -> None:
    population = read_population(labelled(kit.labels()))
    strata, codes = stratify(population)
    assert Counter(codes.tolist()) == {at: each.size for at, each in enumerate(strata)}
    assert len({stratum.name for stratum in strata}) == len(strata)
    for row, code in enumerate(codes.tolist()):
        stratum = strata[code]
        assert stratum.low <= population.margins[row] <= stratum.high
        assert population.labels.column("type")[row].as_py() == stratum.type
        if stratum.value is not None:
            assert population.labels.column("value")[row].as_py() == stratum.value


def test_a_value_of_a_twentieth_is_a_stratum_of_its_own(
    kit: SimpleNamespace, labelled: Any
) -> None:
    made = [kit.label(number, "red" if number < 5 else f"v{number}") for number in range(100)]
    made += [kit.label(100, "a/b", type="x/y")]
    strata, _ = stratify(read_population(labelled(made[1:])))  # red has 4 of 100
    assert {stratum.name: stratum.size for stratum in strata} == {
        "colour 0.00-0.50": 99,
        "x~1y 0.00-0.50": 1,
    }
    strata, _ = stratify(read_population(labelled(made[:100])))  # red has 5 of 100
    assert {stratum.name: stratum.size for stratum in strata} == {
        "colour 0.00-0.50": 95,
        "colour/red 0.00-0.50": 5,
    }
