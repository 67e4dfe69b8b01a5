"""Embedding by open_clip, ours beside a bare loop: ``python -m benchmarks.embedding [PICTURES]``.

Needs the extra clip. Both embed the same drawn dresses with the same model, in one process with one
thread, by turns; what counts is CPU-seconds. The small model is the one in the package, the weights
of the other are random. Ours also checks the hash of each picture, shows it as a view does, and
stores the embedding. Then the small model embeds the same pictures in ten views each, and the
memory is watched.
"""

import sys
import tempfile
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import open_clip
import torch
from PIL import Image

from benchwright.asking.requests import PicturePart, View
from benchwright.clip.choosing import EMBEDDED, folder_of
from benchwright.clip.embedding import ViewOfPicture, embed_views
from benchwright.clip.open_clip_model import BATCH, OpenClip, load_open_clip
from benchwright.clip.shown_pixels import ShownPixels
from benchwright.clip.store import EmbeddingStore
from benchwright.workspace import Workspace
from builders.catalog import iterate_items
from builders.sample.build import build_sample

PICTURES, REPEATS = 384, 3
_PAGE = 4096


def parts_of(folder: Path, pictures: int) -> list[PicturePart]:
    workspace = Workspace(folder / "drawn")
    build_sample(workspace, n=pictures)
    return [
        PicturePart(sha256=item.sha256, path=workspace.images / item.image)
        for item in iterate_items(workspace)
        if item.sha256 is not None and item.image is not None
    ]


def models(folder: Path) -> Iterator[tuple[str, str, str | None]]:
    """Yield what to show, the model and its weights."""
    yield "embedded, the one in the package", f"local-dir:{folder_of(EMBEDDED)}", None
    torch.manual_seed(0)
    standard = open_clip.create_model("ViT-B-32", load_weights=False)
    torch.save(standard.state_dict(), folder / "standard.pt")
    yield "ViT-B-32, 224 px", "ViT-B-32", str(folder / "standard.pt")


def bare(model: str, pretrained: str | None) -> Any:
    """Return the loop that the documentation of open_clip shows, by batches of as many."""
    network, _, prepare = open_clip.create_model_and_transforms(model, pretrained=pretrained)
    network.eval()

    def embed(paths: list[Path]) -> Any:
        rows = []
        for start in range(0, len(paths), BATCH):
            batch = []
            for path in paths[start : start + BATCH]:
                with Image.open(path) as image:
                    batch.append(prepare(image.convert("RGB")))
            with torch.inference_mode():
                rows.append(network.encode_image(torch.stack(batch), normalize=True))
        return torch.cat(rows).numpy()

    return embed


def looks_of(parts: list[PicturePart], view: View) -> list[ViewOfPicture]:
    sight = ShownPixels()
    return [
        ViewOfPicture(
            sha256=part.sha256,
            view=view,
            pixels=partial(
                sight.picture, PicturePart(sha256=part.sha256, path=part.path, view=view)
            ),
        )
        for part in parts
    ]


def compare(
    folder: Path, parts: list[PicturePart], model: str, pretrained: str | None
) -> tuple[float, float, float]:
    """Return pictures per CPU-second of the bare loop and of ours, and the largest difference.

    Of each block of pictures the least of three times counts: the machine is shared.
    """
    loop, embedder = bare(model, pretrained), load_open_clip(model, pretrained)
    blocks = [parts[start : start + 2 * BATCH] for start in range(0, len(parts), 2 * BATCH)]
    seconds = np.full((2, REPEATS, len(blocks)), np.inf)
    apart = 0.0
    loop([part.path for part in blocks[0]])  # the first round of a model is slow
    for repeat in range(REPEATS):
        path = folder / f"{repeat}-{embedder.identity[:8]}.sqlite"
        with EmbeddingStore(path, embedder.identity, embedder.name) as store:
            for at, block in enumerate(blocks):
                found: dict[int, Any] = {}
                for who in (0, 1) if (at + repeat) % 2 else (1, 0):
                    began = time.process_time()
                    if who == 0:
                        found[who] = loop([part.path for part in block])
                    else:
                        found[who] = embed_views(looks_of(block, View()), embedder, store)
                    seconds[who, repeat, at] = time.process_time() - began
                apart = max(apart, float(abs(found[0] - found[1]).max()))
    theirs, ours = seconds.min(axis=1).sum(axis=1)
    return len(parts) / theirs, len(parts) / ours, apart


def memory(folder: Path, parts: list[PicturePart], embedder: OpenClip) -> list[int]:
    """Return the bytes in memory after each of ten rounds over the pictures, in unlike views."""
    used = []
    with EmbeddingStore(folder / "memory.sqlite", embedder.identity, embedder.name) as store:
        for number in range(10):
            embed_views(looks_of(parts, View(long_side=200 + number)), embedder, store)
            pages = int(Path("/proc/self/statm").read_text().split()[1])
            used.append(pages * _PAGE)
    return used


def lines(folder: Path, pictures: int) -> Iterator[str]:
    parts = parts_of(folder, pictures)
    yield f"{len(parts)} drawn dresses, batches of {BATCH}, one thread; pictures per CPU-second"
    yield ""
    yield "| model | bare loop | benchwright | share | largest difference |"
    yield "| --- | ---: | ---: | ---: | ---: |"
    small = ""
    for shown, model, pretrained in models(folder):
        small = small or model
        theirs, ours, apart = compare(folder, parts, model, pretrained)
        yield f"| {shown} | {theirs:.1f} | {ours:.1f} | {ours / theirs:.3f} | {apart:.1e} |"
    used = memory(folder, parts, load_open_clip(small))
    yield ""
    yield (
        f"memory after 1, 5 and 10 rounds of {len(parts)} pictures:"
        f" {', '.join(f'{used[at] / 2**20:.0f} MB' for at in (0, 4, 9))}"
    )


def main() -> int:
    torch.set_num_threads(1)  # threads that wait burn seconds, too
    pictures = int(sys.argv[1]) if len(sys.argv) > 1 else PICTURES
    with tempfile.TemporaryDirectory() as folder:
        for line in lines(Path(folder), pictures):
            print(line, flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
