from pathlib import Path
from typing import Any

from benchwright import store
from benchwright.records import Item
from benchwright.rows import to_table
from benchwright.workspace import Workspace
from stand_ins.dialogues import spoken_about


def _catalog(root: Path, *items: Item) -> Path:
    workspace = Workspace(root)
    plan = store.Plan(stage="catalog", inputs={}, settings={})
    with store.writing(workspace.catalog, plan, configs={"items": "items-*.parquet"}) as out:
        out.shards("items", to_table(items, Item))
    return root


def test_turns_of_a_catalog_become_drafts_once(run: Any, tmp_path: Path) -> None:
    workspace = _catalog(tmp_path / "w", spoken_about("d1"))
    first = run("build-dialogues", "candidate-set", "draft", "--workspace", workspace)
    assert first.code == 0
    assert first.out.startswith("3 turns of 1 dialogues\nnext: review-labels open ")
    again = run("build-dialogues", "candidate-set", "draft", "--workspace", workspace)
    assert again.out == first.out


def test_without_dialogues_it_says_where_they_come_from(run: Any, tmp_path: Path) -> None:
    workspace = _catalog(tmp_path / "w", spoken_about(dialogues=()))
    ran = run("build-dialogues", "candidate-set", "draft", "--workspace", workspace)
    assert ran.code == 1
    assert "build a catalog of dialogues with build-catalog invig" in ran.err
