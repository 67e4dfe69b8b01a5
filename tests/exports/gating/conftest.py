"""Galleries of the tests' own making: pictures that have values, and episodes of them."""

from collections.abc import Callable, Sequence
from types import SimpleNamespace

import numpy as np
import pytest

from benchwright import seeds
from benchwright.knowledge import Knowledge, Value
from benchwright.records import Episode
from exports.gating.known_galleries import KnownGalleries, rows_by_id


def name_of(number: int) -> str:
    """Return the id of a picture."""
    return f"{number:016x}"


def episode(number: int, pictures: Sequence[int], target_index: int = 1) -> Episode:
    """Return the episode of a gallery of numbered pictures."""
    return Episode(
        episode_id=f"e{number:04d}",
        tau=0.6,
        target_id=name_of(pictures[target_index - 1]),
        target_index=target_index,
        image_ids=tuple(name_of(one) for one in pictures),
        similarities=(1.0,) * len(pictures),
        pool_size=len(pictures) - 1,
        telling_values=(),
        identifiable=True,
        identifiable_protocol=True,
        par=1,
        par_protocol=1,
        seed=0,
    )


def episodes(count: int, size: int = 8, seed: int = 0, start: int = 0) -> list[Episode]:
    """Return galleries that share no picture; the place of each target is drawn by the seed."""
    return [
        episode(
            number,
            range(start + number * size, start + (number + 1) * size),
            1 + seeds.below(size, seed, "test place", str(number)),
        )
        for number in range(count)
    ]


def knowledge_of(has: np.ndarray, values: Sequence[Value] | None = None) -> Knowledge:
    """Return what is known of pictures 0 and on: ``has`` (n, m) is 1 yes, -1 no, 0 unknown."""
    named = values or [Value(type=f"t{at:03d}", value="v") for at in range(has.shape[1])]
    yes, no = (has == 1).astype(np.int64), (has == -1).astype(np.int64)
    return Knowledge(
        ids=np.arange(len(has), dtype=np.uint64),
        groups=np.arange(len(has)),
        values=tuple(named),
        indptr=np.concatenate([[0], yes.sum(axis=1).cumsum()]),
        yes=np.nonzero(yes)[1].astype(np.int32),
        no_indptr=np.concatenate([[0], no.sum(axis=1).cumsum()]),
        no=np.nonzero(no)[1].astype(np.int32),
    )


def galleries_of(
    found: Sequence[Episode], has: np.ndarray, values: Sequence[Value] | None = None
) -> KnownGalleries:
    """Return galleries with what is known of their pictures."""
    known = knowledge_of(has, values)
    return KnownGalleries(
        config="hidden-target-tau-0.6", episodes=found, knowledge=known, row_of=rows_by_id(known)
    )


def noise(seed: int, *shape: int) -> np.ndarray:
    """Return uniform numbers, 0 to 1."""
    return np.random.default_rng(seed).random(shape)


@pytest.fixture(scope="session")
def make() -> SimpleNamespace:
    """The functions above, for tests."""
    some: dict[str, Callable[..., object]] = {
        "name_of": name_of,
        "episode": episode,
        "episodes": episodes,
        "knowledge_of": knowledge_of,
        "galleries_of": galleries_of,
        "noise": noise,
    }
    return SimpleNamespace(**some)
