"""Making a release beside a bare write: ``python -m benchmarks.releases [PICTURES]``.

Three write the pictures of one catalog, seeded JPEGs, with the same columns: a bare loop that
reads the files and writes them by pyarrow, as pyarrow does without being told how; the same with
the column ``sha256`` made of the bytes that are written, not copied from the catalog; and the
config ``images`` of ``push-release build``, which also takes EXIF and the like out, looks that no
picture is null, digests all rows and cuts shards. ``push-release build`` as a whole (labels, the
gate, the card, the lock, which reads and hashes all files once more) comes last.
Each runs in a process of its own; what is compared is CPU-seconds, user and system. The others run
before and after ours, and of two runs the faster counts. Exits with 1 when the rows of any differ,
or when a shard is larger than it may be.
"""

import csv
import hashlib
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from benchmarks.contest import Disagreement, held
from benchmarks.ingest import draw_pictures
from benchmarks.memory import peak, reset_peak
from benchwright.workspace import Workspace

PICTURES, FEW = 10_000, 1_000
_BATCH_BYTES = 16 << 20  # of pictures that are held at once, by all


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    """What one process found out; memory is its peak."""

    cpu: float  # seconds, user and system
    wall: float
    memory: int  # bytes above what was resident before
    size: int  # bytes of the shards of pictures
    shards: int
    largest: int  # bytes
    rows: str  # a digest of all rows of pictures


def make_workspace(folder: Path, pictures: int) -> None:
    """Draw pictures, make a catalog of them with one attribute, and labels."""
    from builders.rules import PictureRules  # noqa: PLC0415
    from builders.table.build import build_table  # noqa: PLC0415
    from labeling.attributes.labels.normalise import normalise  # noqa: PLC0415

    draw_pictures(folder, pictures)
    rows = [("id", "image", "colour")]
    rows += [
        (f"p{number:06d}", f"pictures/{number:06d}.jpg", ("red", "blue", "green")[number % 3])
        for number in range(pictures)
    ]
    with (folder / "pictures.csv").open("w", newline="", encoding="utf-8") as stream:
        csv.writer(stream).writerows(rows)
    workspace = Workspace(folder / "workspace")
    build_table([folder / "pictures.csv"], workspace, workers=2, rules=PictureRules(link=True))
    normalise(workspace)


def write_bare(workspace: Workspace, place: Path, *, hashed: bool) -> None:
    """Write the pictures as pyarrow writes a table, batch by batch."""
    from builders.catalog import iterate_items  # noqa: PLC0415
    from exports.contents.records import IMAGES  # noqa: PLC0415

    path = place / "data" / "images" / "bare.parquet"
    path.parent.mkdir(parents=True)
    rows: list[dict[str, Any]] = []
    held = 0
    with pq.ParquetWriter(path, IMAGES) as writer:
        for item in iterate_items(workspace):
            data = (workspace.images / str(item.image)).read_bytes()
            digest = hashlib.sha256(data).hexdigest() if hashed else item.sha256
            rows.append(
                {
                    **{name: getattr(item, name) for name in IMAGES.names if hasattr(item, name)},
                    "image": {"bytes": data, "path": f"{item.image_id}.jpg"},
                    "sha256": digest,
                    "source_sha256": item.sha256,
                    "source_split": item.split,
                }
            )
            held += len(data)
            if held >= _BATCH_BYTES:
                writer.write_table(pa.Table.from_pylist(rows, schema=IMAGES))
                rows, held = [], 0
        if rows:
            writer.write_table(pa.Table.from_pylist(rows, schema=IMAGES))
    _sync(path)


def write_images(workspace: Workspace, place: Path) -> None:
    """Write the config images of a release."""
    from builders.catalog import iterate_items  # noqa: PLC0415
    from exports.building.shards import write_shards  # noqa: PLC0415
    from exports.contents.images import image_tables  # noqa: PLC0415
    from exports.contents.records import IMAGES  # noqa: PLC0415

    write_shards(place, "images", IMAGES, image_tables(workspace, list(iterate_items(workspace))))


def build_whole(workspace: Workspace) -> Path:
    """Make the whole release."""
    from exports.building.build import build_release  # noqa: PLC0415
    from exports.building.settings import ReleaseSettings  # noqa: PLC0415
    from exports.names import Version  # noqa: PLC0415

    return build_release(workspace, "bench", Version(1, 0, 0), ReleaseSettings()).folder


def measure(contestant: str, workspace: Workspace, place: Path) -> Measured:
    """Run one contestant in this process."""
    import datasets  # noqa: F401, PLC0415  # start-up is not what is compared
    import matplotlib.pyplot  # noqa: F401, PLC0415

    import exports.building.build  # noqa: F401, PLC0415
    from exports.features import shard_schema  # noqa: PLC0415

    shard_schema(pa.schema([]))
    before, began, clock = reset_peak(), sum(os.times()[:4]), time.monotonic()
    if contestant == "whole":
        place = build_whole(workspace)
    elif contestant == "images":
        write_images(workspace, place)
    else:
        write_bare(workspace, place, hashed=contestant == "hashed")
    cpu, wall = sum(os.times()[:4]) - began, time.monotonic() - clock
    memory = peak() - before
    shards = sorted((place / "data" / "images").glob("*.parquet"))
    sizes = [path.stat().st_size for path in shards]
    return Measured(
        cpu=cpu,
        wall=wall,
        memory=memory,
        size=sum(sizes),
        shards=len(shards),
        largest=max(sizes),
        rows=_rows(shards),
    )


def _rows(shards: list[Path]) -> str:
    digest = hashlib.sha256()
    for path in shards:
        with pq.ParquetFile(path) as file:
            for batch in file.iter_batches(batch_size=200):
                for row in batch.to_pylist():
                    digest.update(repr(sorted(row.items())).encode())
    return digest.hexdigest()


def _sync(path: Path) -> None:
    handle = os.open(path, os.O_RDONLY)
    os.fsync(handle)
    os.close(handle)


def run(contestant: str, folder: Path) -> Measured:
    """Measure a contestant in a process of its own, in a folder of its own."""
    place = tempfile.mkdtemp(dir=folder)
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks.releases", contestant, str(folder / "workspace"), place],
        stdout=subprocess.PIPE,
        check=True,
        env=os.environ | {"HF_HUB_OFFLINE": "1"},
    )
    return Measured(**json.loads(done.stdout))


def contest(folder: Path, pictures: int) -> Iterator[str]:
    """Yield the lines of the tables; raises Disagreement where rows differ."""
    from exports.building.shards import SHARD_BYTES  # noqa: PLC0415

    few, many = folder / "few", folder / "many"
    for place, count in ((few, min(FEW, pictures)), (many, pictures)):
        place.mkdir()
        make_workspace(place, count)
    order = ("bare", "hashed", "images", "whole", "images", "hashed", "bare")
    runs = [(name, run(name, many)) for name in order]
    found = {
        name: min((one for called, one in runs if called == name), key=lambda one: one.cpu)
        for name in dict.fromkeys(order)
    }
    for name, one in runs:
        if one.rows != found["bare"].rows:
            raise Disagreement(f"{name} wrote other rows than the bare write")
        if name in ("images", "whole") and one.largest >= SHARD_BYTES * 1.01:
            raise Disagreement(f"{name}: a shard of {one.largest:,} bytes")
    titles = {
        "bare": "bare pyarrow write",
        "hashed": "bare pyarrow write, each picture hashed",
        "images": "config images",
        "whole": "push-release build, all of it",
    }
    bare, size = found["bare"], found["bare"].size / 1e6
    hashed = found["hashed"]
    first = f"{pictures:,} JPEGs, {size:,.0f} MB"
    yield f"| {first} | MB a CPU-second | of bare | of hashed | wall, s |"
    yield "| --- | ---: | ---: | ---: | ---: |"
    for name, title in titles.items():
        one = found[name]
        yield (
            f"| {title} | {size / one.cpu:.0f} | {bare.cpu / one.cpu:.2f} "
            f"| {hashed.cpu / one.cpu:.2f} | {one.wall:.1f} |"
        )
    yield ""
    small = run("whole", few)
    yield "| push-release build | peak memory above its start, MB | shards | largest, MB |"
    yield "| --- | ---: | ---: | ---: |"
    for count, one in ((min(FEW, pictures), small), (pictures, found["whole"])):
        yield (
            f"| {count:,} pictures | {one.memory / 1e6:.0f} | {one.shards} "
            f"| {one.largest / 1e6:.0f} |"
        )
    yield ""
    yield "All of them wrote the same rows."


def main() -> None:
    if len(sys.argv) == 4:
        contestant, root, place = sys.argv[1:]
        print(json.dumps(asdict(measure(contestant, Workspace(Path(root)), Path(place)))))
        return
    pictures = int(sys.argv[1]) if len(sys.argv) > 1 else PICTURES
    with tempfile.TemporaryDirectory() as folder:
        held(contest(Path(folder), pictures))


if __name__ == "__main__":
    main()
