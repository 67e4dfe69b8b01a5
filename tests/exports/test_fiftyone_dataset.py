"""A release in FiftyOne, with a real database: each test has a process and a mongod of its own."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from benchwright.errors import UsageError
from benchwright.release_loading import load_config
from benchwright.workspace import Workspace
from exports.fiftyone_dataset import to_fiftyone
from exports.names import Version, release_folder

_SCRIPT = """
import json, sys
from pathlib import Path
from exports.fiftyone_dataset import to_fiftyone
from benchwright.errors import UsageError
dataset = to_fiftyone(Path(sys.argv[1]), "a release", Path(sys.argv[2]))
try:
    to_fiftyone(Path(sys.argv[1]), "a release", Path(sys.argv[2]))
    refused = None
except UsageError as error:
    refused = str(error)
views = {
    name: dataset.load_saved_view(name).values("image_id") for name in dataset.list_saved_views()
}
samples = [
    {
        "image_id": one.image_id,
        "size": Path(one.filepath).stat().st_size,
        "labels": sorted(label.label for label in one.labels.classifications),
        "boxes": [[box.label, box.dialogue_id, box.bounding_box] for box in one.boxes.detections],
        "galleries": one.galleries,
    }
    for one in dataset
]
said = {"views": views, "samples": samples, "persistent": dataset.persistent, "refused": refused}
Path(sys.argv[3]).write_text(json.dumps(said))
"""


@pytest.fixture
def mongo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """The URI of a mongod of this test's own."""
    if find_spec("fiftyone") is None:
        pytest.skip("fiftyone IS NOT INSTALLED: NO DATASET WAS MADE IN THIS RUN")
    from labeling.audits.app.database import served  # noqa: PLC0415  # of an extra

    monkeypatch.delenv("FIFTYONE_DATABASE_URI", raising=False)
    (tmp_path / "mongo").mkdir()
    with served(Workspace(tmp_path / "mongo")) as address:
        yield address.uri


def test_shows_a_release(whole_once: Workspace, mongo: str, tmp_path: Path) -> None:
    folder = release_folder(whole_once, "things", Version.of("1.0.0"))
    images = {row["image_id"]: row for row in load_config(folder, "images")}
    out = tmp_path / "out.json"

    ran = subprocess.run(
        [sys.executable, "-c", _SCRIPT, folder, tmp_path / "pictures", out],
        env={
            **os.environ,
            "FIFTYONE_DATABASE_URI": mongo,
            "FIFTYONE_DATABASE_NAME": "test",
            "FIFTYONE_DATABASE_VALIDATION": "false",
            "FIFTYONE_DO_NOT_TRACK": "true",
        },
        capture_output=True,
        text=True,
        check=False,
    )

    assert ran.returncode == 0, ran.stderr[-3000:]
    found = json.loads(out.read_text("utf-8"))
    samples = {one["image_id"]: one for one in found["samples"]}
    assert samples.keys() == images.keys()
    assert found["persistent"]
    assert "already" in found["refused"]
    episodes = _episodes(folder)
    assert found["views"] == {name: row["image_ids"] for name, row in episodes.items()}
    yes = {
        (row["image_id"], f"{row['type']}: {row['value']}")
        for row in load_config(folder, "labels")
        if row["answer"] == "yes"
    }
    assert {(one["image_id"], label) for one in found["samples"] for label in one["labels"]} == yes
    for row in load_config(folder, "false-premise"):
        image = images[row["image_id"]]
        x, y, width, height = row["box"]
        relative = [x / image["width"], y / image["height"]]
        relative += [width / image["width"], height / image["height"]]
        boxes = samples[row["image_id"]]["boxes"]
        assert [row["true_description"], row["dialogue_id"], pytest.approx(relative)] in boxes
    for row in load_config(folder, "candidate-set"):
        of_dialogue = [
            box for box in samples[row["image_id"]]["boxes"] if box[1] == row["dialogue_id"]
        ]
        assert len(of_dialogue) == len(row["boxes"])


def _episodes(folder: Path) -> dict[str, Any]:
    from exports.locking.lock import read_lock  # noqa: PLC0415

    lock = read_lock(folder)
    assert lock is not None
    return {
        f"{config.removeprefix('hidden-target-')} {row['episode_id']}": row
        for config in lock.configs
        if config.startswith("hidden-target")
        for row in load_config(folder, config)
    }


def test_wants_a_release(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"no release\.lock\.json"):
        to_fiftyone(tmp_path, "x", tmp_path / "pictures")
