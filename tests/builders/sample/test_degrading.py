"""Dresses photographed badly: the same ones, visibly worse, and still to be told apart."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from benchwright.workspace import Workspace
from builders.catalog import iterate_items
from builders.sample.build import build_sample
from builders.sample.chance import Chance
from builders.sample.degrading import _FAULTS, degrade, degraded_quality
from builders.sample.drawing import draw
from builders.sample.garments import sample_garments


@pytest.fixture(scope="module")
def drawn() -> Image.Image:
    return draw(next(iter(sample_garments(1, 0))), 5)


def detail(image: Image.Image) -> float:
    """Return the mean step from a pixel to the next."""
    return float(np.abs(np.diff(np.asarray(image.convert("L"), np.float64))).mean())


def brightness(image: Image.Image) -> float:
    return float(np.asarray(image, np.float64).mean())


def test_a_seed_fixes_every_pixel_and_differs_from_others(drawn: Image.Image) -> None:
    pixels = [degrade(drawn, seed).tobytes() for seed in (1, 2, 3, 1)]
    assert pixels[0] == pixels[3]
    assert len(set(pixels)) == 3
    for seed in range(40):
        worse = degrade(drawn, seed)
        assert (worse.mode, worse.size) == ("RGB", drawn.size)
        assert worse.tobytes() != drawn.tobytes()
        apart = np.abs(np.asarray(worse, np.float64) - np.asarray(drawn, np.float64)).mean()
        assert 1 < apart < 110, seed  # seen, and not unrecognisable
    assert {degraded_quality(seed) for seed in range(300)} == set(range(16, 41))


def test_each_fault_does_what_it_is_called(drawn: Image.Image) -> None:
    chances = [Chance(key=f"{at}") for at in range(20)]

    def after(name: str) -> list[Image.Image]:
        return [_FAULTS[name](drawn, chance) for chance in chances]

    light = [brightness(one) / brightness(drawn) for one in after("light")]
    assert all(0.45 < share < 0.75 or share > 1.05 for share in light)  # dim, or over-exposed
    assert min(light) < 1 < max(light)
    for one in after("cast"):
        gains = np.asarray(one, np.float64).mean((0, 1)) / np.asarray(drawn).mean((0, 1))
        assert gains.max() - gains.min() > 0.05
    for name in ("blur", "detail"):
        assert all(detail(one) < 0.85 * detail(drawn) for one in after(name))
    assert all(detail(one) > 1.1 * detail(drawn) for one in after("noise"))
    assert all(abs(brightness(one) - brightness(drawn)) < 4 for one in after("noise"))


def test_every_fault_is_met_and_never_all_at_once(
    drawn: Image.Image, monkeypatch: pytest.MonkeyPatch
) -> None:
    met: list[str] = []

    def noting(name: str) -> Callable[..., Image.Image]:
        return lambda image, _chance: met.append(name) or image  # type: ignore[func-returns-value]

    monkeypatch.setattr(
        "builders.sample.degrading._FAULTS", {name: noting(name) for name in _FAULTS}
    )
    counts, every = set(), set()
    for seed in range(60):
        met.clear()
        degrade(drawn, seed)
        assert met == [name for name in _FAULTS if name in met]  # light before lens, once each
        counts.add(len(met))
        every |= set(met)
    assert counts == {2, 3, 4}
    assert every == set(_FAULTS)


def test_degraded_pictures_pair_with_the_clean_ones(tmp_path: Path) -> None:
    clean, worse, again = (Workspace(tmp_path / name) for name in ("clean", "worse", "again"))
    build_sample(clean, n=4, workers=1)
    built = build_sample(worse, n=4, degraded=True, workers=2)
    build_sample(again, n=4, degraded=True, workers=1)
    assert built.manifest.plan.settings["degraded"] is True
    assert sorted(path.name for path in worse.images.glob("*/*")) == sorted(
        path.name for path in again.images.glob("*/*")
    )
    for one, other in zip(iterate_items(clean), iterate_items(worse), strict=True):
        assert one.sha256 != other.sha256
        assert replace(one, image=None, sha256=None) == replace(other, image=None, sha256=None)
    # the other kind of picture in one workspace is another catalog
    assert build_sample(clean, n=4, degraded=True, workers=1).is_new


def test_the_command_says_so(run: Any, tmp_path: Path) -> None:
    for flags in ((), ("--degraded",)):
        ran = run("build-catalog", "sample", "--n", "2", *flags, "--workspace", tmp_path / "w")
        assert ran.code == 0, ran.err
        assert "2 rows = 2 items" in ran.out
        assert "nothing to do" not in ran.out
