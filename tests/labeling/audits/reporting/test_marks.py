"""Agreement on sets, by hand."""

import json
from types import SimpleNamespace
from typing import Any

import pytest

from benchwright.decisions.standing import standing
from labeling.audits.reporting.marks import mark_agreements
from labeling.audits.reporting.settings import ReportSettings

SETTINGS = ReportSettings(draws=50)


@pytest.fixture
def mark(kit: SimpleNamespace) -> Any:
    def make(turn: str, auditor: str, after: Any, field: str = "candidates") -> Any:
        text = after if after is None or isinstance(after, str) else json.dumps(after)
        return kit.decision(image_id=None, record_id=turn, auditor=auditor, field=field, after=text)

    return make


def test_sets_of_three_annotators(mark: Any) -> None:
    made = [
        mark("d/1", "ana", ["a", "b", "c"]),
        mark("d/1", "bo", ["a", "b"]),
        mark("d/2", "ana", ["a"]),
        mark("d/2", "bo", ["a"]),
        mark("d/2", "chi", ["b"]),
        mark("e/1", "ana", []),  # of it bo judged nothing
    ]
    found = mark_agreements(standing(made), SETTINGS)["candidates"]
    assert (found.things, found.auditors, found.unread) == (3, ("ana", "bo", "chi"), 0)
    ana_bo, ana_chi, bo_chi = found.pairs
    scores = ana_bo.agreement.mean
    assert scores.precision.value == pytest.approx((2 / 3 + 1) / 2)
    assert scores.recall.value == 1.0
    assert scores.f1.value == pytest.approx((4 / 5 + 1) / 2)
    assert ana_bo.agreement.pooled.precision.value == pytest.approx(3 / 4)
    assert (ana_bo.judged, ana_bo.same, ana_bo.left_out) == (2, 1, 1)
    assert (ana_chi.agreement.mean.f1.value, bo_chi.agreement.mean.f1.value) == (0.0, 0.0)
    # four pairs of sets: .8, 1, 0, 0
    assert found.overall.f1.value == pytest.approx(0.45)


@pytest.mark.parametrize(
    ("after", "unread"),
    [
        ('["a", "a"]', 0),
        ("[]", 0),
        (None, 0),  # a turn that cannot be judged holds no set, and says so
        ("a, b", 1),
        ('{"a": 1}', 1),
        ("[1, 2]", 1),
        ("[" * 5000, 1),
        ("NaN", 1),
    ],
)
def test_what_is_no_list_of_ids_is_counted(mark: Any, after: Any, unread: int) -> None:
    made = [mark("d/1", "ana", after), mark("d/1", "bo", ["a"])]
    found = mark_agreements(standing(made), SETTINGS)["candidates"]
    assert found.unread == unread
    assert len(found.pairs) == (1 if after is not None and not unread else 0)


def test_nobody_marked_anything() -> None:
    assert mark_agreements({}, SETTINGS) == {}


def test_distractors_that_are_wrong_are_sets_too(mark: Any) -> None:
    made = [mark("c", "ana", ["1a"], "distractors"), mark("c", "bo", [], "distractors")]
    found = mark_agreements(standing(made), SETTINGS)["distractors"]
    assert found.overall.f1.value == 0.0
