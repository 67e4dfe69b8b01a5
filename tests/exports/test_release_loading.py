"""A release read by the real ``datasets``, which knows nothing of a workspace."""

import io
import shutil
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
import yaml
from datasets import Features, get_dataset_config_names, load_dataset
from PIL import Image

from benchwright.errors import UsageError
from benchwright.workspace import Workspace
from exports import load_config, load_episode
from exports.features import features_of
from exports.names import Version, release_folder
from exports.provenance.takedowns import take_down
from stand_ins.whole_workspace import pictures_of

TAU = "hidden-target-tau-0.3"
CONFIGS = (
    *(TAU, "false-premise", "candidate-set", "question-chain"),
    *("images", "vocabulary", "labels", "decisions"),
)


@pytest.fixture(scope="module")
def released(whole_once: Workspace) -> Path:
    return release_folder(whole_once, "things", Version(1, 0, 0))


@pytest.fixture(autouse=True)
def _cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("datasets.config.HF_DATASETS_CACHE", tmp_path / "cache")


def rows(folder: Path, config: str) -> list[dict[str, Any]]:
    (path,) = (folder / "data" / config).iterdir()
    found: list[dict[str, Any]] = pq.read_table(path).to_pylist()
    return found


def of_card(folder: Path, config: str) -> Features:
    head = yaml.safe_load((folder / "README.md").read_text("utf-8").split("---\n")[1])
    (info,) = [one for one in head["dataset_info"] if one["config_name"] == config]
    return Features._from_yaml_list(info["features"])


def test_the_first_config_is_the_default_and_holds_samples(released: Path) -> None:
    assert set(get_dataset_config_names(str(released))) == set(CONFIGS)
    assert load_dataset(str(released), split="test").column_names[0] == "episode_id"


@pytest.mark.parametrize("config", CONFIGS)
def test_every_config_loads_with_the_features_of_the_card(config: str, released: Path) -> None:
    loaded = load_config(released, config)
    (path,) = (released / "data" / config).iterdir()
    assert loaded.features == of_card(released, config) == features_of(pq.read_schema(path))
    expected = rows(released, config)
    if config == "images":
        found = [{**row, "image": None} for row in loaded]
        assert found == [{**row, "image": None} for row in expected]
    else:
        assert loaded.to_list() == expected


@pytest.mark.parametrize("config", CONFIGS)
def test_every_config_streams(config: str, released: Path) -> None:
    streamed = load_dataset(str(released), config, split="test", streaming=True)
    assert streamed.features == of_card(released, config)
    found, expected = list(streamed), rows(released, config)
    assert len(found) == len(expected)
    assert all(
        row[name] == other[name]
        for row, other in zip(found, expected, strict=True)
        for name in row
        if name != "image"
    )


def test_pictures_are_those_of_the_catalog_to_the_pixel(
    released: Path, whole_once: Workspace
) -> None:
    loaded = load_config(released, "images")
    stored = {item.image_id: item for item in pictures_of(whole_once)}
    assert len(loaded) == len(stored) == 36
    for row in loaded:
        with Image.open(whole_once.images / str(stored[row["image_id"]].image)) as image:
            assert image.tobytes() == row["image"].tobytes()
            assert image.size == (row["width"], row["height"])


@pytest.mark.parametrize("at", [0, 17, 35])
def test_an_episode_comes_with_its_pictures_in_the_order_shown(at: int, released: Path) -> None:
    row = rows(released, TAU)[at]
    shown = load_episode(released, row["episode_id"])
    assert shown.episode == row
    data = {one["image_id"]: one["image"]["bytes"] for one in rows(released, "images")}
    assert len(shown.pictures) == len(row["image_ids"])
    for picture, name in zip(shown.pictures, row["image_ids"], strict=True):
        with Image.open(io.BytesIO(data[name])) as image:
            assert picture.tobytes() == image.tobytes()


def test_what_is_not_there_is_said_in_a_line(released: Path, tmp_path: Path) -> None:
    for wanted, said in (
        (lambda: load_episode(released, "0" * 16), "has no episode 0000000000000000"),
        (lambda: load_config(released, "image"), "has no config image; it has candidate-set,"),
        (lambda: load_config(released, "<b>\n"), "has no config"),
        (lambda: load_config(tmp_path / "nowhere", "images"), "no release there"),
    ):
        with pytest.raises(UsageError, match=said) as told:
            wanted()
        assert "\n" not in str(told.value)


def test_another_build_is_not_taken_for_the_one_that_datasets_knows(
    whole: Workspace, release: Any
) -> None:
    """It lies in the same folder, as where somebody tries things out."""
    folder = release_folder(whole, "things", Version(1, 0, 0))
    before = load_config(folder, "images")["image_id"][:]
    shutil.rmtree(folder)
    take_down(whole, "things", before[0], "they asked")
    release(whole)
    assert load_config(folder, "images")["image_id"][:] == before[1:]
