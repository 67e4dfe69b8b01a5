"""The error of voted labels, as an audit found it."""

from collections.abc import Callable

import pytest

from benchwright import seeds
from benchwright.decisions.journal import append_decisions
from benchwright.records import Item
from benchwright.workspace import Workspace
from exports.gating.label_audit import LabelAudit, label_error, read_audit, voted_labels
from labeling.attributes.deciding.codes import NO, YES
from labeling.audits.planning.plan import plan_audit
from labeling.audits.planning.plan_file import PlannedItem, PlanSettings, read_plan
from stand_ins.auditors import judge
from stand_ins.whole_workspace import catalog_says, decide_labels, pictures_of, store_votes

Wrong = Callable[[PlannedItem], bool]


def audited(workspace: Workspace, is_wrong: Wrong, pilot: int = 300) -> LabelAudit:
    """Judge what a plan draws and return what the gate reads of it."""
    plan_audit(workspace, PlanSettings(pilot=pilot, half_width=0.05))
    append_decisions(workspace, judge(read_plan(workspace), is_wrong))
    found = read_audit(workspace)
    assert found is not None
    return found


def one_in(count: int, answer: str | None = None) -> Wrong:
    def is_wrong(item: PlannedItem) -> bool:
        drawn = seeds.below(count, 0, "test wrong", item.image_id, item.type, item.value)
        return drawn == 0 and answer in (None, item.answer)

    return is_wrong


def test_without_an_audit_voted_labels_fail_loudly(whole: Workspace) -> None:
    voted = voted_labels(whole, [item.image_id for item in pictures_of(whole)])
    assert voted.num_rows > 300
    assert read_audit(whole) is None
    found = label_error(voted.num_rows, None)
    assert found.outcome == "fails"
    assert found.note.startswith("NOT AUDITED")


def test_labels_of_the_source_need_no_audit() -> None:
    found = label_error(0, None)
    assert (found.outcome, found.figure) == ("information", None)  # nothing is measured, or passes


@pytest.mark.parametrize(
    ("is_wrong", "passes"),
    [
        (lambda _: False, True),
        (one_in(30), True),
        (one_in(6), False),  # a sixth of the labels
    ],
)
def test_a_wrong_label_rate_is_found(whole: Workspace, is_wrong: Wrong, passes: bool) -> None:
    audit = audited(whole, is_wrong)
    found = label_error(357, audit)
    assert found.passed == passes
    assert found.low is not None
    assert found.low <= (found.figure or 0) <= (found.high or 1)
    if not passes:
        assert found.figure == pytest.approx(1 / 6, abs=0.05)
        assert set(found.rows) <= {"cloth", "shape", "trim"}


def test_few_judgements_do_not_pass_more_easily(whole: Workspace) -> None:
    found = label_error(357, audited(whole, lambda _: False, pilot=10))
    assert (found.figure, found.passed) == (0.0, False)


def test_rates_tell_yes_from_no(whole: Workspace) -> None:
    audit = audited(whole, one_in(2, "yes"))
    assert audit.rates.overall[YES] == pytest.approx(0.5, abs=0.15)
    assert audit.least.overall[YES] < audit.rates.overall[YES] < audit.most.overall[YES]
    # each type here is exclusive and has a yes, so that no label says no by itself
    assert audit.rates.overall[NO] == pytest.approx(audit.error.share)


def test_a_plan_that_nobody_judged_is_no_audit(whole: Workspace) -> None:
    plan_audit(whole, PlanSettings())
    assert read_audit(whole) is None


def test_an_audit_of_labels_that_were_voted_anew_is_none(whole: Workspace) -> None:
    audited(whole, lambda _: False)

    def but_one(voter: str, item: Item, kind: str, value: str) -> bool:
        return catalog_says(voter, item, kind, value) or (value == "lace" and voter != "one")

    store_votes(whole, but_one)
    decide_labels(whole)
    assert read_audit(whole) is None
