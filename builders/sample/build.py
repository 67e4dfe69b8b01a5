"""The built-in catalog: drawn dresses with exact attributes, the same on every machine."""

import io
from dataclasses import dataclass

from benchwright import seeds
from benchwright.engines.engine import LOCAL, Engine
from benchwright.errors import UsageError
from benchwright.identity import image_id_of
from benchwright.pictures import Picture, read_picture
from benchwright.progress import Progress, no_progress
from benchwright.records import Attribute, Item
from benchwright.store import Plan
from benchwright.workspace import Workspace
from builders.catalog import STAGE, Built, Harvest, write_catalog
from builders.outcomes import Entry
from builders.sample.code_digest import code_digest
from builders.sample.degrading import degrade, degraded_quality
from builders.sample.drawing import draw
from builders.sample.garments import Garment, sample_garments

SOURCE = "sample"
LICENCE = "CC0-1.0"
DEFAULT_N = 600
_QUALITY = 92  # of JPEG, without colour subsampling: prints keep their edges, a third of a PNG


@dataclass(frozen=True, slots=True, kw_only=True)
class Drawing:
    """A garment to draw, the seed of its background and pose, and whether it is taken badly."""

    garment: Garment
    seed: int
    is_degraded: bool = False


def build_sample(
    workspace: Workspace,
    *,
    n: int = DEFAULT_N,
    seed: int = 0,
    degraded: bool = False,
    workers: int | None = None,
    engine: Engine = LOCAL,
    force: bool = False,
    progress: Progress = no_progress,
) -> Built:
    """Draw the first ``n`` dresses of a seed into the catalog of a workspace.

    With ``degraded`` the same dresses, by the same ids, are shown as if photographed badly. Where
    they stand there already nothing is done, unless ``force``.

    Raises UsageError when n is under 1, and WorkspaceError when another process writes there.
    """
    if n < 1:
        raise UsageError(f"a sample of {n} dresses was asked for; the least is 1")
    plan = Plan(
        stage=STAGE,
        inputs={"drawing": code_digest()},
        settings={"from": SOURCE, "n": n, "degraded": degraded},
        seed=seed,
    )
    entries = [
        _entry(garment, index, seed, degraded)
        for index, garment in enumerate(sample_garments(n, seed))
    ]
    harvest = Harvest(entries=entries, make=draw_picture)
    return write_catalog(
        workspace, plan, harvest, workers=workers, engine=engine, force=force, progress=progress
    )


def draw_picture(drawing: Drawing) -> Picture:
    """Draw one garment; the same drawing gives the same bytes."""
    stream = io.BytesIO()
    image = draw(drawing.garment, drawing.seed)
    if drawing.is_degraded:
        quality = degraded_quality(drawing.seed)
        degrade(image, drawing.seed).save(stream, "JPEG", quality=quality)
    else:
        image.save(stream, "JPEG", quality=_QUALITY, subsampling=0)
    return read_picture(stream.getvalue())


def _entry(garment: Garment, index: int, seed: int, is_degraded: bool) -> Entry[Drawing]:
    source_id = f"{seed}-{index:06d}"
    item = Item(
        image_id=image_id_of(SOURCE, source_id),
        image=None,
        sha256=None,
        width=None,
        height=None,
        source=SOURCE,
        source_id=source_id,
        split=None,
        group_id=None,
        title=f"Dress {index:06d}",
        category="dress",
        url=None,
        licence=LICENCE,
        author=None,
        attributes=tuple(
            Attribute(type=kind, value=value, raw=value, origin="drawn")
            for kind, value in garment.values
        ),
        objects=(),
        captions=(),
        dialogues=(),
    )
    drawing = Drawing(
        garment=garment,
        seed=seeds.draw(seed, "sample picture", source_id),
        is_degraded=is_degraded,
    )
    return Entry(item=item, picture=drawing, row=index + 1)
