"""Pictures of a part are on the disk before the part is recorded as done."""

import io
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from PIL import Image

from benchwright import files, store
from benchwright.pictures import Picture, read_picture
from benchwright.progress import no_progress
from benchwright.workers import pool
from builders import outcomes


def make(number: int) -> Picture:
    stream = io.BytesIO()
    Image.new("RGB", (8, 8), (number, 0, 0)).save(stream, "PNG")
    return read_picture(b"" if number == 3 else stream.getvalue())


def test_pictures_are_synced_before_their_part(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    steps: list[tuple[str, Any]] = []
    sync, write = files.sync, store._write_parquet
    monkeypatch.setattr(outcomes, "PART_ROWS", 4)

    def synced(paths: Any) -> None:
        chosen = list(paths)
        steps.append(("sync", len(chosen)))
        assert all(path.is_file() for path in chosen)
        sync(chosen)

    def written(path: Path, table: pa.Table) -> None:
        steps.append((path.stem, table.num_rows))
        write(path, table)

    monkeypatch.setattr(files, "sync", synced)
    monkeypatch.setattr(store, "_write_parquet", written)
    (tmp_path / store.PARTS).mkdir()
    writer = store.StageWriter(tmp_path, ("*.parquet",))
    with pool(1) as workers:
        made = outcomes.make_pictures(
            writer,
            range(6),
            make,
            images=tmp_path / "images",
            workers=workers,
            progress=no_progress,
        )
    assert [outcome.reason for outcome in made] == [None] * 3 + ["empty"] + [None] * 2
    assert steps == [("sync", 3), ("pictures-00000", 4), ("sync", 2), ("pictures-00001", 2)]
    assert len(list((tmp_path / "images").glob("*/*.png"))) == 5
