"""The scenes as a catalog: pictures with the boxes of women, captions and dialogues."""

import io

from benchwright.boxes import Box, area
from benchwright.engines.engine import LOCAL, Engine
from benchwright.engines.engine_workers import workers_of
from benchwright.errors import UsageError
from benchwright.identity import image_id_of
from benchwright.pictures import read_picture
from benchwright.progress import Progress, no_progress
from benchwright.records import Attribute, Item, SceneObject
from benchwright.store import Plan
from benchwright.workspace import Workspace
from builders.catalog import STAGE, Built, Harvest, standing, write_catalog
from builders.outcomes import Entry
from builders.rules import DEFAULT_RULES
from builders.sample.build import LICENCE
from builders.sample.code_digest import code_digest
from builders.sample.garments import Garment
from builders.sample.scenes.casting import Scene, sample_scenes
from builders.sample.scenes.drawing import draw_scene
from builders.sample.scenes.talk import caption_of, dialogue_of

SOURCE = "sample-scenes"
CATEGORY = "woman"
_QUALITY = 92  # of JPEG, without colour subsampling, as the pictures of single dresses

_Drawn = tuple[bytes, tuple[Box, ...]]


def build_scenes(
    workspace: Workspace,
    *,
    n: int,
    seed: int = 0,
    workers: int | None = None,
    engine: Engine = LOCAL,
    force: bool = False,
    progress: Progress = no_progress,
) -> Built:
    """Draw the first ``n`` scenes of a seed into the catalog of a workspace.

    Each has one object for each woman, with the attributes of her dress, a caption and, where
    there are several women, a dialogue that finds one of them. Where they stand there already
    nothing is done, unless ``force``. All pictures are in memory at once, 50 to 150 kB each.

    Raises UsageError when n is under 1 or the engine cannot be used, and WorkspaceError when
    another process writes there.
    """
    if n < 1:
        raise UsageError(f"a sample of {n} scenes was asked for; the least is 1")
    plan = Plan(
        stage=STAGE,
        inputs={"drawing": code_digest()},
        settings={"from": SOURCE, "n": n},
        seed=seed,
    )
    if not force and (built := standing(workspace, plan, DEFAULT_RULES)) is not None:
        return built
    scenes = sample_scenes(n, seed)
    with workers_of(engine, workspace, workers) as chosen:
        drawn = list(progress("scenes", n)(chosen.map_ordered(_drawn, scenes)))
    entries = [
        _entry(scene, index, seed, *each)
        for index, (scene, each) in enumerate(zip(scenes, drawn, strict=True))
    ]
    harvest = Harvest(entries=entries, make=read_picture)
    return write_catalog(workspace, plan, harvest, workers=1, force=force, progress=progress)


def _drawn(scene: Scene) -> _Drawn:
    """Return the picture of a scene as JPEG, and its boxes; runs in a worker process."""
    stream = io.BytesIO()
    shown = draw_scene(scene)
    shown.image.save(stream, "JPEG", quality=_QUALITY, subsampling=0)
    return stream.getvalue(), shown.boxes


def _entry(
    scene: Scene, index: int, seed: int, picture: bytes, boxes: tuple[Box, ...]
) -> Entry[bytes]:
    source_id = f"{seed}-{index:06d}"
    dialogue = dialogue_of(scene, f"{SOURCE}-{source_id}", boxes)
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
        title=f"Scene {index:06d}",
        category=None,
        url=None,
        licence=LICENCE,
        author=None,
        attributes=(),
        objects=tuple(
            _woman(place, garment, box, is_occluded=scene.is_close and place < len(boxes))
            for place, (garment, box) in enumerate(zip(scene.garments, boxes, strict=True), 1)
        ),
        captions=(caption_of(scene),),
        dialogues=() if dialogue is None else (dialogue,),
    )
    return Entry(item=item, picture=picture, row=index + 1)


def _woman(place: int, garment: Garment, box: Box, *, is_occluded: bool) -> SceneObject:
    return SceneObject(
        object_id=str(place),
        category=CATEGORY,
        bbox=box,
        area=area(box),
        is_crowd=False,
        is_occluded=is_occluded,
        is_truncated=False,
        attributes=tuple(
            Attribute(type=kind, value=value, raw=value, origin="drawn")
            for kind, value in garment.values
        ),
        mask=None,
    )
