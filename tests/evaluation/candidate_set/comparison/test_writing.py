"""A grounding set becomes a folder that is loaded and played like a release."""

import csv
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from benchwright.records import CandidateSet
from evaluation.releases.records import read_records
from evaluation.releases.release import open_release
from stand_ins.grounding.coco_files import reference, sentence
from stand_ins.grounding.models import onlookers_behind

Write = Callable[[Iterable[Any]], Path]
Run = Callable[..., Any]

ROWS = [
    reference(1, ann_id=[1], sentences=[sentence(1, "the left cup"), sentence(2, "cup one")]),
    reference(2, ann_id=[1, 3], sentences=[sentence(3, "cup and person")]),
    reference(3, ann_id=[-1], sentences=[sentence(4, "a green dog")]),
    reference(4, ann_id=[6], image_id=111, sentences=[sentence(5, "the one here")]),
    # an object without height, a picture that is not there, an id that comes twice
    reference(5, ann_id=[5], sentences=[sentence(6, "the flat cup")]),
    reference(6, ann_id=[7], image_id=112, sentences=[sentence(7, "what nobody sees")]),
    reference(1, ann_id=[2], sentences=[sentence(1, "again")]),
    reference(7, split="train"),
]


@pytest.fixture
def command(written: Write, instances: Path, images: Path, tmp_path: Path) -> list[Any]:
    out = tmp_path / "sets" / "grefcoco"
    split = ("--split", "test", "--images", images, "--out", out)
    return ["run-benchmark", "grounding-set", "grefcoco", written(ROWS), instances, *split]


def test_what_is_made_is_said(command: list[Any], run: Run) -> None:
    ran = run(*command)
    assert ran.code == 0, ran.err
    out = command[-1]
    assert ran.out.splitlines() == [
        "grefcoco: 5 samples, 4 of a set, 1 of nothing; 2 pictures",
        "left out: 3 (its box has no area in the picture: 1; its picture is not there: 1;"
        f" its id comes twice: 1); {out / 'unused.csv'} names them",
        f"next: run-benchmark {out} --model NAME --base-url URL",
    ]
    with (out / "unused.csv").open(encoding="utf-8", newline="") as stream:
        assert [row["id"] for row in csv.DictReader(stream)] == ["5-6", "6-7", "1-1"]


def test_no_spreadsheet_runs_an_id(written: Write, command: list[Any], run: Run) -> None:
    formula = '=HYPERLINK("http://x.example")'
    rows = [*ROWS, reference(formula, ann_id=[5], sentences=[sentence(8, "the flat cup")])]
    command[3] = written(rows)
    assert run(*command).code == 0
    with (command[-1] / "unused.csv").open(encoding="utf-8", newline="") as stream:
        assert f"'{formula}-8" in [row["id"] for row in csv.DictReader(stream)]


def test_it_is_read_like_a_release(command: list[Any], run: Run, images: Path) -> None:
    assert run(*command).code == 0
    release = open_release(str(command[-1]))
    assert release.configs == ("candidate-set", "images")
    samples = read_records(release, "candidate-set", CandidateSet)
    assert [(one.dialogue_id, one.candidate_ids, one.kind) for one in samples] == [
        ("grefcoco-1-1", ("1",), "set"),
        ("grefcoco-1-2", ("1",), "set"),
        ("grefcoco-2-3", ("1", "3"), "set"),
        ("grefcoco-3-4", (), "set"),
        ("grefcoco-4-5", ("6",), "set"),
    ]
    # the crowd is no box, that which reaches over the edge ends there, the flat one is none
    assert [(box.box_id, box.category, box.bbox) for box in samples[0].boxes] == [
        ("1", "cup", (1.5, 2.0, 10.0, 20.0)),
        ("2", "cup", (30.0, 2.0, 10.0, 20.25)),
        ("3", "person", (50.0, 40.0, 14.0, 8.0)),
    ]
    rows = release.rows("images")
    assert [(row["width"], row["height"]) for row in rows] == [(64, 48), (30, 40)]
    assert set(rows["image_id"]) == {one.image_id for one in samples}
    assert rows[1]["image"].getpixel((0, 0))[2] > 100  # navy


def test_it_is_played_like_a_release(command: list[Any], run: Run, tmp_path: Path) -> None:
    assert run(*command).code == 0
    samples = read_records(open_release(str(command[-1])), "candidate-set", CandidateSet)
    sizes = {one.image_id: (64, 48) for one in samples} | {samples[-1].image_id: (30, 40)}
    workspace = tmp_path / "workspace"
    with onlookers_behind(samples, sizes) as server:
        ran = run(
            *("run-benchmark", command[-1], "--model", "thousandths", "--no-probe"),
            *("--base-url", server.base_url, "--workspace", workspace),
        )
    assert ran.code == 0, ran.err
    assert "read as: json 4, none 1" in ran.out
    assert (workspace / "runs" / "thousandths.candidate-set.sets-grefcoco").is_dir()


def test_the_same_files_give_the_same_bytes(command: list[Any], run: Run, tmp_path: Path) -> None:
    assert run(*command).code == 0
    other = tmp_path / "elsewhere"
    assert run(*command[:-1], other).code == 0
    first, second = (
        {
            path.relative_to(folder): path.read_bytes()
            for path in folder.rglob("*")
            if path.is_file()
        }
        for folder in (command[-1], other)
    )
    assert first == second
    assert len(first) == 4


def test_a_folder_that_is_there_is_left_alone(command: list[Any], run: Run) -> None:
    command[-1].mkdir(parents=True)
    (command[-1] / "mine.txt").write_text("mine", "utf-8")
    ran = run(*command)
    assert ran.code == 1
    assert "is there already; choose another --out" in ran.err
    assert [path.name for path in command[-1].iterdir()] == ["mine.txt"]


def test_a_set_without_pictures_is_refused_and_leaves_nothing(
    command: list[Any], run: Run, tmp_path: Path
) -> None:
    (tmp_path / "nothing").mkdir()
    ran = run(*command[:-3], tmp_path / "nothing", *command[-2:])
    assert ran.code == 1
    assert "no row can be used: its picture is not there 7" in ran.err
    assert list(command[-1].parent.iterdir()) == []


@pytest.mark.parametrize(
    ("spoil", "reason"),
    [
        ("size", "its picture has another size than the annotations say"),
        ("twice", "several pictures are called so"),
        ("broken", "its picture cannot be read (broken)"),
        ("html", "its picture cannot be read (html)"),
    ],
)
def test_a_picture_that_will_not_do_is_counted(
    spoil: str, reason: str, command: list[Any], run: Run, images: Path
) -> None:
    path = images / "000000000111.jpg"
    if spoil == "size":
        Image.new("RGB", (40, 30)).save(path)
    elif spoil == "twice":
        (images / "more").mkdir()
        (images / "more" / path.name).write_bytes(path.read_bytes())
    elif spoil == "broken":
        path.write_bytes(path.read_bytes()[:300])
    else:
        path.write_text("<html>", "utf-8")
    ran = run(*command)
    assert ran.code == 0
    assert f"{reason}: 1" in ran.out
