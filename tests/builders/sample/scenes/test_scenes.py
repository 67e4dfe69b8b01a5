"""Scenes of the built-in sample: what is drawn is where the boxes say, and what is said is true."""

from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from benchwright.boxes import area, contained, iou
from benchwright.errors import UsageError
from benchwright.records import Dialogue, Item
from benchwright.workspace import Workspace
from builders.catalog import iterate_items
from builders.commands.sample import sample
from builders.complexity import LEVELS, GridRules, complexity_of
from builders.sample.scenes.build import build_scenes
from builders.sample.scenes.casting import FEWEST, MOST, Scene, sample_scenes
from builders.sample.scenes.drawing import HEIGHT, draw_scene
from builders.sample.scenes.talk import caption_of, dialogue_of, print_of

N = 12


@pytest.fixture(scope="module")
def workspace(tmp_path_factory: pytest.TempPathFactory) -> Workspace:
    found = Workspace(tmp_path_factory.mktemp("scenes"))
    build_scenes(found, n=N, seed=5, workers=1)
    return found


@pytest.fixture(scope="module")
def items(workspace: Workspace) -> dict[str, Item]:
    return {item.source_id: item for item in iterate_items(workspace)}


def test_a_box_for_each_woman_with_what_she_wears(items: dict[str, Item]) -> None:
    for index, scene in enumerate(sample_scenes(N, 5)):
        item = items[f"5-{index:06d}"]
        assert item.height == HEIGHT
        assert [one.category for one in item.objects] == ["woman"] * len(scene.garments)
        for garment, woman in zip(scene.garments, item.objects, strict=True):
            assert tuple((a.type, a.value) for a in woman.attributes) == garment.values
            x, y, wide, high = woman.bbox
            assert 0 <= x < x + wide <= (item.width or 0)
            assert 0 <= y < y + high <= HEIGHT
            assert woman.area == area(woman.bbox)
        lefts = [one.bbox[0] for one in item.objects]
        assert lefts == sorted(lefts)


def test_the_three_levels_of_the_grid_take_turns(items: dict[str, Item]) -> None:
    for index in range(N):
        item = items[f"5-{index:06d}"]
        size = item.width or 0, item.height or 0
        assert complexity_of(item.objects, size, GridRules()) == LEVELS[index % 3]
        assert any(one.is_occluded for one in item.objects) == (index % 3 == 2)
        assert len(item.objects) == 1 if index % 3 == 0 else FEWEST <= len(item.objects) <= MOST


def test_boxes_hold_what_was_drawn_and_no_more() -> None:
    scene = next(one for one in sample_scenes(3, 0) if not one.is_close and len(one.garments) > 1)
    drawn = draw_scene(scene)
    pixels = np.asarray(drawn.image, np.int16)
    for at, (x, y, wide, high) in enumerate(drawn.boxes):
        left, top, right, bottom = round(x), round(y), round(x + wide), round(y + high)
        # the wall has one colour but for its grain: the row over a box shows nothing else
        wall = np.median(pixels[:10].reshape(-1, 3), axis=0)
        over = np.abs(pixels[top - 3, left:right] - wall).max()
        within = np.abs(pixels[top + 2, left:right] - wall).max()
        assert over < 20 < within, at
        assert bottom <= HEIGHT
    for one in drawn.boxes:
        assert all(iou(one, other) == 0 or one == other for other in drawn.boxes)


def test_who_stand_close_hide_each_other() -> None:
    scene = next(one for one in sample_scenes(3, 0) if one.is_close)
    boxes = draw_scene(scene).boxes
    for one, other in pairwise(boxes):
        assert max(contained(one, other), contained(other, one)) > 0.2


def fitting(scene: Scene, dialogue: Dialogue) -> list[list[int]]:
    """Return the places of the women who fit what was said up to each human line."""
    left = list(range(len(scene.garments)))
    steps = []
    lines = [one.text for one in dialogue.utterances]
    for at in range(0, len(lines), 2):
        asked, said = lines[at - 1] if at else "", lines[at].removesuffix(".")
        if not at:
            left = [n for n in left if f" {scene.garments[n].value('colour')} dress" in said]
        elif "print" in asked:
            left = [n for n in left if print_of(scene.garments[n]) == said]
        elif "long" in asked:
            words = {"short": "mini", "knee-length": "knee", "floor-length": "maxi"}
            left = [
                n
                for n in left
                if scene.garments[n].value("garment length") == words.get(said, said)
            ]
        elif "sleeves" in asked:
            kinds = {"no": "sleeveless", "short": "short", "sleeves": "elbow", "long": "long"}
            value = kinds[said.split()[0]]
            left = [n for n in left if scene.garments[n].value("sleeve length") == value]
        else:
            numbers = ("first", "second", "third", "fourth", "fifth", "sixth")
            left = [numbers.index(said.split()[1])]
        steps.append(left)
    return steps


def test_dialogues_narrow_several_down_to_the_one_who_is_meant() -> None:
    for scene in sample_scenes(60, 1):
        boxes = [(float(n), 0.0, 1.0, 1.0) for n in range(len(scene.garments))]
        dialogue = dialogue_of(scene, "d", boxes)
        if len(scene.garments) == 1:
            assert dialogue is None
            continue
        assert dialogue is not None
        assert dialogue.target_box is not None
        steps = fitting(scene, dialogue)
        assert len(steps[0]) > 1
        assert [len(one) for one in steps] == sorted((len(one) for one in steps), reverse=True)
        assert steps[-1] == [int(dialogue.target_box[0])]
        assert all(len(one) > 1 for one in steps[:-1])
        speakers = [one.speaker for one in dialogue.utterances]
        assert speakers == ["human", "agent"] * (len(steps) - 1) + ["human"]


def test_captions_say_what_is_worn() -> None:
    for scene in sample_scenes(9, 2):
        caption = caption_of(scene)
        places = [caption.find(f"{print_of(one)} {one.value('colour')}") for one in scene.garments]
        assert min(places) >= 0
        assert caption.count("dress") == len(scene.garments)


def test_the_same_bytes_from_any_number_of_workers(workspace: Workspace, tmp_path: Path) -> None:
    other = Workspace(tmp_path)
    assert build_scenes(other, n=N, seed=5, workers=2).is_new
    assert not build_scenes(other, n=N, seed=5).is_new

    def data(one: Workspace) -> dict[str, bytes]:
        paths = [*one.catalog.glob("*.parquet"), *one.images.glob("*/*")]
        return {path.name: path.read_bytes() for path in paths}

    assert data(workspace) == data(other)


def test_a_longer_sample_begins_with_a_shorter_one() -> None:
    assert sample_scenes(7, 3)[:4] == sample_scenes(4, 3)
    assert sample_scenes(4, 3) != sample_scenes(4, 4)


@pytest.mark.parametrize(
    ("options", "named"),
    [
        (["--scenes", "3", "--n", "5"], "--n"),  # two ways to say how many
        (["--scenes", "3", "--degraded"], "--degraded"),
        (["--scenes", "3", "--n", "600"], "--n"),  # also the number that is the default
    ],
)
def test_what_is_for_single_dresses_is_refused(
    options: list[str], named: str, tmp_path: Path
) -> None:
    found = CliRunner().invoke(sample, [*options, "--workspace", str(tmp_path)])
    assert isinstance(found.exception, UsageError)
    assert named in str(found.exception)


def test_no_scene_at_all(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="the least is 1"):
        build_scenes(Workspace(tmp_path), n=0)
