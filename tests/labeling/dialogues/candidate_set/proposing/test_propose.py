"""Models propose boxes; what they propose is checked, stored, shown, and counts for nothing."""

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from benchwright import store
from benchwright.asking.jobs import JobSettings
from benchwright.asking.session import Spending
from benchwright.decisions.journal import read_journal
from benchwright.errors import WorkspaceError
from benchwright.records import ProposedMarks
from benchwright.rows import from_table
from benchwright.workspace import Workspace
from labeling.dialogues.candidate_set.proposing.proposals import proposals_folder, read_proposals
from labeling.dialogues.candidate_set.proposing.propose import (
    estimate_proposals,
    propose,
)
from labeling.dialogues.candidate_set.proposing.report import proposal_lines
from labeling.dialogues.stored import decide_dialogues, read_drafts, record_id_of
from stand_ins.dialogues import catalog_of, spoken_about
from stand_ins.models import Fault, Turn

TURNS, DIALOGUES = 33, 9


def rows_of(workspace: Workspace) -> list[ProposedMarks]:
    table = store.read_table(proposals_folder(workspace), "proposals.parquet")
    return list(from_table(table, ProposedMarks))


def test_every_turn_is_proposed_by_one_model(spoken: Workspace, look: Any, looker: Any) -> None:
    ann, ben = looker(), looker()
    with look({"ann": ann, "ben": ben}) as lookers:
        manifest, was_there = propose(spoken, lookers.voters, Spending())
    assert not was_there
    drafts = read_drafts(spoken, "candidate-set")
    rows = rows_of(spoken)
    assert [f"{row.dialogue_id}/{row.turn}" for row in rows] == [
        record_id_of(one) for one in drafts
    ]
    for row, draft in zip(rows, drafts, strict=True):
        kept = max(1, len(draft.boxes) // len(draft.context))
        assert row.box_ids == tuple(box.box_id for box in draft.boxes[:kept])
        assert (row.faults, row.is_failed, row.advice) == ((), False, None)
    of_dialogue = {row.dialogue_id: row.model for row in rows}
    assert all(row.model == of_dialogue[row.dialogue_id] for row in rows)
    assert set(of_dialogue.values()) == {"ann", "ben"}
    assert len(ann.read) + len(ben.read) == TURNS
    assert manifest.counts["proposed"] == manifest.counts["turns"] == TURNS


def test_a_model_sees_the_numbers_and_what_was_said(
    spoken: Workspace, look: Any, looker: Any
) -> None:
    ann = looker()
    with look({"ann": ann}, concurrency=1) as lookers:
        propose(spoken, lookers.voters, Spending())
    drafts = read_drafts(spoken, "candidate-set")
    for read, draft in zip(ann.read, drafts, strict=True):
        (seen,) = read.question.pictures
        assert list(read.boxes) == [box.box_id for box in draft.boxes]
        assert read.lines == len(draft.context)
        text = str(read.question.messages[0]["content"])
        assert f"The picture of {seen.width} x {seen.height} pixels" in text
        box = draft.boxes[0].bbox  # none of these pictures is larger than what is drawn
        assert read.boxes["1"] == tuple(
            map(round, (box[0], box[1], box[0] + box[2], box[1] + box[3]))
        )
        frame = seen.image().getpixel((round(box[0]) + 1, round(box[1] + box[3] / 2)))
        if len(draft.boxes) < 6:  # else the frame of another may lie there
            assert max(abs(a - b) for a, b in zip(frame, (230, 25, 75), strict=True)) < 60


def test_proposals_are_nobodys_marks(spoken: Workspace, look: Any, looker: Any) -> None:
    with look({"ann": looker()}) as lookers:
        propose(spoken, lookers.voters, Spending())
    assert not read_journal(spoken).decisions
    decided = decide_dialogues(spoken, "candidate-set")
    assert (decided.counts["dialogues"], decided.reasons) == (0, {"not judged yet": TURNS})
    assert all(not one.candidate_ids for one in read_drafts(spoken, "candidate-set"))


@pytest.mark.parametrize(
    ("wrong", "fault"),
    [
        (lambda said: {**said, "boxes": []}, "no box is marked"),
        (lambda said: {**said, "boxes": [1, 99]}, "the picture has no box 99"),
        (lambda said: {**said, "boxes": [-1]}, "the picture has no box -1"),
        (lambda said: {**said, "boxes": ["the left one"]}, "at boxes > 0"),
        (lambda said: {"boxes": said["boxes"]}, "at reasoning"),
        (lambda said: {**said, "sure": True}, "at sure"),
        (lambda _: Turn(text="Box 1, I think."), "no complete JSON value"),
        (lambda _: Turn(text=None, refusal="I will not."), "refused"),
    ],
)
def test_bad_answers_are_asked_for_anew_and_then_given_up(
    spoken: Workspace, look: Any, looker: Any, wrong: Any, fault: str
) -> None:
    first = looker(spoil=lambda read: read.said() if read.is_again else wrong(read.said()))
    always = looker(spoil=lambda read: wrong(read.said()))
    with look({"first": first, "always": always}) as lookers:
        manifest, _ = propose(spoken, lookers.voters, Spending(), JobSettings(max_retries=1))
    rows = rows_of(spoken)
    assert {row.model for row in rows if row.box_ids} == {"first"}
    assert {row.model for row in rows if not row.box_ids} == {"always"}
    for row in rows:
        assert len(row.faults) == (1 if row.model == "first" else 2)
        assert all(fault in said for said in row.faults)
        assert not row.is_failed
    given_up = sum(row.model == "always" for row in rows)
    assert (manifest.counts["given_up"], manifest.counts["failed"]) == (given_up, 0)
    printed = list(proposal_lines(manifest, spoken, was_there=False))
    assert (
        f"given up, for its answers break rules; --max-retries 2 asks once more: {given_up}"
        in printed
    )
    assert all(line.isprintable() for line in printed)


def test_a_model_that_comes_to_its_senses_is_asked_once_more(
    spoken: Workspace, look: Any, looker: Any, run: Any, tmp_path: Path
) -> None:
    """Its bad answers are stored and are not asked anew; a further attempt is."""
    state = {"is_well": False}
    ann = looker(
        spoil=lambda read: read.said() if state["is_well"] else {"boxes": read.said()["boxes"]}
    )
    with look({"ann": ann}) as lookers:
        path = tmp_path / "voters.yaml"
        entry = {"name": "ann", "model": "ann", "base_url": lookers.server.base_url}
        path.write_text(json.dumps({"voters": [entry]}))
        command = ("build-dialogues", "candidate-set", "propose", "--voters", path)
        first = run(*command, "--workspace", spoken.root)
        assert first.code == 1  # nothing came of anything
        assert f"; --max-retries 3 asks once more: {TURNS}" in first.out
        assert "next: build-dialogues candidate-set propose with more --max-retries" in first.out
        again = run(*command, "--workspace", spoken.root)
        assert (again.code, "before (--max-retries 3 asks once more)" in again.out) == (1, True)
        state["is_well"] = True
        asked = len(ann.read)
        well = run(*command, "--max-retries", "3", "--workspace", spoken.root)
    assert (well.code, len(ann.read) - asked) == (0, TURNS)
    assert f"{TURNS} of {TURNS} turns with proposed boxes" in well.out


def test_a_box_named_twice_is_one_and_a_turn_that_widens_is_said(
    spoken: Workspace, look: Any, looker: Any
) -> None:
    widening = looker(
        spoil=lambda read: {"reasoning": "", "boxes": [2, 1, 2] if read.lines > 1 else [2]}
    )
    with look({"ann": widening}) as lookers:
        manifest, _ = propose(spoken, lookers.voters, Spending())
    rows = rows_of(spoken)
    assert {row.box_ids for row in rows if row.turn > 1} == {("1", "2")}
    assert {row.advice for row in rows if row.turn == 2} == {"adds 1 to the last turn's"}
    assert {row.advice for row in rows if row.turn != 2} == {None}
    assert manifest.counts["widened"] == DIALOGUES


def test_nothing_is_asked_twice(spoken: Workspace, look: Any, looker: Any, holdings: Any) -> None:
    with look({"ann": looker(), "ben": looker()}) as lookers:
        propose(spoken, lookers.voters, Spending())
        calls, held = lookers.calls(), holdings(spoken.root)
        again, was_there = propose(spoken, lookers.voters, Spending())
        assert was_there
        propose(spoken, lookers.voters, Spending(), force=True)
        assert lookers.calls() == calls
    assert holdings(spoken.root) == held
    assert "nothing to do" in next(proposal_lines(again, spoken, was_there=True))


def test_an_estimate_counts_what_is_asked(spoken: Workspace, look: Any, looker: Any) -> None:
    before = sorted(spoken.root.rglob("*"))
    with look({"ann": looker(), "ben": looker()}) as lookers:
        found = estimate_proposals(spoken, lookers.voters, Spending())
        assert lookers.calls() == 0
        assert sorted(spoken.root.rglob("*")) == before  # not the pictures with numbers either
        propose(spoken, lookers.voters, Spending())
        assert lookers.calls() == sum(each.calls for each in found)
        assert sum(each.calls - each.looks for each in found) == TURNS
        after = estimate_proposals(spoken, lookers.voters, Spending())
    assert [each.calls for each in after] == [0, 0]


def test_a_server_that_fails_leaves_rows_and_is_asked_again(
    spoken: Workspace, look: Any, looker: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("benchwright.asking.failures._FIRST_WAIT", 0.002)
    with look({"ann": looker()}) as lookers:
        (found,) = estimate_proposals(spoken, lookers.voters, Spending())
    broken = Fault(kind="server_error", ordinals=tuple(range(found.looks, found.looks + 5)))
    with look({"ann": (ann := looker())}, faults=(broken,), concurrency=1) as lookers:
        first, _ = propose(spoken, lookers.voters, Spending())
        assert (first.counts["failed"], first.counts["proposed"]) == (1, TURNS - 1)
        assert [row.is_failed for row in rows_of(spoken)] == [True] + [False] * (TURNS - 1)
        assert "propose --voters FILE" in list(proposal_lines(first, spoken, was_there=False))[-1]
        last, was_there = propose(spoken, lookers.voters, Spending())
        assert (last.counts["failed"], was_there, len(ann.read)) == (0, False, TURNS)


def test_proposals_of_other_drafts_are_not_shown(spoken: Workspace, look: Any, looker: Any) -> None:
    assert read_proposals(spoken) == {}
    with look({"ann": looker()}) as lookers:
        propose(spoken, lookers.voters, Spending())
    assert Counter(key.count("/") for key in read_proposals(spoken)) == {1: TURNS}
    folder = proposals_folder(spoken)
    text = (folder / "manifest.json").read_text()
    made = store.load_manifest(folder)
    assert made is not None
    (folder / "manifest.json").write_text(text.replace(made.plan.inputs["drafts"], "0" * 64))
    assert read_proposals(spoken) == {}


def test_without_drafts_or_pictures_it_says_what_to_do(
    tmp_path: Path, look: Any, looker: Any
) -> None:
    with look({"ann": looker()}) as lookers:
        bare = catalog_of(tmp_path / "w", spoken_about("d1"))
        with pytest.raises(WorkspaceError, match="build-dialogues candidate-set draft"):
            propose(bare, lookers.voters, Spending())
        assert lookers.calls() == 0
