"""Pictures as they go out."""

import hashlib
import io
import random

import pytest
from PIL import Image

from benchwright.errors import LostPicture
from benchwright.workspace import Workspace
from exports.canary import COLUMN, canary_of, with_canary
from exports.contents import images
from exports.contents.images import image_tables
from exports.contents.vocabulary import vocabulary_table
from labeling.attributes.vocabulary.vocabulary import load_vocabulary
from stand_ins.whole_workspace import pictures_of


def test_each_picture_once_with_its_bytes_in_the_order_given(whole: Workspace) -> None:
    items = pictures_of(whole)
    random.Random(0).shuffle(items)
    rows = [row for table in image_tables(whole, items) for row in table.to_pylist()]
    assert [row["image_id"] for row in rows] == [item.image_id for item in items]
    for row, item in zip(rows, items, strict=True):
        data = row["image"]["bytes"]
        assert hashlib.sha256(data).hexdigest() == row["sha256"]
        assert row["source_sha256"] == item.sha256
        assert row["image"]["path"] == f"{item.image_id}.png"
        with Image.open(io.BytesIO(data)) as image:
            assert image.size == (item.width, item.height) == (row["width"], row["height"])
        assert (row["source"], row["source_id"]) == (item.source, item.source_id)
        assert (row["source_split"], row["title"]) == (item.split, item.title)


def test_a_table_holds_so_many_bytes(whole: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    items = pictures_of(whole)
    (whole_table,) = image_tables(whole, items)
    monkeypatch.setattr(images, "_BATCH_BYTES", 300)
    tables = list(image_tables(whole, items))
    assert len(tables) > 5
    assert [row for table in tables for row in table.to_pylist()] == whole_table.to_pylist()


@pytest.mark.parametrize("change", ["gone", "another"])
def test_a_picture_that_is_not_the_one_of_the_catalog(change: str, whole: Workspace) -> None:
    items = pictures_of(whole)
    path = whole.images / str(items[4].image)
    if change == "gone":
        path.unlink()
    else:
        path.write_bytes((whole.images / str(items[5].image)).read_bytes())
    with pytest.raises(LostPicture, match=path.name):
        list(image_tables(whole, items))


def test_a_canary_is_that_of_its_release_in_every_row(whole: Workspace) -> None:
    assert canary_of("things") == canary_of("things") != canary_of("other-things")
    # published ones must stay the same for ever
    assert canary_of("things") == "benchwright canary 36310ace-8571-5969-99aa-920aae3bc1c9"
    table = vocabulary_table(load_vocabulary(whole.vocabulary))
    assert set(with_canary(table, "c")[COLUMN].to_pylist()) == {"c"}
    assert not with_canary(table, "c").schema.field(COLUMN).nullable
