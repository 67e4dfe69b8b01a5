"""References to COCO pictures become expressions, or say why not."""

import json
import pickle
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pytest

from benchwright.errors import SourceError, UsageError
from evaluation.candidate_set.comparison.coco_refs import grefcoco, refcocog
from evaluation.candidate_set.comparison.expressions import Expression, Marked, Unused
from stand_ins.grounding.coco_files import FIRST, reference, sentence

Write = Callable[[Iterable[Any]], Path]


def test_an_expression_means_one_object(instances: Path, tmp_path: Path) -> None:
    """From a pickle, as the set is given away."""
    refs = tmp_path / "refs(umd).p"
    two = [sentence(10, "the left cup"), sentence(11, "a cup on the left")]
    rows = [reference(1, sentences=two), reference(2, split="train")]
    refs.write_bytes(pickle.dumps(rows, 2))
    first, second = refcocog(refs, instances, "test")
    assert first == Expression(
        name="1-10",
        picture="110",
        files=(FIRST, "000000000110.jpg"),
        size=(64, 48),
        context="the left cup",
        words="the left cup",
        boxes=(
            Marked(box_id="1", category="cup", box=(1.5, 2.0, 10.0, 20.0)),
            Marked(box_id="2", category="cup", box=(30.0, 2.0, 10.0, 20.25)),
            Marked(box_id="3", category="person", box=(50.0, 40.0, 20.0, 20.0)),
            Marked(box_id="5", category="cup", box=(5.0, 5.0, 10.0, 0.0)),
        ),
        true=("1",),
        kind="single",
    )
    assert isinstance(second, Expression)
    assert (second.name, second.words) == ("1-11", "a cup on the left")


@pytest.mark.parametrize(
    ("ann_id", "true"),
    [
        # one, several, none
        ([1], ("1",)),
        ([2, 1, 2], ("2", "1")),
        ([-1], ()),
        # as text; not a list; a crowd that is meant
        (["1"], ("1",)),
        (2, ("2",)),
        ([4], ("4",)),
    ],
)
def test_a_set_may_be_of_any_size(
    ann_id: Any, true: tuple[str, ...], instances: Path, written: Write
) -> None:
    (found,) = grefcoco(written([reference(1, ann_id=ann_id)]), instances, "test")
    assert isinstance(found, Expression)
    assert (found.true, found.kind) == (true, "set")
    assert set(true) <= {box.box_id for box in found.boxes}


@pytest.mark.parametrize(
    ("row", "reason"),
    [
        ({"ann_id": 99}, "instances.json lacks an object that it means"),
        ({"ann_id": 6}, "instances.json lacks an object that it means"),  # of another picture
        ({"ann_id": 8}, "instances.json lacks an object that it means"),  # broken there
        ({"image_id": 9}, "instances.json lacks its picture"),
        ({"ann_id": [1, 2]}, "it does not mean one object"),
        ({"ann_id": [-1]}, "it does not mean one object"),
        ({"sentences": [{"sent_id": 1, "sent": " ", "raw": ""}]}, "it says nothing"),
        ({"sentences": "none"}, "it is no reference"),
        ({"ann_id": None}, "it is no reference"),
    ],
)
def test_what_cannot_be_used_says_why(
    row: dict[str, Any], reason: str, instances: Path, written: Write
) -> None:
    (found,) = refcocog(written([reference(1, **row)]), instances, "test")
    assert isinstance(found, Unused)
    assert found.reason == reason


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"{}", "wanted a list of references, got dict"),
        (b"[1, 2", "broken JSON"),
        (b"cos\nsystem\n(S'true'\ntR.", r"does more than hold values \(GLOBAL\)"),
    ],
)
def test_a_file_that_is_none_is_refused(
    data: bytes, said: str, instances: Path, tmp_path: Path
) -> None:
    path = tmp_path / "refs"
    path.write_bytes(data)
    with pytest.raises(SourceError, match=said):
        list(refcocog(path, instances, "test"))


def test_a_split_that_is_not_there_is_refused(instances: Path, written: Write) -> None:
    with pytest.raises(UsageError, match="has no split val, only test"):
        list(refcocog(written([reference(1)]), instances, "val"))


@pytest.mark.parametrize("text", ["[]", "{", json.dumps({"images": []})])
def test_instances_that_are_none_are_refused(text: str, tmp_path: Path, written: Write) -> None:
    path = tmp_path / "instances.json"
    path.write_text(text, "utf-8")
    with pytest.raises(SourceError, match=r"wanted COCO's instances\.json"):
        list(refcocog(written([reference(1)]), path, "test"))
