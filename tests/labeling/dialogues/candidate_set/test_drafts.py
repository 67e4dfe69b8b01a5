import gzip
import json
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from benchwright import store
from benchwright.decisions.journal import append_decisions
from benchwright.errors import UsageError, WorkspaceError
from benchwright.records import Item
from benchwright.rows import to_table
from benchwright.workspace import Workspace
from labeling.dialogues.candidate_set.deciding import FIELD
from labeling.dialogues.candidate_set.drafts import draft_candidate_sets, make_drafts
from labeling.dialogues.stored import decide_dialogues, read_dialogues, read_drafts
from stand_ins.auditors import decision
from stand_ins.dialogues import spoken_about, with_boxes_laid_over

DIALOGUES = Path(__file__).parents[3] / "data" / "invig" / "derived_test_dialogs.jsonl.gz"
LEFT, RIGHT = (10.0, 10.0, 20.0, 40.0), (40.0, 10.0, 20.0, 40.0)


def catalog_of(root: Path, *items: Item) -> Workspace:
    workspace = Workspace(root)
    plan = store.Plan(stage="catalog", inputs={}, settings={"items": len(items)})
    with store.writing(workspace.catalog, plan, configs={"items": "items-*.parquet"}) as out:
        out.shards("items", to_table(items, Item))
    return workspace


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


def invig() -> list[Item]:
    """Return the real dialogues of the test split with the real target, in a square picture."""
    rows = [json.loads(line) for line in gzip.decompress(DIALOGUES.read_bytes()).splitlines()]
    return [
        spoken_about(
            name=f"{row['index']:04d}",
            lines=[text for _, text in row["utterances"]],
            candidates=[],
            target=_placed(row["target_norm_xyxy"]),
            width=1000,
            height=1000,
        )
        for row in rows
    ]


def _placed(share: list[float]) -> tuple[float, float, float, float]:
    x0, y0, x1, y1 = (1000 * value for value in share)
    return x0, y0, x1 - x0, y1 - y0


def test_the_real_dialogues_become_turns() -> None:
    items = invig()
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
    workspace = catalog_of(tmp_path, *sorted(items, key=lambda item: item.image_id))
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
    with pytest.raises(UsageError, match=r"\(one_box 1\)"):
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
    with pytest.raises(WorkspaceError, match=r"boxes of 1 turns \(such as d1/2\)"):
        draft_candidate_sets(workspace)
    catalog_of(tmp_path, other)  # the same boxes in another catalog
    assert draft_candidate_sets(workspace).counts["drafts"] == 3


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
