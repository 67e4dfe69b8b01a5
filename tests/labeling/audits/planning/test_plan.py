"""Plans of whole workspaces: the pilot, what follows from it, and what stays."""

import json
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise
from types import SimpleNamespace
from typing import Any

import pytest

from benchwright.decisions.awaited import audit_state
from benchwright.decisions.journal import append_decisions
from benchwright.errors import WorkspaceError
from benchwright.workspace import Workspace
from labeling.audits.planning.plan import Planned, plan_audit
from labeling.audits.planning.plan_file import AuditPlan, PlannedItem, PlanSettings, read_plan

PILOT = PlanSettings(half_width=0.05, pilot=60)


def by_stratum(plan: AuditPlan) -> dict[str, list[PlannedItem]]:
    found: dict[str, list[PlannedItem]] = {stratum.name: [] for stratum in plan.strata}
    for item in plan.items:
        found[item.stratum].append(item)
    return found


def is_close(item: PlannedItem) -> bool:
    """Whether a label is wrong: two of three of close votes are."""
    return item.margin < 0.1 and int(item.image_id, 16) % 2 == 0


@pytest.fixture
def workspace(kit: SimpleNamespace, labelled: Callable[..., Workspace]) -> Workspace:
    return labelled(kit.labels(1200))


def test_a_pilot_takes_of_every_stratum(workspace: Workspace) -> None:
    planned = plan_audit(workspace, PILOT)
    plan = planned.plan
    assert (plan.stage, len(plan.items), planned.duration) == ("pilot", 60, None)
    assert sum(stratum.size for stratum in plan.strata) == 1200
    for stratum, items in zip(plan.strata, by_stratum(plan).values(), strict=True):
        assert len(items) == stratum.planned >= 2
        assert sum(item.twice for item in items) == stratum.twice
        assert {item.probability for item in items} == {stratum.planned / stratum.size}
    assert planned.left == 60 + sum(item.twice for item in plan.items)
    assert read_plan(workspace) == plan


def test_any_beginning_of_a_plan_is_fair_to_the_strata(workspace: Workspace) -> None:
    plan = plan_audit(workspace, replace(PILOT, pilot=120)).plan
    half = Counter(item.stratum for item in plan.items[: len(plan.items) // 2])
    for stratum in plan.strata:
        assert abs(half[stratum.name] - stratum.planned / 2) <= 1


def test_the_same_workspace_gives_the_same_bytes(workspace: Workspace) -> None:
    plan_audit(workspace, PILOT)
    path = workspace.audits / "plan.json"
    before = path.read_bytes()
    path.unlink()
    plan_audit(workspace, PILOT)
    assert path.read_bytes() == before
    assert set(json.loads(before)) == {"items", "labels", "settings", "stage", "strata"}
    plan_audit(workspace, replace(PILOT, seed=1))
    assert path.read_bytes() != before


def test_a_larger_plan_begins_with_the_smaller(workspace: Workspace) -> None:
    small = by_stratum(plan_audit(workspace, PILOT).plan)
    large = by_stratum(plan_audit(workspace, replace(PILOT, pilot=300)).plan)
    for name, items in small.items():
        begun = [(item.thing(), item.twice) for item in large[name][: len(items)]]
        assert begun == [(item.thing(), item.twice) for item in items]


def test_the_pilot_goes_on_until_all_of_it_is_judged(
    workspace: Workspace, kit: SimpleNamespace
) -> None:
    plan = plan_audit(workspace, PILOT).plan
    made = kit.judge(plan)
    append_decisions(workspace, made[:-2])
    still = plan_audit(workspace, PILOT)
    assert (still.plan.stage, still.plan.items, still.left) == ("pilot", plan.items, 2)
    append_decisions(workspace, made)
    assert plan_audit(workspace, PILOT).plan.stage == "main"


def rounds(workspace: Workspace, kit: SimpleNamespace, settings: PlanSettings) -> list[Planned]:
    """Plan and judge until nothing is left; return all plans."""
    plans = [plan_audit(workspace, settings)]
    while plans[-1].left:
        append_decisions(workspace, kit.judge(plans[-1].plan, is_close))
        plans.append(plan_audit(workspace, settings))
        assert len(plans) < 9
    return plans


def test_an_audit_ends_with_the_interval_that_was_wanted(
    workspace: Workspace, kit: SimpleNamespace
) -> None:
    plans = rounds(workspace, kit, PILOT)
    found = plans[-1].accuracy.overall
    assert found.estimate is not None
    assert found.estimate.width / 2 <= 0.05
    # a quarter of the labels had close votes, and two thirds of those are wrong
    assert found.estimate.low <= 1 - 1 / 6 <= found.estimate.high
    for before, after in pairwise(plans):
        held = {item.thing() for item in after.plan.items}
        assert {item.thing() for item in before.plan.items} <= held  # no judgement was in vain


def test_more_is_judged_where_the_pilot_found_errors(
    workspace: Workspace, kit: SimpleNamespace
) -> None:
    plan = rounds(workspace, kit, PILOT)[1].plan
    shares = {stratum.low: stratum.planned / stratum.size for stratum in plan.strata}
    assert shares[0] > 1.5 * max(share for low, share in shares.items() if low)


def test_labels_decided_anew_keep_what_was_judged(
    kit: SimpleNamespace, labelled: Callable[..., Workspace]
) -> None:
    made = kit.labels(1200)
    workspace = labelled(made)
    old = rounds(workspace, kit, PILOT)[-1].plan
    judged = {item.thing() for item in old.items}
    labelled([replace(each, margin=each.margin * 0.9) for each in made])
    new = plan_audit(workspace, PILOT)
    assert new.plan.labels != old.labels
    assert {stratum.name for stratum in new.plan.strata} != {each.name for each in old.strata}
    kept = sum(item.thing() in judged for item in new.plan.items)
    assert kept >= 0.8 * len(old.items)
    assert new.left < 0.4 * len(old.items)


def test_what_was_corrected_makes_no_other_plan(
    kit: SimpleNamespace, labelled: Callable[..., Workspace]
) -> None:
    made = kit.labels(1200)
    workspace = labelled(made)
    last = rounds(workspace, kit, PILOT)[-1].plan
    held = {item.image_id: item for item in last.items}
    audited = [
        replace(each, answer="no" if each.answer == "yes" else "yes", origin="audited")
        if each.image_id in held and is_close(held[each.image_id])
        else each
        for each in made
    ]
    before = [old for old, new in zip(made, audited, strict=True) if old != new]
    assert before
    labelled(audited, unaudited=before)
    assert plan_audit(workspace, PILOT).plan == last


def test_labels_that_nobody_can_tell_do_not_hold_an_audit_up(
    workspace: Workspace, kit: SimpleNamespace
) -> None:
    # all labels of some values are among them
    for _ in range(9):
        planned = plan_audit(workspace, PILOT)
        if not planned.left:
            break
        append_decisions(
            workspace,
            [
                kit.judged(item, None if int(item.image_id, 16) % 4 == 0 else item.answer, auditor)
                for item in planned.plan.items
                for auditor in (("ana", "bo") if item.twice else ("ana",))
            ],
        )
    assert planned.left == 0
    overall = planned.accuracy.overall
    assert overall.unsure > 10
    assert overall.estimate is not None
    assert overall.estimate.share == 1
    assert overall.worst is not None
    assert overall.worst == pytest.approx(0.75, abs=0.12)


def test_single_labels_judged_elsewhere_do_not_drag_a_stratum_in(
    workspace: Workspace, kit: SimpleNamespace
) -> None:
    everything = plan_audit(workspace, replace(PILOT, pilot=1200)).plan
    last = [items[-1] for items in by_stratum(everything).values()]
    append_decisions(workspace, [kit.judged(item, item.answer) for item in last])
    assert len(plan_audit(workspace, PILOT).plan.items) == 60


def test_values_that_were_only_named_are_no_judgements(
    workspace: Workspace, kit: SimpleNamespace
) -> None:
    plan = plan_audit(workspace, PILOT).plan
    append_decisions(workspace, [kit.judged(item, item.answer) for item in plan.items[:20]])
    before = plan_audit(workspace, PILOT)
    everything = plan_audit(workspace, replace(PILOT, pilot=1200)).plan
    append_decisions(
        workspace,
        [
            kit.judged(
                item,
                "no" if item.answer == "yes" else "yes",
                auditor,
                stratum=None,
                probability=None,
                named_for="colour/other",
                at="2026-04-01T00:00:00Z",
            )
            for item in everything.items[:600]
            for auditor in ("ana", "bo")
        ],
    )
    after = plan_audit(workspace, PILOT)
    assert (after.plan, after.accuracy, after.left) == (before.plan, before.accuracy, before.left)
    state = audit_state(workspace)
    assert state is not None
    assert (state.judged, state.left) == (20, before.left)


def test_how_long_it_takes_is_told_by_labels_that_were_asked(
    workspace: Workspace, kit: SimpleNamespace
) -> None:
    item = plan_audit(workspace, PILOT).plan.items[0]
    chain = {"image_id": None, "object_id": None, "record_id": "c", "field": "chain"}
    append_decisions(
        workspace,
        [
            kit.judged(item, item.answer, seconds=3.0),
            kit.judged(item, item.answer, "bo", seconds=90.0, named_for="colour/other"),
            *(kit.decision(after="x", seconds=600.0, **chain, auditor=name) for name in "abc"),
        ],
    )
    took = plan_audit(workspace, PILOT).duration
    assert took is not None
    assert (took.low, took.median, took.high) == (3.0, 3.0, 3.0)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (None, "there is no plan"),
        ("", "is no plan"),
        ("{}", "is no plan"),
        ('{"stage": "pilot", "labels": 1}', "is no plan"),
    ],
)
def test_a_plan_that_cannot_be_read_says_what_to_do(
    workspace: Workspace, text: str | None, message: str
) -> None:
    workspace.audits.mkdir()
    if text is not None:
        (workspace.audits / "plan.json").write_text(text, "utf-8")
    with pytest.raises(WorkspaceError, match=f"{message}.*review-labels plan") as caught:
        read_plan(workspace)
    assert "\n" not in str(caught.value)


def test_one_label_is_a_population(kit: SimpleNamespace, labelled: Any) -> None:
    workspace = labelled([kit.label(1)])
    assert len(plan_audit(workspace, PILOT).plan.items) == 1
    append_decisions(workspace, kit.judge(read_plan(workspace)))
    done = plan_audit(workspace, PILOT)
    assert (done.left, done.accuracy.overall.estimate is not None) == (0, True)
