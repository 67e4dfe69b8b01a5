"""Guesses of the target: by colours, by a model, by labels, by how common attributes are."""

from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from PIL import Image

from benchwright.files import sha256_of
from benchwright.records import Episode
from exports.gating.attribute_frequency import attribute_frequencies
from exports.gating.nearest_picture import Pictures, colours_of, nearest_pictures


def histograms(make: SimpleNamespace, some: list[Episode], kind: str, seed: int = 0) -> Pictures:
    """Return counts of colours: noise, or targets that tell themselves in some way."""
    by_colour = {}
    for number, one in enumerate(some):
        for at, name in enumerate(one.image_ids):
            counts = np.floor(100 * make.noise(seed * 10_000 + number * 100 + at, 64)).astype(int)
            if name == one.target_id and kind == "flat":  # in the middle of all others
                counts = np.full(64, 50)
            if name == one.target_id and kind == "apart":  # of other colours than all others
                counts = np.where(np.arange(64) < 2, 900, 0)
            by_colour[name] = counts
    return Pictures(by_colour=by_colour, by_model=None, model=None)


@pytest.mark.parametrize(
    ("kind", "said"),
    [
        ("noise", None),
        ("flat", "nearest to the others on average"),
        ("apart", "farthest from the others on average"),
    ],
)
def test_targets_that_colours_tell_are_found(
    make: SimpleNamespace, kind: str, said: str | None
) -> None:
    some = make.episodes(60)
    has = (make.noise(2, 60 * 8, 12) < 0.4).astype(int)
    colours, labels = nearest_pictures(make.galleries_of(some, has), histograms(make, some, kind))
    assert colours.passed == (said is None)
    assert (colours.chance, colours.limit, colours.n) == (0.125, 0.225, 60)
    assert labels.outcome == "information"
    if said is not None:
        assert said in colours.what
        assert colours.found > 50
        assert colours.rows[0] == "e0000"


def test_few_galleries_that_chance_told_prove_nothing(make: SimpleNamespace) -> None:
    some = make.episodes(1)
    has = (make.noise(2, 8, 12) < 0.4).astype(int)
    found = next(nearest_pictures(make.galleries_of(some, has), histograms(make, some, "flat")))
    assert found.figure == 1
    assert found.outcome == "too few to tell"


def test_a_model_is_held_to_what_labels_tell(make: SimpleNamespace) -> None:
    """Targets in the middle of their labels: a model that sees as much is no fault of a release."""
    some = make.episodes(60)
    has = (make.noise(2, 480, 12) < 0.4).astype(int)
    for one in some:
        rows = [int(name, 16) for name in one.image_ids]
        has[rows] = make.noise(rows[0], 8, 12) < 0.5
        has[int(one.target_id, 16)] = has[rows].mean(axis=0) >= 0.5
    galleries = make.galleries_of(some, has)

    def seen(vectors: np.ndarray) -> Pictures:
        by_model = {make.name_of(at): row.astype(np.float32) for at, row in enumerate(vectors)}
        colours = histograms(make, some, "noise").by_colour
        return Pictures(by_colour=colours, by_model=by_model, model="a model")

    _, by_labels_alone, labels = nearest_pictures(galleries, seen(has + 0.01))
    assert (by_labels_alone.figure or 0) > 0.5
    assert by_labels_alone.passed
    # a limit over 100 % would be one that nothing fails
    assert (labels.high or 0) > 0.9
    assert (by_labels_alone.limit, by_labels_alone.outcome) == (None, "information")
    assert "by a model" in by_labels_alone.what
    has[:] = make.noise(3, 480, 12) < 0.5  # now labels tell nothing, and the model still does
    marked = make.noise(4, 480, 12) - 0.5
    marked[[int(one.target_id, 16) for one in some]] = 0.001
    marked += 0.3
    _, by_model, labels = nearest_pictures(make.galleries_of(some, has), seen(marked))
    assert by_model.limit == pytest.approx((labels.high or 0) + 0.1)
    assert not by_model.passed


def test_colours_are_counted_in_a_small_copy(tmp_path: Path) -> None:
    path = tmp_path / "ab" / "x.png"
    path.parent.mkdir()
    picture = Image.new("RGB", (300, 200), (255, 0, 0))
    picture.paste((0, 0, 255), (0, 0, 150, 200))
    picture.save(path)
    stored = path.rename(path.with_stem(sha256_of(path)))  # as a catalog names it
    counts = colours_of(stored)
    assert counts.sum() == 32 * 32
    assert counts[3 * 16] == counts[3] == 512  # red, blue


@pytest.mark.parametrize(
    ("kind", "said"),
    [
        ("noise", None),
        ("common", "most common"),  # targets have what half of the catalog has
        ("rare", "rarest"),
    ],
)
def test_targets_that_are_common_or_rare_are_found(
    make: SimpleNamespace, kind: str, said: str | None
) -> None:
    some = make.episodes(60)
    share = np.linspace(0.05, 0.6, 12)
    has = (make.noise(2, 480, 12) < share).astype(int)
    targets = [int(one.target_id, 16) for one in some]
    if kind == "common":
        has[targets] = [0] * 9 + [1] * 3
    if kind == "rare":
        has[targets] = [1] * 2 + [0] * 10
    found, in_gallery = attribute_frequencies(make.galleries_of(some, has))
    assert found.passed == (said is None)
    assert in_gallery.outcome == "information"
    if said is not None:
        assert said in found.what


def test_false_alarms_of_guesses(make: SimpleNamespace) -> None:
    """Of 40 sound releases of 60 galleries none fails, by colours or by attributes."""
    for seed in range(40):
        some = make.episodes(60, seed=seed)
        has = (make.noise(1_000 + seed, 480, 12) < 0.4).astype(int)
        galleries = make.galleries_of(some, has)
        checks = [
            *nearest_pictures(galleries, histograms(make, some, "noise", seed)),
            *attribute_frequencies(galleries),
        ]
        assert [one.name for one in checks if not one.passed] == []
