"""The audit of question chains: which task comes when, what is refused, what decisions it gives."""

import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from benchwright.decisions.journal import append_decisions
from benchwright.errors import WorkspaceError
from benchwright.workspace import Workspace
from labeling.audits.tasks.kinds import kind_of
from labeling.audits.tasks.question_chain import KIND
from labeling.audits.tasks.task import AuditSettings, Slot, Task
from labeling.dialogues.question_chain.written import written_parts, written_text
from labeling.dialogues.stored import decide_dialogues, drafts_folder, read_dialogues
from stand_ins.auditors import key_of
from stand_ins.chains import chain, drafted_chains, with_step

GOOD = chain()
EMPTY = chain(steps=(), question="", scenario="")
WRITTEN = written_text(GOOD)
BROKEN = written_text(with_step(GOOD, 3, uses=(1, 2, 3)))


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    """One draft without a step, of the picture d0."""
    workspace = Workspace(tmp_path)
    drafted_chains(workspace, EMPTY)
    return workspace


def slot(verdict: str = "confirmed", auditor: str = "ana", minute: int = 0, **more: Any) -> Slot:
    return Slot(
        auditor=auditor,
        verdict=verdict,  # type: ignore[arg-type]
        at=f"2026-03-01T12:{minute:02}:00+00:00",
        **more,
    )


def the_task(workspace: Workspace) -> Task:
    (task,) = KIND.tasks(workspace, AuditSettings())
    return task


class Sitting:
    """People who judge the one task that there is, a minute after each other."""

    def __init__(self, workspace: Workspace) -> None:
        self.workspace, self.minute = workspace, 0

    @property
    def shown(self) -> Mapping[str, Any]:
        return the_task(self.workspace).shown

    def judge(self, auditor: str, verdict: str = "confirmed", **more: Any) -> str | None:
        task, self.minute = the_task(self.workspace), self.minute + 1
        said = slot(verdict, auditor, self.minute, **more)
        refused = KIND.refusal(self.workspace, task.shown, said)
        if refused is None:
            append_decisions(self.workspace, KIND.decisions(key_of(task), said))
        return refused


@pytest.fixture
def sitting(workspace: Workspace) -> Sitting:
    return Sitting(workspace)


def test_it_is_found_by_its_name() -> None:
    assert kind_of("question-chain") is KIND
    assert KIND.name == "question-chain"


def test_an_empty_draft_is_a_task_and_nothing_of_it_is_secret(workspace: Workspace) -> None:
    task = the_task(workspace)
    assert task.thing == (None, None, "c1", "chain")
    assert task.before == written_text(EMPTY)
    assert task.shown["picture"] == "aa/d0.png"
    assert task.shown["chain"] == written_parts(EMPTY)
    assert task.shown["owner"] is None
    assert {check["name"] for check in task.shown["checks"] if not check["passed"]} == {
        "length",
        "question",
        "scenario",
    }
    assert task.facets["stage"] == "chain"
    json.dumps(task.shown)
    assert the_task(workspace) == task


def test_a_chain_goes_through_its_stages_and_stands(workspace: Workspace, sitting: Sitting) -> None:
    stages, ids = [], []
    for auditor, said in [
        ("ana", {"text": WRITTEN}),
        ("bo", {}),
        ("bo", {}),
        ("cy", {}),
    ]:
        task = the_task(workspace)
        stages.append(task.shown["stage"])
        ids.append(task.task_id)
        decide_dialogues(workspace, "question-chain")
        assert read_dialogues(workspace, "question-chain") == []
        assert sitting.judge(auditor, **said) is None
    assert stages == ["chain", "distractors", "round-1", "round-2"]
    assert len(set(ids)) == 4
    assert KIND.tasks(workspace, AuditSettings()) == []
    decide_dialogues(workspace, "question-chain")
    (stands,) = read_dialogues(workspace, "question-chain")
    assert (stands.author, stands.question) == ("ana", GOOD.question)
    assert [(each.checker, each.verdict) for each in stands.rounds] == [
        ("bo", "valid"),
        ("cy", "valid"),
    ]


def test_what_a_checker_finds_goes_back_to_the_author(sitting: Sitting) -> None:
    assert sitting.judge("ana", text=WRITTEN) is None
    assert sitting.judge("bo") is None
    first = sitting.judge("bo", "rejected", note=" ")
    assert first is not None
    assert "say in the note" in first
    assert sitting.judge("bo", "rejected", note="the silver car is moving") is None
    assert sitting.shown["stage"] == "chain"
    assert sitting.shown["remarks"] == [
        {"who": "bo", "what": "found it invalid: the silver car is moving"}
    ]
    other = sitting.judge("cy", text=WRITTEN)
    assert other == "ana wrote or approved this chain and is to mend it; go on with the next"
    mended = written_text(with_step(GOOD, 2, answer="crossing the lane"))
    assert sitting.judge("ana", text=mended) is None
    assert sitting.shown["stage"] == "distractors"


def test_taken_distractors_are_no_longer_shown(sitting: Sitting) -> None:
    assert sitting.judge("ana", text=WRITTEN) is None
    assert sitting.judge("bo", "corrected", failed=("3/q2", "3/q3")) is None
    assert sitting.shown["stage"] == "round-1"
    assert len(sitting.shown["chain"]["steps"][2]["question_options"]) == 1
    assert sitting.shown["chain"]["steps"][0] == written_parts(GOOD)["steps"][0]


def test_authors_and_checkers_do_not_check(sitting: Sitting) -> None:
    wants = "wrote, approved or checked this chain before; another person checks it"
    assert sitting.judge("ana", text=WRITTEN) is None
    assert sitting.judge("ana") is None  # an author may judge distractors
    assert sitting.shown["barred"] == ["ana"]
    assert sitting.judge("ana") == f"ana {wants}"
    assert sitting.judge("bo") is None
    assert sitting.judge("ana", "rejected", note="no") == f"ana {wants}"
    assert sitting.judge("bo") == f"bo {wants}"
    assert sitting.judge("cy") is None


@pytest.mark.parametrize(
    ("stage", "said", "reason"),
    [
        # nothing, no chain, a chain that fails a check of a step, one that fails a whole one
        ("chain", {}, "no chain was written"),
        ("chain", {"text": "[]"}, "no chain:"),
        ("chain", {"verdict": "corrected", "text": BROKEN}, "step 3: a step cannot use its own"),
        ("chain", {"text": written_text(EMPTY)}, "a chain has 2 to 6 steps; this has 0"),
        # names that are none; a verdict that is not asked for
        ("distractors", {"verdict": "corrected", "failed": ("1/q9",)}, "no distractor '1/q9'"),
        ("distractors", {"verdict": "corrected", "failed": ("1/q1",)}, "no distractor '1/q1'"),
        ("distractors", {"verdict": "rejected"}, "one by one"),
        ("round-1", {"verdict": "corrected"}, "valid or invalid here"),
        ("round-1", {"verdict": "rejected"}, "say in the note"),
    ],
)
def test_what_cannot_be_stored_is_refused(
    workspace: Workspace, stage: str, said: dict[str, Any], reason: str
) -> None:
    shown = {**the_task(workspace).shown, "stage": stage, "chain": written_parts(GOOD)}
    refused = KIND.refusal(workspace, shown, slot(**{"auditor": "bo", **said}))
    assert refused is not None
    assert reason in refused
    assert "\n" not in refused


@pytest.mark.parametrize("stage", ["chain", "distractors", "round-1", "round-2"])
@pytest.mark.parametrize("verdict", ["unsure", "withdrawn"])
def test_who_cannot_tell_is_never_refused(workspace: Workspace, stage: str, verdict: str) -> None:
    shown = {**the_task(workspace).shown, "stage": stage, "owner": "bo", "barred": ["ana"]}
    assert KIND.refusal(workspace, shown, slot(verdict)) is None


@pytest.mark.parametrize(
    ("field", "before", "said", "verdict", "after"),
    [
        # what was written, as it was or changed; blanks are made single
        ("chain", WRITTEN, {"text": WRITTEN}, "confirmed", WRITTEN),
        ("chain", written_text(EMPTY), {"text": WRITTEN}, "corrected", WRITTEN),
        ("chain", WRITTEN, {"text": WRITTEN.replace("Who is", "Who  is")}, "confirmed", WRITTEN),
        # no chain can be made of the picture
        ("chain", WRITTEN, {"verdict": "rejected"}, "rejected", None),
        ("distractors", "d", {}, "confirmed", "[]"),
        ("distractors", "d", {"failed": ("2/a2", "1/q2")}, "corrected", '["1/q2", "2/a2"]'),
        ("round-1", "d", {}, "confirmed", "valid"),
        ("round-2", "d", {"verdict": "rejected", "note": "n"}, "corrected", "invalid"),
        # nothing was said
        ("chain", WRITTEN, {"verdict": "unsure"}, "unsure", None),
        ("chain", WRITTEN, {"verdict": "withdrawn", "text": WRITTEN}, "withdrawn", None),
        ("round-1", "d", {"verdict": "withdrawn"}, "withdrawn", None),
    ],
)
def test_a_slot_becomes_one_decision(
    workspace: Workspace, field: str, before: str, said: dict[str, Any], verdict: str, after: str
) -> None:
    task = key_of(the_task(workspace))
    task = replace(task, before=before, thing=task.thing._replace(field=field))
    (decision,) = KIND.decisions(task, slot(**said))
    assert (decision.record_id, decision.field, decision.before) == ("c1", field, before)
    assert (decision.verdict, decision.after) == (verdict, after)
    assert append_decisions(workspace, [decision]) == 1  # the journal takes it


def test_a_text_that_is_no_chain_gives_no_decision(workspace: Workspace) -> None:
    for text in (None, "{}", BROKEN[:-1]):
        with pytest.raises(ValueError, match="no chain"):
            KIND.decisions(key_of(the_task(workspace)), slot(text=text))


@pytest.mark.parametrize(
    ("draft", "failed"),
    [
        ({"chain": written_parts(GOOD)}, set()),
        ({"chain": written_parts(EMPTY)}, {"length", "question", "scenario"}),
        # what no screen sends
        ({"chain": 7}, {"written"}),
        ({}, {"written"}),
    ],
)
def test_a_draft_is_checked_as_it_is_written(
    workspace: Workspace, draft: dict[str, Any], failed: set[str]
) -> None:
    found = KIND.check(workspace, the_task(workspace).shown, draft)
    assert {each["name"] for each in found["checks"] if not each["passed"]} == failed
    assert found["chain"] == (None if failed == {"written"} else draft["chain"])
    json.dumps(found)


def test_each_chain_has_a_task_and_a_limit_takes_the_first(tmp_path: Path) -> None:
    workspace = Workspace(tmp_path)
    drafted_chains(workspace, chain(chain_id="b"), chain(chain_id="a"), chain(chain_id="c"))
    tasks = KIND.tasks(workspace, AuditSettings())
    assert [task.shown["chain_id"] for task in tasks] == ["a", "b", "c"]
    assert [task.shown["picture"] for task in tasks] == ["aa/d1.png", "aa/d0.png", "aa/d2.png"]
    assert KIND.tasks(workspace, AuditSettings(limit=2)) == tasks[:2]


def test_without_drafts_or_pictures_it_says_what_to_run(
    tmp_path: Path, workspace: Workspace
) -> None:
    with pytest.raises(WorkspaceError, match=r"run build-dialogues question-chain run .* first"):
        KIND.tasks(Workspace(tmp_path / "none"), AuditSettings())
    other = Workspace(tmp_path / "other")
    drafted_chains(other, GOOD, chain(chain_id="c2"))
    (drafts_folder(workspace, "question-chain")).rename(tmp_path / "old")
    drafts_folder(other, "question-chain").rename(drafts_folder(workspace, "question-chain"))
    with pytest.raises(WorkspaceError, match="has no picture"):
        KIND.tasks(workspace, AuditSettings())


def test_who_cannot_tell_leaves_a_stage_to_others(workspace: Workspace, sitting: Sitting) -> None:
    first = the_task(workspace)
    assert first.barred == ()
    assert sitting.judge("ana", "unsure") is None
    again = the_task(workspace)
    assert again.task_id != first.task_id
    assert (again.shown["stage"], again.barred) == ("chain", ("ana",))
    assert sitting.judge("bo", text=WRITTEN) is None
    assert the_task(workspace).barred == ()  # anybody judges the distractors
    assert sitting.judge("bo") is None
    assert sitting.shown["stage"] == "round-1"
    assert the_task(workspace).barred == ("bo",)
    before = the_task(workspace)
    assert sitting.judge("ana", "unsure") is None
    assert the_task(workspace).task_id != before.task_id
    assert (the_task(workspace).before, the_task(workspace).barred) == (
        before.before,
        ("ana", "bo"),
    )
    assert sitting.judge("cy", "rejected", note="wrong") is None
    assert the_task(workspace).shown["owner"] == "bo"
    # its author cannot mend it: somebody else writes it
    written = the_task(workspace).task_id
    assert sitting.judge("bo", "unsure") is None
    assert the_task(workspace).shown["owner"] is None
    assert the_task(workspace).barred == ("ana", "bo")
    assert the_task(workspace).task_id not in (first.task_id, again.task_id, written)
    assert sitting.judge("cy", text=WRITTEN) is None
    assert sitting.shown["stage"] == "distractors"


def test_advice_is_shown_and_refuses_nothing(workspace: Workspace, sitting: Sitting) -> None:
    told = with_step(GOOD, 1, answer="surely the driver who reversed")
    said = KIND.check(workspace, sitting.shown, {"chain": written_parts(told)})
    assert [each["name"] for each in said["advice"]] == ["tells-last/1"]
    assert sitting.judge("ana", "corrected", text=written_text(told)) is None
    assert [each["name"] for each in sitting.shown["advice"]] == ["tells-last/1"]
