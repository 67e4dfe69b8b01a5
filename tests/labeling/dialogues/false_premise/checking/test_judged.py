from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from benchwright.decisions.taking_in import take_in
from benchwright.errors import WorkspaceError
from benchwright.records import FalsePremise
from benchwright.workspace import Workspace
from labeling.dialogues.false_premise.checking.judged import (
    judged_drafts,
    lost_of,
    refuse_loss,
)
from stand_ins.false_premises import false_premise, said_of, store_false_premises

DOG, BOAT = false_premise("dog"), false_premise("boat")
DOG_ANEW, BOAT_ANEW = (replace(draft, models=()) for draft in (DOG, BOAT))
WITHDRAWN: dict[str, Any] = {"verdict": "withdrawn", "after": None, "at": "2026-03-02T12:00:00Z"}


def keep_judged(workspace: Workspace, drafts: list[FalsePremise]) -> None:
    refuse_loss(workspace, lost_of(judged_drafts(workspace), drafts))


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    """Drafts of the dog and the boat, of which the dog is judged."""
    made = Workspace(tmp_path)
    store_false_premises(made, [DOG, BOAT])
    take_in(made, [said_of(DOG)])
    return made


@pytest.mark.parametrize(
    "drafts",
    [
        [DOG, BOAT],  # as they were
        [DOG, BOAT, false_premise("donut")],  # and more
        [DOG, BOAT_ANEW],  # nobody judged the boat
        [DOG],
    ],
)
def test_what_was_judged_is_as_it_was(workspace: Workspace, drafts: list[FalsePremise]) -> None:
    assert lost_of(judged_drafts(workspace), drafts) == []
    keep_judged(workspace, drafts)


@pytest.mark.parametrize("drafts", [[DOG_ANEW, BOAT], [BOAT], []])
def test_a_judged_draft_is_not_lost_silently(
    workspace: Workspace, drafts: list[FalsePremise]
) -> None:
    with pytest.raises(WorkspaceError, match=r"people judged 1 drafts \(such as fp-dog\)"):
        keep_judged(workspace, drafts)


def test_a_decision_that_was_taken_back_binds_nothing(workspace: Workspace) -> None:
    take_in(workspace, [said_of(DOG, **WITHDRAWN)])
    assert judged_drafts(workspace) == []


def test_a_decision_about_an_earlier_draft_binds_nothing(workspace: Workspace) -> None:
    store_false_premises(workspace, [DOG_ANEW])  # by another hand; what was said was of DOG
    assert judged_drafts(workspace) == []


def test_where_there_are_no_drafts_yet_none_is_lost(tmp_path: Path) -> None:
    assert judged_drafts(Workspace(tmp_path)) == []
