from dataclasses import replace
from typing import Any

import pytest

from benchwright import store
from benchwright.errors import WorkspaceError
from benchwright.records import Check
from benchwright.workspace import Workspace
from labeling.dialogues.false_premise.checking.drafting import checked_drafts, draft_dialogues
from labeling.dialogues.false_premise.rules.turns import DEFAULT_SCHEDULE
from labeling.dialogues.false_premise.seeing.verdicts import Ruling, Verdict
from stand_ins.drafting import described, falsified, planned, store_falsified
from stand_ins.false_premises import false_premise

DOG = false_premise("dog")
SEEN = (Check(name="false by sight", passed=False, reason="in the picture: yes by m1"),)


def drafted(ruling: Ruling, **more: Any) -> list[Any]:
    row = falsified(DOG, **more)
    verdict = Verdict(
        dialogue_id=row.dialogue_id,
        variant=row.variant,
        false_description=row.false_description or "",
        ruling=ruling,
        checks=SEEN,
    )
    return list(
        checked_drafts(
            [row],
            {DOG.dialogue_id: planned(DOG)},
            {DOG.dialogue_id: described(DOG)},
            {(row.dialogue_id, row.variant, verdict.false_description): verdict},
            DEFAULT_SCHEDULE,
            ["m1", "m2"],
        )
    )


@pytest.mark.parametrize("ruling", ["passed", "unsettled"])
def test_a_draft_has_the_checks_by_rule_and_then_those_by_sight(ruling: Ruling) -> None:
    (draft,) = drafted(ruling)
    assert draft.checks == (*DOG.checks, *SEEN)
    assert [(use.step, use.model) for use in draft.models] == [
        ("describe", "writer"),
        ("falsify", "writer"),
        ("see", "m1"),
        ("see", "m2"),
    ]
    assert replace(draft, checks=DOG.checks, models=DOG.models) == DOG


@pytest.mark.parametrize("ruling", ["not true", "not false", "not seen"])
def test_what_voters_refuse_or_have_not_seen_is_no_draft(ruling: Ruling) -> None:
    assert drafted(ruling) == []


def test_a_second_variant_has_an_id_of_its_own() -> None:
    (draft,) = drafted("passed", variant=2)
    assert (draft.dialogue_id, draft.variant) == ("fp-dog-variant-2", 2)


def test_drafts_want_what_was_seen_of_what_is_falsified_now(pictures: Workspace) -> None:
    store_falsified(pictures, [DOG])
    with pytest.raises(WorkspaceError, match="run build-dialogues false-premise check first"):
        draft_dialogues(pictures)
    folder = pictures.root / "dialogues" / "false-premise" / "seen"
    plan = store.Plan(stage="x", inputs={"falsified": "of another time"}, settings={})
    with store.writing(folder, plan, configs={}) as out:
        out.json("x.json", {})
    with pytest.raises(WorkspaceError, match="no longer what is falsified"):
        draft_dialogues(pictures)
