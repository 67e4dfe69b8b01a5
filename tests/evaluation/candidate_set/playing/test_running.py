"""What a run is made of, and what cannot be played."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from PIL import Image

from benchwright.asking.voters import Voter
from benchwright.errors import UsageError
from benchwright.workspace import Workspace
from evaluation.candidate_set.comparison.expressions import Expression, Marked
from evaluation.candidate_set.comparison.picture_folder import PictureFolder
from evaluation.candidate_set.comparison.writing import write_grounding_set
from evaluation.candidate_set.playing.asking import HowAsked
from evaluation.candidate_set.playing.running import candidate_set_run, material_of
from evaluation.releases.release import open_release

VOTER = Voter(name="player", model="m", base_url="http://localhost:1/v1")
Spoil = Callable[[pa.Table], pa.Table]


@pytest.fixture
def made(tmp_path: Path) -> Path:
    """A folder with two samples, each of its own picture."""
    rows = []
    for number in (1, 2):
        Image.new("RGB", (40, 30 + number), "teal").save(tmp_path / f"{number}.png")
        rows.append(
            Expression(
                name=str(number),
                picture=str(number),
                files=(f"{number}.png",),
                size=(40, 30 + number),
                context="the cup",
                words="the cup",
                boxes=(Marked(box_id="1", category=None, box=(1, 2, 3, 4)),),
                true=("1",),
                kind="single",
            )
        )
    return write_grounding_set("set", rows, PictureFolder.of(tmp_path), tmp_path / "set").folder


def rewritten(folder: Path, config: str, spoil: Spoil) -> Any:
    (path,) = (folder / "data" / config).iterdir()
    pq.write_table(spoil(pq.read_table(path)), path)
    card = folder / "README.md"  # what datasets has of the same card it takes from its cache
    card.write_text(card.read_text("utf-8").replace("content ", f"content {folder} "), "utf-8")
    return open_release(str(folder))


def run_of(folder: Path, tmp_path: Path, how: HowAsked, dialogues: int | None = None) -> Any:
    material = material_of(open_release(str(folder)), "candidate-set", dialogues, 0)
    workspace = Workspace(tmp_path / "workspace")
    return candidate_set_run(workspace, "run", material, VOTER, how, tmp_path / "pictures")


def test_what_changes_an_answer_makes_another_run(made: Path, tmp_path: Path) -> None:
    ways = [HowAsked(), HowAsked(box_format="pixels"), HowAsked(is_given=True), HowAsked(seed=1)]
    plans = [run_of(made, tmp_path, how).plan for how in ways]
    plans.append(run_of(made, tmp_path, HowAsked(), dialogues=1).plan)
    assert all(one != other for at, one in enumerate(plans) for other in plans[:at])
    assert run_of(made, tmp_path, HowAsked()).plan == plans[0]


def test_all_calls_that_there_may_be_are_foreseen(made: Path, tmp_path: Path) -> None:
    one = run_of(made, tmp_path, HowAsked())
    planned = [list(one.matches.foresee(item, "player")) for item in one.matches.items]
    assert [[call.kind for call in calls] for calls in planned] == [["single", "possible"]] * 2
    first, again = planned[0]
    assert first.sizes == again.sizes == ((40, 31),)
    assert (first.request.max_tokens, again.request.max_tokens) == (512, 2048)


def test_a_picture_that_the_release_lacks_is_named(made: Path, tmp_path: Path) -> None:
    release = rewritten(made, "images", lambda table: table.slice(0, 1))
    material = material_of(release, "candidate-set", None, 0)
    with pytest.raises(UsageError, match=r"is about picture [0-9a-f]{16}, which its images lack"):
        material.pictures(tmp_path / "pictures")


def test_answers_that_are_held_back_cannot_be_played(made: Path) -> None:
    release = rewritten(
        made,
        "candidate-set",
        lambda table: table.append_column("commitment", pa.array(["x"] * len(table))),
    )
    with pytest.raises(UsageError, match="holds back the answers of candidate-set"):
        material_of(release, "candidate-set", None, 0)
