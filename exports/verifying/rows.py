"""Whether the rows of a release are those of its lock and load as its card says."""

import hashlib
import io
from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from PIL import Image, ImageOps

from benchwright.rows import ContentDigest
from exports.building.shards import without_pictures
from exports.card.head import head_in
from exports.card.own_text import block_digest
from exports.features import IMAGE, card_features
from exports.locking.lock import Lock, LockedConfig
from exports.names import CARD
from exports.verifying.finding import Finding, finding
from exports.verifying.released import Released

_ROWS = 100  # that are held at once, where they hold pictures


def check_rows(release: Released) -> Finding:
    """Count and digest the rows of each config anew, shard by shard."""
    configs = release.lock.configs
    rows = sum(config.rows for config in configs.values())
    looked_at = f"{rows:,} rows of {len(configs)} configs counted and digested"
    return finding("rows", looked_at, _row_faults(release.folder, release.lock))


def check_pictures(release: Released) -> Finding:
    """Check that each picture has bytes, those of its hash, and decodes to its size upright."""
    config = release.lock.configs.get("images")
    if config is None:
        return finding("pictures", "no config of pictures", ["images: is missing"])
    looked_at = f"{config.rows:,} pictures hashed and decoded"
    return finding("pictures", looked_at, _picture_faults(release.folder, config))


def check_card(release: Released) -> Finding:
    """Check that the card names each config with the features and rows that the shards have."""
    looked_at = f"{len(release.lock.configs)} configs against the head and the block of README.md"
    return finding("card", looked_at, _card_faults(release.folder, release.lock))


def _row_faults(folder: Path, lock: Lock) -> Iterator[str]:
    for name, config in lock.configs.items():
        digest, rows = ContentDigest(), 0
        schema: pa.Schema | None = None
        for path in config.paths:
            with pq.ParquetFile(folder / path) as file:
                if schema is not None and file.schema_arrow != schema:
                    yield f"{path}: has another schema than the shard before it"
                schema = file.schema_arrow
                columns = [field.name for field in schema if field.type != IMAGE]
                for batch in file.iter_batches(columns=columns):
                    digest.update(without_pictures(pa.Table.from_batches([batch])))
                    rows += batch.num_rows
        if rows != config.rows:
            yield f"{name}: {rows:,} rows, the lock says {config.rows:,}"
        elif digest.hexdigest() != config.digest:
            yield f"{name}: other rows than the lock says"


def _picture_faults(folder: Path, config: LockedConfig) -> Iterator[str]:
    for path in config.paths:
        with pq.ParquetFile(folder / path) as file:
            for batch in file.iter_batches(batch_size=_ROWS):
                if pc.struct_field(batch.column("image"), "bytes").null_count:
                    yield f"{path}: has a picture without bytes"
                for row in batch.to_pylist():
                    fault = _fault_of(row)
                    if fault is not None:
                        yield f"{row['image_id']}: {fault}"


def _fault_of(row: dict[str, object]) -> str | None:
    shown = row["image"]
    data = shown.get("bytes") if isinstance(shown, dict) else None
    if not isinstance(data, bytes):
        return "has no bytes"
    if hashlib.sha256(data).hexdigest() != row["sha256"]:
        return "is not the picture of its sha256"
    try:
        with Image.open(io.BytesIO(data)) as image:
            upright = ImageOps.exif_transpose(image)
            size = upright.size
    except (OSError, ValueError, Image.DecompressionBombError) as error:
        return f"cannot be decoded ({error})"
    if size != (row["width"], row["height"]):
        return f"is {size[0]} x {size[1]}, its row says {row['width']} x {row['height']}"
    return None


def _card_faults(folder: Path, lock: Lock) -> Iterator[str]:
    try:
        text = (folder / CARD).read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        yield f"{CARD}: cannot be read ({error})"
        return
    if block_digest(text) != lock.card:
        yield f"{CARD}: what stands between the markers is not what the release wrote"
    said = head_in(text)
    infos = {each.get("config_name"): each for each in said.get("dataset_info", ())}
    configs = {each.get("config_name") for each in said.get("configs", ())}
    for name, config in lock.configs.items():
        info = infos.get(name)
        if name not in configs or info is None:
            yield f"{name}: is not on the card"
            continue
        schema = pq.read_schema(folder / config.paths[0])
        if info.get("features") != card_features(schema):
            yield f"{name}: the card has other features than the shards"
        rows = sum(split.get("num_examples", 0) for split in info.get("splits", ()))
        if rows != config.rows:
            yield f"{name}: {rows:,} rows on the card, {config.rows:,} in the lock"
    for name in sorted(configs - lock.configs.keys(), key=str):
        yield f"{name}: is on the card and not in the release"
