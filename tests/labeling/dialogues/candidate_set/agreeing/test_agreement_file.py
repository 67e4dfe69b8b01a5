"""Agreement of a workspace, stored and printed."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from benchwright import seeds
from benchwright.decisions.journal import append_decisions
from benchwright.errors import UsageError, WorkspaceError
from benchwright.records import CandidateSet, Decision
from benchwright.workspace import Workspace
from labeling.dialogues.candidate_set.agreeing.agreement_file import (
    agreement_path,
    work_out_agreement,
)
from labeling.dialogues.candidate_set.agreeing.report import agreement_lines
from labeling.dialogues.candidate_set.deciding import decision_of_marks
from labeling.dialogues.candidate_set.drafts import draft_candidate_sets
from labeling.dialogues.stored import read_drafts
from stand_ins.dialogues import catalog_of, invig_items, spoken_about, with_boxes_laid_over

DIALOGUES = Path(__file__).parents[4] / "data" / "invig" / "derived_test_dialogs.jsonl.gz"


def marked(draft: CandidateSet, annotator: str, ids: list[str]) -> Decision:
    return decision_of_marks(draft, ids, annotator=annotator, at="2026-03-01T12:00:00+00:00")


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    """Three real turns that nobody marked."""
    made = catalog_of(tmp_path / "w", spoken_about("d1"))
    draft_candidate_sets(made)
    return made


def test_it_is_stored_and_printed(workspace: Workspace) -> None:
    first, second, third = read_drafts(workspace, "candidate-set")
    append_decisions(
        workspace,
        [
            *(marked(first, name, ["1", "2", "3"]) for name in ("ana", "bo")),
            marked(second, "ana", ["1", "2"]),
            marked(second, "bo", ["2", "3"]),
            *(marked(third, name, ["2"]) for name in ("ana", "bo")),
            marked(third, "cy", ["2", "3"]),
        ],
    )
    found = work_out_agreement(workspace, "ana")
    assert list(agreement_lines(found, workspace)) == [
        "bo against ana: 3 turns of 1 dialogue that both marked; ana alone 0, bo alone 0",
        "  single box, 1 turn: accuracy 1.000",
        "  sets, 2 turns: precision 0.750, recall 0.750, F1 0.750",
        "cy against ana: 1 turn of 1 dialogue that both marked; ana alone 2, cy alone 0",
        "  single box, 1 turn: accuracy 0.000",
        "means over turns, in brackets 95% intervals over pictures; stored in"
        " dialogues/candidate-set/agreement.json",
        f"next: review-labels report --workspace {workspace.root}",
    ]
    stored = json.loads(agreement_path(workspace).read_text())
    assert stored["reference"] == "ana"
    assert [pair["annotator"] for pair in stored["pairs"]] == ["bo", "cy"]
    assert stored["pairs"][0]["sets"]["f1"]["value"] == 0.75
    before = agreement_path(workspace).read_bytes()
    work_out_agreement(workspace, "ana")
    assert agreement_path(workspace).read_bytes() == before


def test_a_reference_who_marked_nothing_is_refused(workspace: Workspace, tmp_path: Path) -> None:
    (first, *_) = read_drafts(workspace, "candidate-set")
    with pytest.raises(UsageError, match=r"--reference ana: .* marked by nobody; review-labels"):
        work_out_agreement(workspace, "ana")
    append_decisions(workspace, [marked(first, "ana", ["1"])])
    with pytest.raises(UsageError, match="marked by ana; review-labels sync"):
        work_out_agreement(workspace, "ana")
    append_decisions(workspace, [marked(first, "bo", ["1"])])
    with pytest.raises(UsageError, match=r"--reference cy: .* marked by ana, bo"):
        work_out_agreement(workspace, "cy")
    with pytest.raises(WorkspaceError, match="build-dialogues candidate-set draft"):
        work_out_agreement(Workspace(tmp_path / "none"), "ana")


def test_the_command_says_the_same(run: Any, workspace: Workspace) -> None:
    drafts = read_drafts(workspace, "candidate-set")
    append_decisions(
        workspace, [marked(each, name, ["1", "2"]) for each in drafts for name in ("ana", "bo")]
    )
    command = ("build-dialogues", "candidate-set", "agreement", "--workspace", workspace.root)
    ran = run(*command, "--reference", "bo")
    assert (ran.code, ran.err) == (0, "")
    found = work_out_agreement(workspace, "bo")
    assert ran.out.splitlines() == list(agreement_lines(found, workspace))
    assert "  sets, 3 turns: precision 1.000, recall 1.000, F1 1.000" in ran.out
    assert run(*command, "--reference", "cy").err.startswith("error: --reference cy: wanted")


def test_slips_in_the_real_dialogues_are_measured(tmp_path: Path) -> None:
    made = catalog_of(tmp_path / "w", *with_boxes_laid_over(invig_items(DIALOGUES)[:400]))
    draft_candidate_sets(made)
    drafts = read_drafts(made, "candidate-set")
    append_decisions(made, _slipping(drafts))
    (pair,) = work_out_agreement(made, "ana").pairs
    assert (pair.dialogues, pair.turns) == (400, len(drafts))
    singles = [one for one in drafts if _size(one) == 1]
    sets = [one for one in drafts if _size(one) > 1]
    assert 0 < sum(map(_slips, singles)) < len(singles)
    assert pair.accuracy.value == pytest.approx(1 - sum(map(_slips, singles)) / len(singles))
    assert pair.sets.precision.value == 1
    lost = sum(1 / _size(one) for one in sets if _slips(one))
    assert pair.sets.recall.value == pytest.approx(1 - lost / len(sets))
    low, high = pair.sets.recall.low, pair.sets.recall.high
    assert low is not None
    assert high is not None
    assert 0.9 < low < 1 - lost / len(sets) < high < 1


def _slipping(drafts: list[CandidateSet]) -> Iterator[Decision]:
    """Yield marks of ana, and of bo, who slips in one turn of ten.

    Of several boxes bo then misses the last, and to a single one bo adds another.
    """
    for draft in drafts:
        ids = [box.box_id for box in draft.boxes]
        size = _size(draft)
        yield marked(draft, "ana", ids[:size])
        slip = (1 if size == 1 else -1) * _slips(draft)
        yield marked(draft, "bo", ids[: size + slip])


def _size(draft: CandidateSet) -> int:
    return max(1, len(draft.boxes) // draft.turn)


def _slips(draft: CandidateSet) -> bool:
    return seeds.below(10, 0, "slip", draft.dialogue_id, str(draft.turn)) == 0
