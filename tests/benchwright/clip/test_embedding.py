"""Embeddings are made once, by batches, stored under all that changes them, and found again."""

import hashlib
import sqlite3
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from benchwright.asking.requests import PicturePart, View
from benchwright.asking.views import source_of
from benchwright.clip.embedding import ViewOfPicture, embed_views
from benchwright.clip.shown_pixels import ShownPixels
from benchwright.clip.store import EmbeddingStore, key_of
from benchwright.errors import LostPicture, UsageError, WorkspaceError
from stand_ins.embedding import ColourEmbedder


def shown(number: int, view: View | None = None) -> ViewOfPicture:
    def pixels() -> Image.Image:
        return Image.new("RGB", (20, 20), (number * 9 % 256, 30, 200))

    return ViewOfPicture(sha256=f"{number:064x}", pixels=pixels, view=view or View())


@pytest.fixture
def store(tmp_path: Path) -> EmbeddingStore:
    return EmbeddingStore(tmp_path / "embeddings.sqlite", "a" * 64, "one")


def test_each_is_made_once_and_the_order_is_kept(store: EmbeddingStore) -> None:
    embedder = ColourEmbedder(batch=4)
    views = [shown(number) for number in (5, 3, 5, 9, 1, 7, 3)]
    vectors = embed_views(views, embedder, store)
    assert vectors.dtype == np.float32
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-6)
    assert embedder.batches == [4, 1]  # five different ones
    for at, one in enumerate(views):
        assert (vectors[at] == ColourEmbedder().pictures([one.pixels()])[0]).all()
    again = embed_views(views[::-1], embedder, store)
    assert (again[::-1] == vectors).all()
    assert embedder.batches == [4, 1]
    assert embed_views([], embedder, store).shape[0] == 0


def test_a_run_that_breaks_goes_on_where_it_was(store: EmbeddingStore) -> None:
    def broken() -> Image.Image:
        raise LostPicture(Path("x.png"), "is gone")

    views = [
        *(shown(number) for number in range(10)),
        ViewOfPicture(sha256="f" * 64, pixels=broken),
    ]
    embedder = ColourEmbedder(batch=4)
    with pytest.raises(LostPicture, match="is gone"):
        embed_views(views, embedder, store)
    assert embedder.batches == [4, 4]
    embed_views(views[:-1], embedder, store)
    assert embedder.batches == [4, 4, 2]


def test_one_picture_at_a_time_is_in_memory(store: EmbeddingStore) -> None:
    alive = []

    class Counting(ColourEmbedder):
        def pictures(self, images):  # type: ignore[no-untyped-def,override]
            rows = []
            for image in images:
                alive.append(image)
                rows.append(super().pictures([image])[0])
                alive.pop()
                assert not alive
            return np.stack(rows)

    embed_views([shown(number) for number in range(6)], Counting(), store)


def test_what_changes_an_embedding_is_the_key(tmp_path: Path) -> None:
    path = tmp_path / "embeddings.sqlite"
    embedder = ColourEmbedder()
    views = [
        View(),
        View(long_side=10),
        View(long_side=11),
        View(crop=(0, 0, 5, 5)),
        View(crop=(0, 0, 5, 6)),
        View(outline=(0, 0, 5, 5)),
    ]
    assert len({key_of("a" * 64, view) for view in views}) == len(views)
    with EmbeddingStore(path, "a" * 64, "one") as store:
        embed_views([shown(1, view) for view in views], embedder, store)
    assert sum(embedder.batches) == len(views)
    with EmbeddingStore(path, "b" * 64, "other") as store:  # another model in the same file
        embed_views([shown(1)], embedder, store)
    assert sum(embedder.batches) == len(views) + 1
    with EmbeddingStore(path, "a" * 64, "one, called otherwise") as store:
        embed_views([shown(1)], embedder, store)
    assert sum(embedder.batches) == len(views) + 1


@pytest.mark.parametrize("what", ["crop", "outline"])
def test_equal_boxes_have_one_key(what: str) -> None:
    whole, real = ((0, 1, 5, 7), (0.0, 1.0, 5.0, 7.0))
    keys = [key_of("a" * 64, View(**{what: box})) for box in (whole, real)]  # type: ignore[arg-type]
    assert keys[0] == keys[1]


def test_a_file_of_another_form_and_a_broken_one(tmp_path: Path) -> None:
    path = tmp_path / "embeddings.sqlite"
    with sqlite3.connect(path) as connection:
        connection.execute("PRAGMA user_version = 7")
    connection.close()
    with pytest.raises(WorkspaceError, match="another version"):
        EmbeddingStore(path, "a" * 64, "one")
    path.write_bytes(b"nothing of the kind" * 100)
    with pytest.raises(WorkspaceError, match="move it away, it is made again"):
        EmbeddingStore(path, "a" * 64, "one")
    with pytest.raises(WorkspaceError, match="unable to open"):
        EmbeddingStore(tmp_path / "none" / "here.sqlite", "a" * 64, "one")


def test_a_batch_is_written_whole_or_not(store: EmbeddingStore) -> None:
    keys = [key_of(f"{number:064x}", View()) for number in range(2)]
    with pytest.raises(ValueError, match="zip"):
        store.add(keys, np.ones((1, 3), np.float32))
    assert store.found(keys) == {}


def test_views_of_one_picture_decode_it_once(
    store: EmbeddingStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    decoded = []

    def counting(part: PicturePart) -> object:
        decoded.append(part.sha256)
        return source_of(part)

    monkeypatch.setattr("benchwright.clip.shown_pixels.source_of", counting)
    pixels_of, views = ShownPixels(), []
    for number in range(3):
        path = tmp_path / f"{number}.png"
        Image.new("RGB", (40, 20), (number, 0, 0)).save(path)
        sha256 = hashlib.sha256(path.read_bytes()).hexdigest()
        for side in (10, 20, 30):
            part = PicturePart(sha256=sha256, path=path, view=View(long_side=side))
            pixels = partial(pixels_of.picture, part)
            views.append(ViewOfPicture(sha256=sha256, view=part.view, pixels=pixels))
    embed_views(views[::2] + views[1::2], ColourEmbedder(), store)
    assert len(decoded) == 3


def test_pixels_are_what_a_server_would_be_sent(tmp_path: Path) -> None:
    path = tmp_path / "a.png"
    ground = Image.new("RGB", (40, 20), (0, 0, 255))
    ground.paste((255, 0, 0), (0, 0, 10, 20))
    ground.save(path)
    sha256 = hashlib.sha256(path.read_bytes()).hexdigest()
    pixels_of = ShownPixels()

    def seen(**view: object) -> Image.Image:
        return pixels_of.picture(PicturePart(sha256=sha256, path=path, view=View(**view)))  # type: ignore[arg-type]

    assert list(seen().get_flattened_data()) == list(ground.get_flattened_data())
    assert seen(long_side=20).size == (20, 10)
    assert seen(crop=(0, 0, 10, 20)).getcolors() == [(200, (255, 0, 0))]
    assert seen(crop=(0.0, 0.0, 1.0, 1.0)).size == (1, 1)  # nothing is padded
    with pytest.raises(UsageError, match="crop of a view"):
        seen(crop=(50, 50, 10, 10))
    path.write_bytes(b"another")
    with pytest.raises(LostPicture, match="not the picture"):
        partial(ShownPixels().picture, PicturePart(sha256=sha256, path=path))()
