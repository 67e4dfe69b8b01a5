"""Candidate sets as COCO, as pycocotools and a person with the file see them."""

import contextlib
import io
import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from PIL import Image
from pycocotools.coco import COCO

from benchwright.errors import UsageError
from benchwright.release_loading import load_config
from benchwright.workspace import Workspace
from exports.coco.candidate_sets import candidate_sets_of, write_candidate_sets
from exports.coco.cli import coco_command
from exports.names import Version, release_folder

BOXES = [
    {"box_id": "1", "category": "cup", "bbox": [1.0, 2.0, 3.0, 4.0]},
    {"box_id": "2", "category": None, "bbox": [5.0, 6.0, 7.0, 8.0]},
]
PICTURE = {
    "image_id": "a",
    "file_name": "images/a.png",
    "width": 20,
    "height": 30,
    "source": "s",
    "source_id": "1",
    "url": None,
    "author": "Ana",
    "licence": "https://creativecommons.org/licenses/by/4.0/",
}


def turn(number: int, candidates: list[str], dialogue: str = "v1") -> dict[str, Any]:
    said = [{"speaker": "human", "text": f"line {at}"} for at in range(number)]
    return {
        "dialogue_id": dialogue,
        "image_id": "a",
        "turn": number,
        "context": said,
        "boxes": BOXES,
        "candidate_ids": candidates,
    }


@pytest.fixture
def folder(whole_once: Workspace) -> Path:
    return release_folder(whole_once, "things", Version.of("1.0.0"))


def test_a_box_says_when_it_was_plausible() -> None:
    turns = [turn(1, ["1", "2"]), turn(2, ["1"]), turn(1, ["2"], "v2")]

    whole = candidate_sets_of(turns, [PICTURE])

    # a picture stands once, its boxes once for each dialogue
    assert [one["id"] for one in whole["images"]] == [1]
    assert [
        (one["dialogue_id"], one["box_id"], one["candidate_turns"]) for one in whole["annotations"]
    ] == [("v1", "1", [1, 2]), ("v1", "2", [1]), ("v2", "1", []), ("v2", "2", [1])]
    names = {one["id"]: one["name"] for one in whole["categories"]}
    assert [names[one["category_id"]] for one in whole["annotations"][:2]] == ["cup", "object"]
    assert whole["annotations"][1]["area"] == 56.0
    first = whole["dialogues"][0]
    assert first["turns"] == [1, 2]
    assert [one["text"] for one in first["utterances"]] == ["line 0", "line 1"]
    assert whole["images"][0]["author"] == "Ana"
    assert "url" not in whole["images"][0]
    assert whole["licenses"][whole["images"][0]["license"] - 1]["url"] == PICTURE["licence"]


def test_pycocotools_loads_it(folder: Path, tmp_path: Path) -> None:
    written = write_candidate_sets(folder, tmp_path / "out")

    with contextlib.redirect_stdout(io.StringIO()):
        coco = COCO(str(written.path))
    turns = list(load_config(folder, "candidate-set"))
    first = [one for one in turns if one["dialogue_id"] == turns[0]["dialogue_id"]]
    found = [one for one in coco.anns.values() if one["dialogue_id"] == turns[0]["dialogue_id"]]
    assert [one["bbox"] for one in found] == [box["bbox"] for box in turns[0]["boxes"]]
    assert {one["box_id"]: one["candidate_turns"] for one in found} == {
        box["box_id"]: [one["turn"] for one in first if box["box_id"] in one["candidate_ids"]]
        for box in turns[0]["boxes"]
    }
    for picture in coco.imgs.values():
        with Image.open(written.path.parent / picture["file_name"]) as image:
            assert image.size == (picture["width"], picture["height"])
    assert len(coco.imgs) == written.pictures
    again = write_candidate_sets(folder, tmp_path / "again")
    assert again.path.read_bytes() == written.path.read_bytes()


def test_the_command_writes_either(folder: Path, whole_once: Workspace, tmp_path: Path) -> None:
    out = tmp_path / "out"

    of_release = CliRunner().invoke(coco_command, [str(folder), "--out", str(out)])
    of_catalog = CliRunner().invoke(
        coco_command, ["--out", str(out), "--workspace", str(whole_once.root)]
    )

    assert (of_release.exit_code, of_catalog.exit_code) == (0, 0)
    assert "1 dialogues" in of_release.output
    assert f"the pictures are under {whole_once.images}" in of_catalog.output
    instances = json.loads((out / "instances.json").read_text("utf-8"))
    for picture in instances["images"]:
        assert (whole_once.images / picture["file_name"]).is_file()


def test_wants_candidate_sets_with_their_answers(
    whole: Workspace, release: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BENCHWRIGHT_ANSWER_KEY", "k" * 32)
    held = release(whole, "1.0.1", private_answers=True)

    with pytest.raises(UsageError, match="holds back which boxes are candidates"):
        write_candidate_sets(held, tmp_path / "out")
    assert not (tmp_path / "out").exists()
