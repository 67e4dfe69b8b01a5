"""Whatever stands in a file, it is read, accounted for or refused in one line."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from PIL import Image

from benchwright.errors import UsageError

JUNK = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-3, 3),
    st.sampled_from([2**70, -1, 1e308, float("nan"), float("inf"), 0.5, 1.0, 9, 12]),
    st.sampled_from(["", " ", "1", "a.png", "../a.png", "/a.png", "\ud800", "x\0y", "val", "cat"]),
    st.sampled_from(
        [[], {}, [[]], [1], [1, 1, 3, 3], [[1, 1, 5, 1, 5, 5]], {"size": [9, 9], "counts": [81]}]
    ),
    st.sampled_from([[{"id": 1, "category_id": 1, "bbox": [1, 1, 2, 2]}, 3], ["a", 1], [None]]),
)


def records(*names: str) -> st.SearchStrategy[Any]:
    plain = st.fixed_dictionaries({}, optional=dict.fromkeys(names, JUNK))
    return st.lists(plain | JUNK, max_size=5)


SOUND_PICTURE = {"id": 1, "file_name": "a.png", "width": 9, "height": 9}
FILES = st.fixed_dictionaries(
    {
        "images": records(
            "id", "file_name", "width", "height", "license", "split", "coco_url", "attribute_ids"
        ).map(lambda found: [*found, SOUND_PICTURE])
    },
    optional={
        "annotations": records(
            "id", "image_id", "category_id", "bbox", "segmentation", "area", "iscrowd", "caption",
            "attributes", "attribute_ids", "segments_info", "keypoints",
        ),
        "categories": records("id", "name", "supercategory"),
        "licenses": records("id", "name", "url"),
        "attributes": records("id", "name", "supercategory"),
        "info": JUNK,
    },
)  # fmt: skip


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60)
@given(made=st.lists(FILES, min_size=1, max_size=2, unique_by=json.dumps))
def test_any_file_is_survived(made: list[Any], tmp_path: Path, build: Callable[..., Any]) -> None:
    Image.new("RGB", (9, 9)).save(tmp_path / "a.png")
    names = ("instances_val.json", "captions.json")
    paths = [tmp_path / name for name, _ in zip(names, made, strict=False)]
    for path, data in zip(paths, made, strict=True):
        path.write_text(json.dumps(data))
    bytes_of = []
    for order in (paths, paths[::-1]):
        try:
            # the build checks that its account adds up, and the fixture that of the pictures
            found = build(*order, keep_going=True, force=True)
        except UsageError as error:
            assert "\n" not in str(error)  # noqa: PT017
            bytes_of.append(str(error))
            continue
        bytes_of.append(found.bytes)
        for item in found.items:
            for thing in item.objects:
                x, y, wide, high = thing.bbox
                assert x >= 0 <= y
                assert wide > 0 < high
                assert x + wide <= 9 >= y + high
            assert len({thing.object_id for thing in item.objects}) == len(item.objects)
        read = sum(len(data.get("annotations") or []) for data in made)
        lost = sum(reject.kind != "picture" for reject in found.rejects)
        assert len(found.objects) + len(found.captions) + lost <= 3 * read + 3
    assert bytes_of[0] == bytes_of[1]
