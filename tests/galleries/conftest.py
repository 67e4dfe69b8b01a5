"""Episodes for the tests of what is made of them."""

from collections.abc import Callable, Sequence

import pytest

from benchwright.records import Episode

MakeEpisode = Callable[..., Episode]


def _make_episode(image_ids: Sequence[str], **changes: object) -> Episode:
    given: dict[str, object] = {
        "episode_id": "e" * 16,
        "tau": 0.6,
        "target_id": image_ids[0],
        "target_index": 1,
        "image_ids": tuple(image_ids),
        "similarities": (1.0,) * len(image_ids),
        "pool_size": len(image_ids) - 1,
        "telling_values": (),
        "identifiable": True,
        "identifiable_protocol": True,
        "par": 1,
        "par_protocol": 1,
        "seed": 0,
    }
    return Episode(**(given | changes))  # type: ignore[arg-type]


@pytest.fixture(scope="session")
def make_episode() -> MakeEpisode:
    """Make the episode of a gallery; its target is the first picture unless said otherwise."""
    return _make_episode
