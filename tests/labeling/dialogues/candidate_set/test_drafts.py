import shutil
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from benchwright.decisions.journal import append_decisions
from benchwright.errors import UsageError, WorkspaceError
from benchwright.records import Item
from benchwright.workspace import Workspace
from labeling.dialogues.candidate_set.choosing.choice import choosing_folder
from labeling.dialogues.candidate_set.choosing.filtering import filter_dialogues
from labeling.dialogues.candidate_set.choosing.rules import FilterSettings
from labeling.dialogues.candidate_set.choosing.sampling import sample_dialogues
from labeling.dialogues.candidate_set.deciding import FIELD
from labeling.dialogues.candidate_set.drafts import draft_candidate_sets, make_drafts
from labeling.dialogues.stored import decide_dialogues, read_dialogues, read_drafts
from stand_ins.auditors import decision
from stand_ins.dialogues import catalog_of, invig_items, spoken_about, with_boxes_laid_over

DIALOGUES = Path(__file__).parents[3] / "data" / "invig" / "derived_test_dialogs.jsonl.gz"
LEFT, RIGHT = (10.0, 10.0, 20.0, 40.0), (40.0, 10.0, 20.0, 40.0)


def test_a_turn_is_what_was_said_up_to_an_answer() -> None:
    (first, second, third) = make_drafts([spoken_about()]).sets
    assert [one.turn for one in (first, second, third)] == [1, 2, 3]
    assert [line.text for line in first.context] == ["the bottle, please."]
    assert [line.text for line in second.context[1:]] == ["which one?", "a green one."]
    assert [line.speaker for line in third.context] == ["human", "agent"] * 2 + ["human"]
    assert {one.first_utterance for one in (first, second, third)} == {"the bottle, please."}
    assert third.boxes == first.boxes
    assert (first.candidate_ids, first.marks, first.kind) == ((), (), "set")


@pytest.mark.parametrize(
    ("item", "turns", "left_out"),
    [
        (spoken_about(lines=["this."]), 1, {}),
        # the agent's last word is no turn
        (spoken_about(lines=["this.", "which?", "red.", "ok."]), 2, {}),
        (spoken_about(lines=[]), 0, {"no_line": 1}),
        # one box, or none: there is nothing to tell apart
        (spoken_about(candidates=[LEFT], target=LEFT), 0, {"one_box": 1}),
        (spoken_about(candidates=[], target=None), 0, {"one_box": 1}),
        # the target is the second box
        (spoken_about(candidates=[LEFT], target=RIGHT), 3, {}),
        # without a picture nobody can look
        (spoken_about(image=None), 0, {"no_picture": 1}),
        (spoken_about(dialogues=()), 0, {}),
    ],
)
def test_dialogues_are_left_out_for_a_reason(
    item: Item, turns: int, left_out: dict[str, int]
) -> None:
    drafts = make_drafts([item])
    assert (len(drafts.sets), dict(drafts.left_out)) == (turns, left_out)
    assert drafts.dialogues == (turns > 0)


def test_the_real_dialogues_become_turns() -> None:
    items = invig_items(DIALOGUES)
    alone = make_drafts(items)
    assert (alone.dialogues, alone.left_out) == (0, {"one_box": 1998})
    drafts = make_drafts(with_boxes_laid_over(items))
    assert drafts.dialogues == 1998
    assert not drafts.left_out
    by_dialogue = Counter(one.dialogue_id for one in drafts.sets)
    # utterances 1, 3, 5, 7, 9, 11, 13, as they were counted in the file
    assert Counter(by_dialogue.values()) == {
        1: 1, 2: 73, 3: 920, 4: 879, 5: 103, 6: 21, 7: 1
    }  # fmt: skip
    for item, turn in zip(items, _last_turns(drafts.sets), strict=True):
        assert len(turn.context) == len(item.dialogues[0].utterances)
        target = item.dialogues[0].target_box
        assert target in [box.bbox for box in turn.boxes]
        assert 2 <= len(turn.boxes) <= 15


def _last_turns(sets: Any) -> list[Any]:
    return list({one.dialogue_id: one for one in sets}.values())


def test_drafts_are_written_once_and_again_the_same(
    tmp_path: Path, holdings: Callable[[Path], dict[str, Any]]
) -> None:
    items = [spoken_about("d1"), spoken_about("d2", candidates=[LEFT], target=LEFT)]
    workspace = catalog_of(tmp_path, *items)
    manifest = draft_candidate_sets(workspace)
    assert (manifest.counts, manifest.reasons) == ({"drafts": 3, "dialogues": 1}, {"one_box": 1})
    assert list(make_drafts(items).sets) == read_drafts(workspace, "candidate-set")
    before = holdings(tmp_path)
    assert draft_candidate_sets(workspace) == manifest  # the seconds too: it did nothing
    assert holdings(tmp_path) == before


def test_a_catalog_without_dialogues_is_named(tmp_path: Path) -> None:
    workspace = catalog_of(tmp_path / "none", spoken_about(dialogues=()))
    with pytest.raises(UsageError, match=r"no dialogue .*\(it has none\); build a catalog"):
        draft_candidate_sets(workspace)
    workspace = catalog_of(tmp_path / "bare", spoken_about(candidates=[], target=LEFT))
    with pytest.raises(UsageError, match="all pictures have one box; build the catalog of"):
        draft_candidate_sets(workspace)
    with pytest.raises(WorkspaceError, match="build-catalog"):
        draft_candidate_sets(Workspace(tmp_path / "empty"))


def marks(turn: int, after: str, auditor: str = "ana") -> Any:
    return decision(
        image_id=None, record_id=f"d1/{turn}", field=FIELD, before=None, after=after,
        verdict="confirmed", auditor=auditor,
    )  # fmt: skip


def test_numbers_that_people_marked_stay_what_they_are(tmp_path: Path) -> None:
    item = spoken_about("d1")
    workspace = catalog_of(tmp_path, item)
    draft_candidate_sets(workspace)
    other = replace(item, dialogues=(replace(item.dialogues[0], candidate_boxes=(RIGHT,)),))
    catalog_of(tmp_path, other, spoken_about("d9", image_id="f" * 16))
    assert draft_candidate_sets(workspace).counts["drafts"] == 6  # nobody marked anything yet
    append_decisions(workspace, [marks(2, '["1"]')])
    catalog_of(tmp_path, item)
    with pytest.raises(WorkspaceError, match=r"marked boxes of 1 turn \(such as d1/2\)"):
        draft_candidate_sets(workspace)
    catalog_of(tmp_path, other)  # the same boxes in another catalog
    assert draft_candidate_sets(workspace).counts["drafts"] == 3


@pytest.mark.parametrize(
    "other",
    [
        # what the marks are an answer to
        spoken_about("d1", lines=["this.", "which?", "the red one."]),
        # what the marks are seen in
        spoken_about("d1", image_id="f" * 16),
    ],
)
def test_marks_do_not_pass_to_other_words_or_another_picture(tmp_path: Path, other: Item) -> None:
    workspace = catalog_of(tmp_path, spoken_about("d1"))
    draft_candidate_sets(workspace)
    append_decisions(workspace, [marks(2, '["1"]')])
    catalog_of(tmp_path, other)
    with pytest.raises(WorkspaceError, match=r"marked boxes of 1 turn \(such as d1/2\)"):
        draft_candidate_sets(workspace)


def test_marks_become_candidate_sets(tmp_path: Path) -> None:
    workspace = catalog_of(tmp_path, spoken_about("d1"))
    draft_candidate_sets(workspace)
    append_decisions(
        workspace,
        [
            marks(1, '["1", "2", "3"]'),
            marks(2, '["1", "2"]'),
            marks(3, '["1"]'),
            marks(1, '["1", "2", "3"]', "bo"),
        ],
    )
    manifest = decide_dialogues(workspace, "candidate-set")
    assert (manifest.counts["dialogues"], dict(manifest.reasons)) == (3, {})
    found = read_dialogues(workspace, "candidate-set")
    assert [(one.candidate_ids, one.kind, len(one.marks)) for one in found] == [
        (("1", "2", "3"), "set", 2),
        (("1", "2"), "set", 1),
        (("1",), "single", 1),
    ]


def test_a_turn_that_is_rejected_takes_its_dialogue_with_it(tmp_path: Path) -> None:
    workspace = catalog_of(tmp_path, spoken_about("d1"))
    draft_candidate_sets(workspace)
    rejected = replace(marks(2, ""), after=None, verdict="rejected")
    append_decisions(workspace, [marks(1, '["1", "2"]'), rejected, marks(3, '["1"]')])
    manifest = decide_dialogues(workspace, "candidate-set")
    assert manifest.counts["dialogues"] == 0
    assert dict(manifest.reasons) == {"another turn is withheld": 2, "rejected": 1}


def drafted(workspace: Workspace) -> set[str]:
    draft_candidate_sets(workspace)
    return {one.dialogue_id for one in read_drafts(workspace, "candidate-set")}


def test_the_last_step_of_choosing_says_which_dialogues_are_drafted(tmp_path: Path) -> None:
    names = [f"d{number}" for number in range(6)]
    ambiguous = [spoken_about(name) for name in names]
    workspace = catalog_of(tmp_path, *ambiguous, spoken_about("alone", candidates=[LEFT]))
    assert drafted(workspace) == set(names)
    filter_dialogues(workspace, FilterSettings(most_boxes=3))
    assert drafted(workspace) == set(names)
    sampled = sample_dialogues(workspace, 2).choices
    assert drafted(workspace) == {one.dialogue_id for one in sampled if one.reason is None}
    assert len(drafted(workspace)) == 2
    filter_dialogues(workspace, FilterSettings(most_boxes=2, fewest_of_category=2))
    with pytest.raises(WorkspaceError, match="was drawn from what another filter kept; run"):
        draft_candidate_sets(workspace)


def test_dialogues_of_another_catalog_are_not_drafted(tmp_path: Path) -> None:
    workspace = catalog_of(tmp_path, spoken_about("d1"))
    filter_dialogues(workspace)
    catalog_of(tmp_path, spoken_about("d1"), spoken_about("d2"))
    with pytest.raises(WorkspaceError, match="filtered: is of another catalog; run"):
        draft_candidate_sets(workspace)
    shutil.rmtree(choosing_folder(workspace, "filtered"))
    assert drafted(workspace) == {"d1", "d2"}


def test_a_filter_that_keeps_nothing_leaves_nothing_to_draft(tmp_path: Path) -> None:
    workspace = catalog_of(tmp_path, spoken_about("d1"))
    filter_dialogues(workspace, FilterSettings(fewest_of_category=4))
    with pytest.raises(UsageError, match="no dialogue is left of those that were filtered"):
        draft_candidate_sets(workspace)


def test_a_dialogue_that_people_marked_is_not_sampled_away(tmp_path: Path) -> None:
    workspace = catalog_of(tmp_path, *(spoken_about(f"d{number}") for number in range(1, 9)))
    draft_candidate_sets(workspace)
    filter_dialogues(workspace)
    sample_dialogues(workspace, 2)
    append_decisions(workspace, [marks(2, '["1"]')])  # d1, which is not of the sample
    with pytest.raises(WorkspaceError, match="not among its dialogues that were chosen"):
        draft_candidate_sets(workspace)
    sample_dialogues(workspace, 8)
    assert len(drafted(workspace)) == 8
