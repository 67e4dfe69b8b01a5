"""One spelling of a split, whatever the source."""

import json
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from builders.coco.names import split_of_file
from builders.invig.sources import open_sources
from builders.splits import canonical_split, spellings, split_in

WORDS = [
    # a split as it is called, as the catalog calls it
    ("val", "validation"),
    ("valid", "validation"),
    ("Validation", "validation"),
    ("val2017", "validation"),
    ("training", "train"),
    ("testing", "test"),
    ("dev", "dev"),  # a set of its own, more often than not
    ("minival", "minival"),
    ("test-dev", "test-dev"),
    ("my split", "my split"),
    ("restval", "restval"),
]


@pytest.mark.parametrize(("word", "split"), WORDS)
def test_each_split_has_one_spelling(word: str, split: str) -> None:
    assert canonical_split(word) == split
    assert canonical_split(split) == split


NAMES = [
    ("train-00000-of-00002.parquet", "train"),
    ("deep/train/train-1.parquet", "train"),  # said twice, and the same
    ("validation/val2.parquet", "validation"),
    ("train_val.json", None),
    ("valley.json", None),
]


@pytest.mark.parametrize(("name", "split"), NAMES)
def test_a_name_says_its_split(name: str, split: str | None) -> None:
    found = split_in(name)
    assert (None if found is None else found.name) == split


def test_folders_of_a_split_may_have_any_of_its_names() -> None:
    assert spellings("validation") == ("validation", "val", "valid")
    assert spellings("dev") == ("dev",)


@pytest.mark.parametrize("word", ["val", "valid", "validation"])
def test_sources_say_the_same_of_one_name(tmp_path: Path, word: str) -> None:
    path = tmp_path / f"{word}.json"
    path.write_text(json.dumps([{}]))
    shard = tmp_path / "shards" / f"{word}-00000-of-00001.parquet"
    shard.parent.mkdir()
    pq.write_table(pa.table({"x": [1]}), shard)
    found = split_of_file(path)
    assert found is not None
    assert found.name == "validation"
    assert [rows.split for rows in open_sources([path, shard.parent], None)] == ["validation"] * 2
    for asked in ("val", "validation"):  # either word picks it
        (rows,) = open_sources([shard.parent], asked)
        assert rows.split == "validation"
