"""What names of files say."""

from pathlib import Path

import pytest

from builders.coco.names import common_folders, picture_name, split_of_file

SPLITS = [
    ("instances_train2017.json", "train"),
    ("instances_val2014.json", "validation"),
    ("image_info_test-dev2017.json", "test-dev"),  # not test
    ("image_info_test2017.json", "test"),
    ("person_keypoints_val.json", "validation"),
    ("lvis_v1_train.json", "train"),
    ("instances_minival2014.json", "minival"),
    ("instances_valminusminival2014.json", "valminusminival"),
    ("train/_annotations.coco.json", "train"),  # Roboflow: the folder says it
    ("valid/_annotations.coco.json", "validation"),
    ("test/_annotations.coco.json", "test"),
    ("x/instances_default.json", None),  # CVAT
    ("x/annotations.json", None),
    ("x/train_val.json", None),  # of both
    ("x/training_data.json", "train"),
    ("x/retrained_valley.json", None),  # parts of words are no splits
    ("x/Validation.json", "validation"),
    ("train/instances_val.json", "validation"),  # the name goes before the folder
]


@pytest.mark.parametrize(("path", "split"), SPLITS)
def test_splits(path: str, split: str | None) -> None:
    found = split_of_file(Path("/data/coco") / path)
    assert (None if found is None else found.name) == split


NAMES = [
    # name, parts, absolute, climbs
    ("a.jpg", ["a.jpg"], False, False),
    ("./x//a.jpg", ["x", "a.jpg"], False, False),
    ("x\\y\\a.jpg", ["x", "y", "a.jpg"], False, False),
    ("C:\\x\\a.jpg", ["x", "a.jpg"], True, False),
    ("C:a.jpg", ["C:a.jpg"], False, False),
    ("\\\\server\\share\\a.jpg", ["server", "share", "a.jpg"], True, False),
    ("/home/me/a.jpg", ["home", "me", "a.jpg"], True, False),
    ("../a.jpg", ["..", "a.jpg"], False, True),
    ("x\\..\\..\\a.jpg", ["x", "..", "..", "a.jpg"], False, True),
    ("http://host/x/a%20b.jpg?y=1#z", ["x", "a b.jpg"], True, False),
    ("https://host/%2e%2e/a.jpg", ["..", "a.jpg"], True, True),
    ("cafe\u0301.jpg", ["caf\u00e9.jpg"], False, False),  # one spelling
    (" a.jpg ", ["a.jpg"], False, False),
]


@pytest.mark.parametrize(("name", "parts", "absolute", "climbs"), NAMES)
def test_names(name: str, parts: list[str], absolute: bool, climbs: bool) -> None:
    found = picture_name(name)
    assert found is not None
    assert list(found.parts) == parts
    assert (found.is_absolute, found.climbs) == (absolute, climbs)


@pytest.mark.parametrize("name", ["", " ", "/", "a\0b", None, 3, ["a.jpg"], "http://host", "."])
def test_what_names_no_file(name: object) -> None:
    assert picture_name(name) is None


FOLDERS = [
    (["train2017/a", "train2017/b"], 1),
    (["/x/coco/t/a", "/x/coco/t/b", "/x/coco/t/c"], 3),
    (["cam1/a", "cam2/a"], 0),
    (["x/cam1/a", "x/cam2/a"], 1),
    (["x/a", "b"], 0),
    (["x/y/a"], 2),
    ([], 0),
]


@pytest.mark.parametrize(("names", "count"), FOLDERS)
def test_folders_that_all_names_share(names: list[str], count: int) -> None:
    found = [picture_name(name) for name in names]
    assert common_folders([one for one in found if one is not None]) == count
