"""Precision, recall and F1 of verdicts against labels."""

import math

import pytest

from benchwright.statistics.intervals import wilson
from evaluation.judges.scoring import score
from evaluation.judges.tables import confusion_lines, share_text, table_lines

WANTED = ["valid", "valid", "valid", "index", "index", "repeated", "compound", "forbidden"]
FOUND = ["valid", "valid", "index", "index", "forbidden", "repeated", "valid", "valid"]


def test_shares() -> None:
    found = score(WANTED, FOUND)
    assert found.precision.share == 3 / 4  # one valid question was taken for an index
    assert found.recall.share == 3 / 5  # another reason is caught all the same
    assert found.same_reason.share == pytest.approx(2 / 3)
    assert found.f1.share == pytest.approx(2 * 0.75 * 0.6 / (0.75 + 0.6))
    low, high = wilson(3 / 5, 5)
    assert (found.recall.low, found.recall.high) == (low, high)
    low, high = wilson(3 / 6, 6)  # of six that are a violation by label or by verdict
    assert found.f1.low == pytest.approx(2 * low / (1 + low))
    assert found.f1.high == pytest.approx(2 * high / (1 + high))


def test_by_label() -> None:
    found = score(WANTED, FOUND)
    assert [found.labelled(name) for name in ("valid", "index", "compound")] == [3, 2, 1]
    assert [found.caught(name) for name in ("valid", "index", "compound")] == [2, 2, 0]
    assert found.confusion["index", "forbidden"] == 1


def test_of_nothing() -> None:
    found = score([], [])
    assert math.isnan(found.precision.share)
    assert share_text(found.precision) == "-"
    assert score(["valid"], ["valid"]).recall.size == 0


def test_tables() -> None:
    assert table_lines([("a", "bb"), ("ccc", "d")]) == ["a    bb", "ccc  d"]
    lines = confusion_lines("x", ("valid", "index"), score(WANTED, FOUND).confusion)
    assert lines == ["x      valid  index", "valid  2      1", "index  .      1"]
    assert share_text(score(WANTED, FOUND).recall) == "0.60 (0.23 to 0.88)"
