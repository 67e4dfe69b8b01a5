"""Ingest beside what one would use instead: ``python -m benchmarks.ingest [PICTURES]``.

The same seeded JPEGs are read by four: a bare full decode with Pillow (also by two processes,
since a busy neighbour core makes each slower), the same with a plain copy of each file,
``load_dataset`` of an imagefolder with a full decode, and ``build-catalog table``, which decodes
each picture as well, checks it, hashes it, stores it and brings it to the disk.
Each runs in a process of its own; what is compared is CPU-seconds (user and system, workers
included), since wall time on a shared machine says little. The bare decode runs before and after
ours, and the faster counts. Exits with 1 when the pixels of any compared picture differ.
"""

import csv
import hashlib
import json
import multiprocessing
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
from PIL import Image

from benchmarks.contest import Disagreement, held

PICTURES, FEW = 10_000, 1_000
SIZES = ((640, 480), (480, 640), (500, 375), (320, 240), (1024, 768))  # COCO's and larger
COMPARED = 20  # every so many pictures the pixels are compared
TEXTURES = 24


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    """What one process found out; memory is the peak of the process and of its largest child."""

    pictures: int
    cpu: float  # seconds, user and system, with all children
    wall: float
    memory: int  # bytes
    child_memory: int
    digests: dict[str, str]  # pixels of some pictures, by file name


def draw_pictures(folder: Path, pictures: int, seed: int = 0) -> None:
    """Write seeded JPEGs of mixed sizes, with about as many bytes a pixel as photographs."""
    rng = np.random.default_rng(seed)
    textures = [_texture(rng) for _ in range(TEXTURES)]
    (folder / "pictures").mkdir()
    rows = []
    for number in range(pictures):
        width, height = SIZES[number % len(SIZES)]
        whole = textures[int(rng.integers(TEXTURES))]
        x = int(rng.integers(whole.width - width + 1))
        y = int(rng.integers(whole.height - height + 1))
        picture = whole.crop((x, y, x + width, y + height))
        picture.putpixel((0, 0), (number % 256, number // 256 % 256, number // 65536))
        name = f"{number:06d}.jpg"
        picture.save(folder / "pictures" / name, "JPEG", quality=int(rng.integers(80, 95)))
        rows.append((f"p{number:06d}", f"pictures/{name}"))
    with (folder / "pictures.csv").open("w", newline="", encoding="utf-8") as stream:
        csv.writer(stream).writerows([("id", "image"), *rows])


def _texture(rng: np.random.Generator) -> Image.Image:
    layers = np.zeros((1000, 1200, 3), np.float32)
    for cells, weight in ((6, 70), (30, 40), (150, 18)):
        coarse = rng.integers(0, 256, (cells, cells, 3), dtype=np.uint8)
        fine = Image.fromarray(coarse).resize((1200, 1000), Image.Resampling.BICUBIC)
        layers += (np.asarray(fine, np.float32) - 128) * (weight / 128)
    layers += rng.normal(128, 17, layers.shape).astype(np.float32)
    return Image.fromarray(layers.clip(0, 255).astype(np.uint8))


def _pixels(image: Image.Image) -> str:
    return hashlib.sha256(image.convert("RGB").tobytes()).hexdigest()


def read_bare(folder: Path, _scratch: Path) -> Iterator[tuple[str, Callable[[], Image.Image]]]:
    """Decode every file with Pillow."""
    for path in sorted((folder / "pictures").iterdir()):
        with Image.open(path) as image:
            image.load()
        yield path.name, lambda path=path: Image.open(path)  # type: ignore[misc]


def _decode(paths: list[str]) -> int:
    for path in paths:
        with Image.open(path) as image:
            image.load()
    return len(paths)


def read_by_two(folder: Path, _scratch: Path) -> Iterator[tuple[str, Callable[[], Image.Image]]]:
    """Decode every file with Pillow in two processes: both cores are then busy, as with ours."""
    paths = sorted((folder / "pictures").iterdir())
    blocks = [[str(path) for path in paths[at : at + 100]] for at in range(0, len(paths), 100)]
    with ProcessPoolExecutor(2, multiprocessing.get_context("spawn")) as workers:
        if sum(workers.map(_decode, blocks)) != len(paths):
            raise Disagreement("the processes did not decode each picture once")
    for path in paths:
        yield path.name, lambda path=path: Image.open(path)  # type: ignore[misc]


def read_and_copy(folder: Path, scratch: Path) -> Iterator[tuple[str, Callable[[], Image.Image]]]:
    """Decode every file with Pillow, and copy it: the least that any ingest with a store does."""
    (scratch / "copies").mkdir()
    for name, again in read_bare(folder, scratch):
        shutil.copyfile(folder / "pictures" / name, scratch / "copies" / name)
        yield name, again


def read_imagefolder(
    folder: Path, scratch: Path
) -> Iterator[tuple[str, Callable[[], Image.Image]]]:
    """Decode every picture of the data set that ``datasets`` makes of the folder."""
    from datasets import load_dataset  # noqa: PLC0415

    loaded = load_dataset(
        "imagefolder", data_dir=str(folder / "pictures"), split="train", cache_dir=str(scratch)
    )
    for row in loaded:
        image = row["image"]
        name = Path(image.filename).name
        image.load()
        yield name, lambda image=image: image  # type: ignore[misc]


def build(folder: Path, scratch: Path, workers: int, *, link: bool) -> dict[str, Path]:
    """Build the catalog; return where the pictures are stored, by file name."""
    from benchwright.workspace import Workspace  # noqa: PLC0415
    from builders.catalog import iterate_items  # noqa: PLC0415
    from builders.rules import PictureRules  # noqa: PLC0415
    from builders.table.build import build_table  # noqa: PLC0415

    workspace = Workspace(scratch / "workspace")
    rules = PictureRules(link=link)
    build_table([folder / "pictures.csv"], workspace, workers=workers, rules=rules)
    return {
        f"{item.source_id[1:]}.jpg": workspace.images / str(item.image)
        for item in iterate_items(workspace)
    }


def measure(contestant: str, folder: Path, scratch: Path) -> Measured:
    """Run one contestant in this process."""
    warm_up(contestant)
    began, clock = _cpu(), time.monotonic()
    digests: dict[str, str] = {}
    checking = 0.0
    if contestant.startswith("ours"):
        _, workers, *linked = contestant.split("-")
        stored = build(folder, scratch, int(workers), link=bool(linked))
        cpu, wall, pictures = _cpu() - began, time.monotonic() - clock, len(stored)
        for name in sorted(stored)[::COMPARED]:
            with Image.open(stored[name]) as image:
                digests[name] = _pixels(image)
    else:
        read = {
            "bare": read_bare,
            "bare-2": read_by_two,
            "copy": read_and_copy,
            "imagefolder": read_imagefolder,
        }[contestant]
        pictures = 0
        for name, again in read(folder, scratch):
            if pictures % COMPARED == 0:
                before = _cpu()
                digests[name] = _pixels(again())
                checking += _cpu() - before
            pictures += 1
        cpu, wall = _cpu() - began - checking, time.monotonic() - clock
    own, children = (
        resource.getrusage(who).ru_maxrss * 1024
        for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
    )
    return Measured(
        pictures=pictures, cpu=cpu, wall=wall, memory=own, child_memory=children, digests=digests
    )


def warm_up(contestant: str) -> None:
    """Import what the contestant needs: start-up is not what is compared."""
    if contestant == "imagefolder":
        import datasets  # noqa: F401, PLC0415
    elif contestant.startswith("ours"):
        import builders.table.build  # noqa: F401, PLC0415
    Image.init()


def _cpu() -> float:
    return sum(os.times()[:4])


def run(contestant: str, folder: Path) -> Measured:
    """Measure a contestant in a process of its own, in a scratch folder of its own."""
    # removed with the folder at the very end: a file system that has just freed thousands of files
    # makes the next ones slowly
    scratch = tempfile.mkdtemp(dir=folder)
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks.ingest", contestant, str(folder), scratch],
        env=os.environ | {"HF_DATASETS_DISABLE_PROGRESS_BARS": "1", "HF_HUB_OFFLINE": "1"},
        stdout=subprocess.PIPE,
        check=True,
    )
    return Measured(**json.loads(done.stdout))


def contest(folder: Path, pictures: int) -> Iterator[str]:
    """Yield the lines of the tables; raises Disagreement where pixels differ."""
    few, many = folder / "few", folder / "many"
    for place, count in ((few, min(FEW, pictures)), (many, pictures)):
        place.mkdir()
        draw_pictures(place, count)
    order = (
        *("bare", "ours-1", "ours-1-link", "copy", "bare-2", "ours-2", "ours-2-link"),
        *("imagefolder", "bare"),
    )
    runs = [(name, run(name, many)) for name in order]
    bare = min((one for name, one in runs if name == "bare"), key=lambda one: one.cpu)
    found = {**dict(runs), "bare": bare}
    for name, one in found.items():
        if one.pictures != pictures:
            raise Disagreement(f"{name} read {one.pictures} of {pictures} pictures")
        if one.digests != bare.digests:
            raise Disagreement(f"{name} saw other pixels than the bare decode")
    titles = {
        "bare": "bare decode, Pillow",
        "bare-2": "bare decode, 2 processes",
        "copy": "bare decode and a copy of the file",
        "imagefolder": 'datasets, load_dataset("imagefolder")',
        "ours-1": "build-catalog, 1 worker",
        "ours-2": "build-catalog, 2 workers",
        "ours-1-link": "build-catalog --link, 1 worker",
        "ours-2-link": "build-catalog --link, 2 workers",
    }
    yield f"| {pictures:,} JPEGs | pictures a CPU-second | of the bare decode | wall, s |"
    yield "| --- | ---: | ---: | ---: |"
    for name, title in titles.items():
        one = found[name]
        yield (
            f"| {title} | {one.pictures / one.cpu:.0f} | {bare.cpu / one.cpu:.2f} "
            f"| {one.wall:.0f} |"
        )
    yield ""
    small = run("ours-2", few)
    yield "| build-catalog, 2 workers | peak memory, MB | of its largest worker, MB |"
    yield "| --- | ---: | ---: |"
    for one in (small, found["ours-2"]):
        yield (
            f"| {one.pictures:,} pictures | {one.memory / 1e6:.0f} | {one.child_memory / 1e6:.0f} |"
        )
    yield ""
    yield f"The pixels of every {COMPARED}th picture are the same for all ({len(bare.digests)})."


def main() -> None:
    if len(sys.argv) == 4:
        contestant, folder, scratch = sys.argv[1:]
        print(json.dumps(asdict(measure(contestant, Path(folder), Path(scratch)))))
        return
    pictures = int(sys.argv[1]) if len(sys.argv) > 1 else PICTURES
    with tempfile.TemporaryDirectory() as folder:
        held(contest(Path(folder), pictures))


if __name__ == "__main__":
    main()
