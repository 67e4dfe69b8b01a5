"""Known pictures are recognised, and no others."""

import base64
import io
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from benchwright.workspace import Workspace
from builders.sample.build import Drawing, build_sample, draw_picture
from builders.sample.garments import sample_garments
from stand_ins.models import KnownPictures, Script, ScriptedServer, references_of, values_of
from stand_ins.models.known import Recogniser
from stand_ins.models.script import Reference

COUNT = 24
_T = Image.Transpose


@pytest.fixture(scope="module")
def dresses(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Reference]:
    folder = tmp_path_factory.mktemp("dresses")
    found = {}
    for number, garment in enumerate(sample_garments(COUNT, 0)):
        path = folder / f"{number}.jpg"
        path.write_bytes(draw_picture(Drawing(garment=garment, seed=number)).data)
        found[str(number)] = Reference(path=path, values=garment.values)
    return found


def opened(path: Path) -> Image.Image:
    with Image.open(path) as image:
        return image.convert("RGB")


def small(image: Image.Image) -> Image.Image:
    stream = io.BytesIO()
    image.resize((150, 200)).save(stream, "JPEG", quality=80)
    with Image.open(stream) as again:
        return again.convert("RGB")


def test_dresses_are_known_by_sight(dresses: dict[str, Reference]) -> None:
    values = sorted({value for reference in dresses.values() for value in reference.values})
    eyes = Recogniser(dresses, values)
    for key, reference in dresses.items():
        image = opened(reference.path)
        for shown in (image, small(image)):
            look = eyes.look(shown)
            assert (look.sight, look.code) == ("seen", key)
            assert {value for value, holds in look.truths.items() if holds} == set(reference.values)
            assert set(look.truths) == set(values)


def test_what_was_done_to_them_is_not(dresses: dict[str, Reference]) -> None:
    eyes = Recogniser(dresses, [])
    for reference in dresses.values():
        image = opened(reference.path)
        width, height = image.size
        for shown in (
            image.transpose(_T.FLIP_LEFT_RIGHT),
            image.transpose(_T.ROTATE_90),
            image.transpose(_T.ROTATE_180),
            small(image.transpose(_T.FLIP_LEFT_RIGHT)),
            image.crop((width // 10, height // 10, width * 9 // 10, height * 9 // 10)),
            image.resize((height, height)),  # squeezed
        ):
            assert eyes.look(shown).code is None


def test_a_nearly_symmetric_picture_is_not_known_mirrored(tmp_path: Path) -> None:
    image = Image.new("RGB", (192, 256), "white")
    image.paste((40, 60, 120), (48, 32, 144, 224))
    image.paste((60, 80, 140), (54, 40, 78, 64))  # a faint pocket on one side
    image.save(tmp_path / "a.png")
    eyes = Recogniser({"a": Reference(path=tmp_path / "a.png", values=())}, [])
    assert eyes.look(small(image)).code == "a"
    assert eyes.look(small(image.transpose(_T.FLIP_LEFT_RIGHT))).code is None


def test_a_stranger_is_unknown(dresses: dict[str, Reference]) -> None:
    known = dict(list(dresses.items())[1:])
    eyes = Recogniser(known, [])
    assert eyes.look(opened(dresses["0"].path)).sight == "unknown"
    assert eyes.look(Image.new("RGB", (9, 9))).sight == "unknown"


def test_a_catalog_can_be_asked_about(
    connect: Callable[..., Any], ask: Callable[..., Any], tmp_path: Path
) -> None:
    workspace = Workspace(tmp_path)
    build_sample(workspace, n=4, workers=1)
    references = references_of(workspace)
    values = values_of(references)
    assert len(references) == 4
    script = Script(values=values, eyes=KnownPictures(references=references))
    client = connect(ScriptedServer(script))
    for reference in references.values():
        data = base64.b64encode(reference.path.read_bytes()).decode()
        for value in values:
            text = f"{value.type}: {value.value}?"
            came = ask(client, text, f"data:image/jpeg;base64,{data}")
            holds = (value.type, value.value) in reference.values
            assert came.choices[0].message.content == ("Yes" if holds else "No"), text


def test_a_look_is_fast(dresses: dict[str, Reference]) -> None:
    many = {f"{copy} {key}": dress for copy in range(25) for key, dress in dresses.items()}
    eyes = Recogniser(many, [])
    image = opened(dresses["0"].path)
    eyes.look(image)
    start = time.process_time()
    for _ in range(50):
        eyes.look(image)
    assert (time.process_time() - start) / 50 < 0.002
