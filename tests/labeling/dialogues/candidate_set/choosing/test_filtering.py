from collections import Counter
from pathlib import Path

import pytest
from datasets import Features, Value, load_dataset

from benchwright.errors import UsageError, WorkspaceError
from benchwright.workspace import Workspace
from labeling.dialogues.candidate_set.choosing.choice import choosing_folder, read_choices
from labeling.dialogues.candidate_set.choosing.filtering import filter_dialogues
from labeling.dialogues.candidate_set.choosing.rules import FilterSettings
from stand_ins.dialogues import catalog_of, spoken_about

ITEMS = (
    spoken_about("d3", lines=[]),
    spoken_about("d1"),
    spoken_about("d2", image=None),
    spoken_about("d4", lines=[]),
)


def test_every_dialogue_is_a_row_and_every_reason_is_counted(tmp_path: Path) -> None:
    workspace = catalog_of(tmp_path, *ITEMS)
    found = filter_dialogues(workspace)
    assert found.manifest.counts == {"dialogues": 4, "kept": 1}
    assert found.manifest.reasons == {"no_line": 2, "no_picture": 1}
    rows = read_choices(workspace, "filtered")
    assert [(one.dialogue_id, one.reason) for one in rows] == [
        ("d1", None), ("d2", "no_picture"), ("d3", "no_line"), ("d4", "no_line")
    ]  # fmt: skip
    assert list(found.choices) == rows


def test_what_stands_is_left_alone_until_something_changes(tmp_path: Path) -> None:
    workspace = catalog_of(tmp_path, *ITEMS)
    first = filter_dialogues(workspace)
    again = filter_dialogues(workspace)
    assert first.is_new
    assert (again.manifest, again.choices, again.is_new) == (first.manifest, first.choices, False)
    assert filter_dialogues(workspace, force=True).is_new
    other = filter_dialogues(workspace, FilterSettings(fewest_of_category=4))
    assert other.manifest.counts["kept"] == 0
    catalog_of(tmp_path, *ITEMS[:2])
    assert filter_dialogues(workspace).manifest.counts == {"dialogues": 2, "kept": 1}


def test_a_catalog_without_dialogues_is_named(tmp_path: Path) -> None:
    with pytest.raises(WorkspaceError, match="run build-catalog first"):
        filter_dialogues(Workspace(tmp_path / "empty"))
    workspace = catalog_of(tmp_path / "w", spoken_about(dialogues=()))
    with pytest.raises(UsageError, match="has no dialogue to choose from; build a catalog of"):
        filter_dialogues(workspace)
    assert not choosing_folder(workspace, "filtered").exists()


def test_it_loads_with_its_features(tmp_path: Path) -> None:
    workspace = catalog_of(tmp_path / "w", *ITEMS)
    filter_dialogues(workspace)
    folder = str(choosing_folder(workspace, "filtered"))
    rows = load_dataset(folder, split="train", cache_dir=str(tmp_path / "cache"))
    assert rows.features == Features(
        {
            "dialogue_id": Value("string"),
            "image_id": Value("string"),
            "boxes": Value("int32"),
            "category": Value("string"),
            "of_category": Value("int32"),
            "size_ratio": Value("float64"),
            "reason": Value("string"),
        }
    )
    assert Counter(rows["reason"]) == {None: 1, "no_picture": 1, "no_line": 2}
