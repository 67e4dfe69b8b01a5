"""Near-duplicates among drawn dresses: ``python -m benchmarks.duplicates [DRESSES]``.

Of 2,000 drawn dresses, which look alike by nature, 200 get one variant each: a strong JPEG, half
the size, 3 % cropped, 15 % brighter, or mirrored. Printed is how many of each kind are found
and how many other pairs are taken for duplicates, for several thresholds, with the colours
compared and without; and the same for imagehash's hash of 64 bits, and for the small CLIP of the
package where the extra clip is installed.
"""

import csv
import io
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from pathlib import Path

import imagehash
import numpy as np
import pyarrow.parquet as pq
from PIL import Image, ImageEnhance, ImageOps

from benchwright.clip.choosing import EMBEDDED
from benchwright.workspace import Workspace
from builders.catalog import iterate_items
from builders.duplicates.dedup import dedup
from builders.duplicates.settings import DedupSettings
from builders.sample.build import build_sample
from builders.table.build import build_table
from builders.table.mapping import MappingOptions

DRESSES, PLANTED = 2_000, 200


def strong_jpeg(image: Image.Image) -> Image.Image:
    stream = io.BytesIO()
    image.save(stream, "JPEG", quality=30)
    return Image.open(stream)


def cropped(image: Image.Image) -> Image.Image:
    """Cut 3 % of width and height away, as much on either side."""
    x, y = image.width * 0.015, image.height * 0.015
    return image.crop((round(x), round(y), round(image.width - x), round(image.height - y)))


VARIANTS: dict[str, Callable[[Image.Image], Image.Image]] = {
    "jpeg": strong_jpeg,
    "resize": lambda image: image.resize((image.width // 2, image.height // 2)),
    "crop 3 %": cropped,
    "brightness": lambda image: ImageEnhance.Brightness(image).enhance(1.15),
    "mirror": ImageOps.mirror,
}


def plant(folder: Path, dresses: int) -> dict[frozenset[str], str]:
    """Make the catalog with its variants; return the kind of each planted pair of ids."""
    drawn = Workspace(folder / "drawn")
    build_sample(drawn, n=dresses)
    items = list(iterate_items(drawn))
    rng = np.random.default_rng(0)
    chosen = rng.permutation(len(items))[:PLANTED]
    truth = {}
    rows = [(item.source_id, str(drawn.images / str(item.image))) for item in items]
    (folder / "all").mkdir()
    for name, path in rows:
        Path(path).rename(folder / "all" / f"{name}.jpg")
    rows = [(name, f"all/{name}.jpg") for name, _ in rows]
    for number, place in enumerate(chosen):
        kind = list(VARIANTS)[number % len(VARIANTS)]
        name = items[place].source_id
        with Image.open(folder / "all" / f"{name}.jpg") as image:
            VARIANTS[kind](image).save(folder / "all" / f"{name}-v.jpg", "JPEG", quality=90)
        rows.append((f"{name}-v", f"all/{name}-v.jpg"))
        truth[frozenset((name, f"{name}-v"))] = kind
    with (folder / "all.csv").open("w", newline="", encoding="utf-8") as stream:
        csv.writer(stream).writerows([("id", "image"), *rows])
    options = MappingOptions(id="id", image="image", attributes=())
    build_table([folder / "all.csv"], Workspace(folder / "w"), options=options)
    return truth


def found(
    workspace: Workspace, settings: DedupSettings, truth: dict[frozenset[str], str]
) -> tuple[Counter[str], int, Path]:
    """Return the planted pairs found by kind, and the number of other pairs."""
    names = {item.image_id: item.source_id for item in iterate_items(workspace)}
    dedup(workspace, settings)
    folder = workspace.catalog / "duplicates"
    pairs = {
        frozenset((names[row["one"]], names[row["other"]]))
        for row in pq.read_table(folder / "pairs.parquet").to_pylist()
    }
    return Counter(truth[pair] for pair in pairs & truth.keys()), len(pairs - truth.keys()), folder


def small_hash(workspace: Workspace, truth: dict[frozenset[str], str]) -> tuple[Counter[str], int]:
    """Return the same for imagehash's phash of 64 bits within 6."""
    ids, hashes = [], []
    for item in iterate_items(workspace):
        with Image.open(workspace.images / str(item.image)) as image:
            hashes.append(np.packbits(imagehash.phash(image).hash))
        ids.append(item.source_id)
    bits = np.array(hashes)
    near = [
        frozenset((ids[row], ids[row + 1 + other]))
        for row in range(len(ids))
        for other in np.flatnonzero(
            np.bitwise_count(bits[row] ^ bits[row + 1 :]).sum(axis=1, dtype=int) <= 6
        )
    ]
    counts = Counter(truth[pair] for pair in near if pair in truth)
    return counts, sum(pair not in truth for pair in near)


def table(folder: Path, dresses: int) -> Iterator[str]:
    """Yield the lines of the table."""
    truth = plant(folder, dresses)
    planted = Counter(truth.values())
    workspace = Workspace(folder / "w")
    began = time.monotonic()
    dedup(workspace)
    seconds = time.monotonic() - began
    yield f"{dresses:,} dresses and {len(truth)} variants; the first run took {seconds:.1f} s."
    yield ""
    yield f"| found of {planted['jpeg']} each | {' | '.join(VARIANTS)} | false pairs |"
    yield "| --- |" + " ---: |" * (len(VARIANTS) + 1)
    for threshold in (10, 20, 30, 40, 50, 60):
        for any_colour in (False, True):
            settings = DedupSettings(threshold=threshold, any_colour=any_colour)
            counts, wrong, _ = found(workspace, settings, truth)
            cells = " | ".join(str(counts[kind]) for kind in VARIANTS)
            name = f"256 bits, {threshold}{', any colour' if any_colour else ''}"
            yield f"| {name} | {cells} | {wrong:,} |"
    counts, wrong = small_hash(workspace, truth)
    cells = " | ".join(str(counts[kind]) for kind in VARIANTS)
    yield f"| imagehash, 64 bits, 6, no mirror | {cells} | {wrong:,} |"
    if find_spec("open_clip") is None:
        yield "(the small CLIP was left out: the extra clip is not installed)"
        return
    for threshold in (0.95, 0.96, 0.97, 0.98, 0.99):
        clip = DedupSettings(method="clip", threshold=threshold, model=EMBEDDED, weights=None)
        counts, wrong, _ = found(workspace, clip, truth)
        cells = " | ".join(str(counts[kind]) for kind in VARIANTS)
        yield f"| the small CLIP, cosine {threshold} | {cells} | {wrong:,} |"


def main() -> int:
    dresses = int(sys.argv[1]) if len(sys.argv) > 1 else DRESSES
    with tempfile.TemporaryDirectory() as folder:
        for line in table(Path(folder), dresses):
            print(line, flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
