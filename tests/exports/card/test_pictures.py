"""The pictures of a card: what they show, of whom, and that they are the same each time."""

import io
import re
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from benchwright.records import Episode
from benchwright.workspace import Workspace
from exports.card.drawing import Panel, panels
from exports.card.facts import Facts
from exports.card.samples import drawable, sample_false_premise, sample_gallery, sample_turns
from stand_ins.dialogues import candidate_set, spoken_about
from stand_ins.false_premises import false_premises

RED = (200, 40, 50)
_BUILD = (
    "import sys; from benchwright.workspace import Workspace\n"
    "from exports.building.build import build_release\n"
    "from exports.building.settings import ReleaseSettings; from exports.names import Version\n"
    "from pathlib import Path\n"
    "build_release(Workspace(Path(sys.argv[1])), 'again', Version(1, 0, 0), ReleaseSettings())\n"
)


def is_near(one: Any, other: tuple[int, ...], most: int = 60) -> bool:
    """Tell whether a pixel has a colour; JPEG changes it a little."""
    return all(abs(a - b) <= most for a, b in zip(one, other, strict=True))


@pytest.mark.parametrize(
    ("made", "names"),
    [
        (
            "drawn",
            {
                *("gallery-tau-0.5.jpg", "gallery-tau-0.7.jpg"),
                *("sizes-tau-0.5.png", "sizes-tau-0.7.png"),
            },
        ),
        ("spoken", {"candidate-set.jpg", "false-premise.jpg", "question-chain.jpg"}),
    ],
)
def test_all_that_are_there_are_shown(
    made: str, names: set[str], build: Any, request: pytest.FixtureRequest
) -> None:
    card = build(request.getfixturevalue(made))
    there = {path.name: path for path in (card.folder / "pictures").iterdir()}
    assert set(there) == names
    assert set(re.findall(r"!\[[^\]]+\]\(pictures/([^)]+)\)", card.body)) == names
    for path in there.values():
        assert path.stat().st_size < 300_000
        with Image.open(path) as picture:
            assert not picture.getexif()
            assert picture.width < 2_000


def test_another_process_makes_the_same_bytes(spoken: Workspace, build: Any) -> None:
    card = build(spoken, name="again")
    held = {
        path.relative_to(card.folder): path.read_bytes()
        for path in card.folder.rglob("*")
        if path.is_file()
    }
    card.folder.rename(card.folder.with_name("first"))
    subprocess.run(
        [sys.executable, "-c", _BUILD, spoken.root],
        env={
            "PYTHONPATH": str(Path.cwd()),
            "PYTHONHASHSEED": "7",
            "TZ": "Asia/Kolkata",
            "PATH": "/usr/bin:/bin",
        },
        check=True,
    )
    again = {path: (card.folder / path).read_bytes() for path in held}
    assert again == held


def test_held_back_answers_are_not_shown(
    drawn: Workspace, spoken: Workspace, build: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BENCHWRIGHT_ANSWER_KEY", "k" * 32)
    card = build(drawn, private_answers=True)
    assert "the target is #" not in card.text
    with Image.open(card.folder / "pictures" / "gallery-tau-0.5.jpg") as sheet:
        assert not has_outline(sheet)
    with Image.open(build(drawn, name="open").folder / "pictures/gallery-tau-0.5.jpg") as sheet:
        assert has_outline(sheet)
    card = build(spoken, private_answers=True)
    assert "it is on show" not in card.text
    with Image.open(card.folder / "pictures" / "candidate-set.jpg") as sheet:
        assert sheet.width < 500  # one panel, no turns


def has_outline(sheet: Image.Image) -> bool:
    """Tell whether a column of the sheet has the red of a frame over the height of a tile."""
    for x in range(sheet.width):
        column = [sheet.getpixel((x, y)) for y in range(10, 240)]
        if sum(is_near(pixel, RED) for pixel in column) > 200:
            return True
    return False


def test_boxes_are_drawn_where_they_are() -> None:
    picture = Image.new("RGB", (800, 400), (0, 0, 255))
    panel = Panel(heading="x", marked=[(200.0, 100.0, 400.0, 200.0)])
    with Image.open(io.BytesIO(panels(picture, [panel, Panel(heading="y")], 400))) as sheet:
        assert sheet.size == (2 * 410 + 10, 200 + 22 + 20)
        inside = (10 + 200, 10 + 22 + 100)
        assert is_near(sheet.getpixel(inside), (0, 0, 255))
        assert is_near(sheet.getpixel((10 + 101, inside[1])), RED)
        assert is_near(sheet.getpixel((410 + 10 + 101, inside[1])), (0, 0, 255))


@pytest.mark.parametrize(
    "box",
    [
        # all of it, a point, none of it, one that leaves the picture
        *((0.0, 0.0, 100.0, 80.0), (50.0, 40.0, 0.0, 0.0)),
        *((500.0, 500.0, 20.0, 20.0), (90.0, 70.0, 900.0, 900.0)),
    ],
)
def test_any_box_can_be_drawn(box: tuple[float, float, float, float]) -> None:
    assert panels(Image.new("L", (100, 80)), [Panel(heading="", marked=[box])], 50)


@pytest.mark.parametrize(
    ("licence", "is_drawn"),
    [
        *(("CC BY 4.0", True), (None, True), ("ask me", True)),
        # no derivatives
        *(("CC BY-ND 4.0", False), ("CC BY-NC-ND 2.0", False)),
    ],
)
def test_what_may_be_changed(
    licence: str | None, is_drawn: bool, facts: Callable[..., Facts]
) -> None:
    item = spoken_about("d1", licence=licence)
    records = {
        "false-premise": [replace(one, image_id=item.image_id) for one in false_premises()],
        "candidate-set": [candidate_set(1)],
    }
    held = facts(items=[item], records=records)
    assert drawable(held) == ({item.image_id} if is_drawn else set())
    assert (sample_false_premise(held) is not None) == is_drawn
    assert bool(sample_turns(held)) == is_drawn


def test_no_gallery_is_shown_of_which_one_picture_may_not_be(facts: Callable[..., Facts]) -> None:
    episode = _episode()
    items = [spoken_about(f"d{at}") for at in range(2)]
    config = "hidden-target-tau-0.6"
    assert sample_gallery(facts(items=items, records={config: [episode]}), config) == episode
    items[1] = replace(items[1], licence="CC BY-ND 4.0")
    assert sample_gallery(facts(items=items, records={config: [episode]}), config) is None


def _episode() -> Episode:
    ids = tuple(spoken_about(f"d{at}").image_id for at in range(2))
    return Episode(
        episode_id="e",
        tau=0.6,
        target_id=ids[0],
        target_index=1,
        image_ids=ids,
        similarities=(1.0, 0.6),
        pool_size=1,
        telling_values=(),
        identifiable=True,
        identifiable_protocol=True,
        par=1,
        par_protocol=1,
        seed=0,
    )
