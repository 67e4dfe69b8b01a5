"""The funnel counts what each step left, up to what people make of it."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest

from benchwright.decisions.journal import append_decisions
from benchwright.errors import WorkspaceError
from benchwright.records import CandidateSet, Decision
from benchwright.workspace import Workspace
from labeling.dialogues.candidate_set.choosing.filtering import filter_dialogues
from labeling.dialogues.candidate_set.choosing.sampling import sample_dialogues
from labeling.dialogues.candidate_set.deciding import decision_of_marks
from labeling.dialogues.candidate_set.drafts import draft_candidate_sets
from labeling.dialogues.candidate_set.funnel import Funnel, count_funnel, funnel_path
from labeling.dialogues.candidate_set.mapping.annotations import Given
from labeling.dialogues.candidate_set.mapping.map_points import map_annotations
from labeling.dialogues.candidate_set.report import funnel_lines, next_line
from labeling.dialogues.stored import read_drafts
from stand_ins.dialogues import catalog_of, spoken_about

AT = "2026-03-01T12:00:00+00:00"
LEFT = (10.0, 10.0, 20.0, 40.0)


def numbers(funnel: Funnel) -> dict[str, int | None]:
    return {step.name: step.dialogues for step in funnel.steps}


def left_out(funnel: Funnel) -> dict[str, Mapping[str, int]]:
    return {step.name: dict(step.left_out) for step in funnel.steps if step.left_out}


def ten(root: Path) -> Workspace:
    """Return a workspace of ten dialogues of three turns, and one whose picture has one box."""
    return catalog_of(
        root,
        *(spoken_about(f"d{number}") for number in range(10)),
        spoken_about("alone", candidates=[LEFT], target=LEFT),
    )


def drafted(workspace: Workspace) -> dict[str, list[CandidateSet]]:
    draft_candidate_sets(workspace)
    found: dict[str, list[CandidateSet]] = {}
    for one in read_drafts(workspace, "candidate-set"):
        found.setdefault(one.dialogue_id, []).append(one)
    return found


def marked(turns: Iterable[CandidateSet], annotator: str = "ana") -> list[Decision]:
    """Return the decisions of one who marks three boxes, then two, then one."""
    return [
        decision_of_marks(turn, ["1", "2", "3"][: 4 - turn.turn], annotator=annotator, at=AT)
        for turn in turns
    ]


def as_verdict(decision: Decision, verdict: str) -> Decision:
    return replace(decision, after=None, verdict=verdict)  # type: ignore[arg-type]


def test_steps_that_were_not_done_are_null(tmp_path: Path) -> None:
    with pytest.raises(WorkspaceError, match="run build-catalog first"):
        count_funnel(Workspace(tmp_path / "empty"))
    workspace = ten(tmp_path / "w")
    nothing = dict.fromkeys(("filtered", "sampled", "drafted", "screened", "complete"))
    assert numbers(count_funnel(workspace)) == {"found": 11, **nothing}
    assert " candidate-set run" in next_line(count_funnel(workspace), workspace)
    filter_dialogues(workspace)
    assert numbers(count_funnel(workspace)) == {"found": 11, **nothing, "filtered": 10}
    assert " candidate-set sample" in next_line(count_funnel(workspace), workspace)
    sample_dialogues(workspace, 4)
    assert " candidate-set draft" in next_line(count_funnel(workspace), workspace)
    draft_candidate_sets(workspace)
    funnel = count_funnel(workspace)
    chain = {"found": 11, "filtered": 10, "sampled": 4, "drafted": 4}
    assert numbers(funnel) == {**chain, "screened": None, "complete": None}
    assert left_out(funnel) == {"filtered": {"no_ambiguity": 1}, "sampled": {"not_sampled": 6}}
    assert (funnel.any_category, funnel.sizes) == (11, None)
    assert next_line(funnel, workspace).startswith("next: review-labels open --audit candidate-set")


def test_drafts_without_a_filter_are_of_all_dialogues(tmp_path: Path) -> None:
    workspace = ten(tmp_path)
    draft_candidate_sets(workspace)
    funnel = count_funnel(workspace)
    assert numbers(funnel) == {
        "found": 11, "filtered": None, "sampled": None, "drafted": 10,
        "screened": None, "complete": None,
    }  # fmt: skip
    assert left_out(funnel) == {"drafted": {"one_box": 1}}
    assert funnel.any_category is None


def test_what_was_made_of_something_else_is_not_counted(tmp_path: Path) -> None:
    workspace = ten(tmp_path)
    filter_dialogues(workspace)
    sample_dialogues(workspace, 4)
    draft_candidate_sets(workspace)
    sample_dialogues(workspace, 5)
    assert numbers(count_funnel(workspace))["drafted"] is None
    catalog_of(tmp_path, spoken_about("d1"))
    assert numbers(count_funnel(workspace)) == {
        "found": 1, "filtered": None, "sampled": None, "drafted": None,
        "screened": None, "complete": None,
    }  # fmt: skip


def test_people_screen_and_complete(tmp_path: Path) -> None:
    workspace = ten(tmp_path)
    filter_dialogues(workspace)
    turns = drafted(workspace)
    unsure, cut = marked(turns["d4"]), marked(turns["d5"])
    said = [
        *marked(turns["d0"]),
        *marked(turns["d1"]),
        *marked(turns["d1"], "bo"),
        # rejected at its first turn, and not looked at after it
        as_verdict(marked(turns["d2"])[0], "rejected"),
        # rejected at the last turn
        *marked(turns["d3"])[:2],
        as_verdict(marked(turns["d3"])[2], "rejected"),
        # nobody can tell at one turn
        unsure[0],
        as_verdict(unsure[1], "unsure"),
        unsure[2],
        # begun, not ended
        *cut[:2],
        # two who differ at a turn
        *marked(turns["d6"]),
        decision_of_marks(turns["d6"][1], ["3"], annotator="bo", at=AT),
        # still open at the end, and clear at the start
        *marked(turns["d7"])[:2],
        decision_of_marks(turns["d7"][2], ["1", "2"], annotator="ana", at=AT),
        *(decision_of_marks(turn, ["2"], annotator="ana", at=AT) for turn in turns["d8"]),
    ]
    append_decisions(workspace, said)
    funnel = count_funnel(workspace)
    assert [numbers(funnel)[name] for name in ("drafted", "screened", "complete")] == [10, 6, 4]
    assert left_out(funnel)["screened"] == {"rejected": 2, "not judged yet": 2}
    assert left_out(funnel)["complete"] == {"undecided": 1, "unsure": 1}
    sizes = funnel.sizes
    assert sizes is not None
    assert (sizes.dialogues, sizes.single, sizes.set) == (4, 5, 7)
    assert (sizes.clear_at_the_start, sizes.open_at_the_end) == (1, 1)
    assert (sizes.long_enough, sizes.means) == (4, (2.5, 1.75, 1.25))
    sizes = count_funnel(workspace, turns=4).sizes
    assert sizes is not None
    assert (sizes.long_enough, sizes.means) == (0, ())
    lines = "\n".join(funnel_lines(funnel))
    assert "  screened       6  (left out: rejected 2, not judged yet 2)\n" in lines
    assert "mean size by turn: 2.50, 1.75, 1.25 (4 dialogues of 3 turns or more)" in lines


def test_the_chain_adds_up_and_is_stored(tmp_path: Path) -> None:
    workspace = ten(tmp_path)
    filter_dialogues(workspace)
    sample_dialogues(workspace, 6)
    for name, turns in drafted(workspace).items():
        append_decisions(workspace, marked(turns) if name != "d1" else marked(turns)[:1])
    funnel = count_funnel(workspace)
    steps = [step for step in funnel.steps if step.dialogues is not None]
    assert len(steps) == 6
    for earlier, after in pairwise(steps):
        assert (earlier.dialogues or 0) - sum(after.left_out.values()) == after.dialogues
    stored = json.loads(funnel_path(workspace).read_text("utf-8"))
    assert {each["name"]: each["dialogues"] for each in stored["steps"]} == numbers(funnel)
    assert stored["sizes"]["means"] == [3.0, 2.0, 1.0]
    before = funnel_path(workspace).read_bytes()
    count_funnel(workspace)
    assert funnel_path(workspace).read_bytes() == before


@pytest.mark.parametrize(
    ("last_point", "screened", "complete", "why"),
    [
        ([20, 20], 1, 1, {}),
        # the last point of the last turn is in no box
        ([5, 5], 1, 0, {"not mapped": 1}),
    ],
)
def test_marks_made_elsewhere_that_are_no_boxes_end_after_the_screen(
    tmp_path: Path, last_point: list[int], screened: int, complete: int, why: dict[str, int]
) -> None:
    workspace = catalog_of(tmp_path / "w", spoken_about("d1"), spoken_about("d2"))
    draft_candidate_sets(workspace)
    points = ([[20, 20], [50, 20]], [[20, 20]], [last_point])
    path = tmp_path / "marks.jsonl"
    rows = [
        {"dialogue_id": "d1", "turn": str(turn), "points": where}
        for turn, where in enumerate(points, 1)
    ]
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows), "utf-8")
    map_annotations(workspace, [path], Given.of("ana", "2026-03-01"))
    funnel = count_funnel(workspace)
    assert numbers(funnel)["screened"] == screened
    assert numbers(funnel)["complete"] == complete
    assert left_out(funnel) == {
        "screened": {"not judged yet": 1}, **({"complete": why} if why else {})
    }  # fmt: skip


def test_what_comes_next(tmp_path: Path) -> None:
    workspace = catalog_of(tmp_path, spoken_about("d1"), spoken_about("d2"))
    turns = drafted(workspace)
    append_decisions(workspace, marked(turns["d1"]))
    assert "--audit candidate-set" in next_line(count_funnel(workspace), workspace)
    append_decisions(workspace, marked(turns["d2"]))
    assert next_line(count_funnel(workspace), workspace).startswith(
        "nothing waits for people; next: push-release build NAME"
    )
    other = decision_of_marks(turns["d2"][0], ["3"], annotator="bo", at=AT)
    append_decisions(workspace, [other])
    assert "--audit disagreements" in next_line(count_funnel(workspace), workspace)
