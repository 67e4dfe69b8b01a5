"""What turns pictures and texts into vectors, whoever does it."""

from collections.abc import Iterable, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Protocol

import numpy as np
import numpy.typing as npt
from PIL import Image

from benchwright.errors import UsageError

Vectors = npt.NDArray[np.float32]


class Embedder(Protocol):
    """A model that lays pictures and texts into one space; rows are float32 of length 1.

    ``name`` is what the user calls it. ``identity`` is sha256 in hex over everything that changes
    an embedding: architecture, weights, preprocessing. ``batch`` is how many pictures it is worth
    giving at once.
    """

    name: str
    identity: str
    batch: int

    def pictures(self, images: Iterable[Image.Image]) -> Vectors:
        """Return (n, d) for n upright sRGB pictures; they are taken one by one."""
        ...

    def texts(self, texts: Sequence[str]) -> Vectors:
        """Return (n, d) for n texts."""
        ...


class TestableEmbedder(Embedder, Protocol):
    """An embedder that can be looked into, for the self-test.

    ``mean`` and ``std`` (of red, green, blue, 0 to 1) are what its preprocessing claims to use.
    ``recorded`` is where embeddings that were recorded with it would lie.
    """

    mean: tuple[float, float, float]
    std: tuple[float, float, float]
    recorded: Path | None

    def prepared(self, image: Image.Image) -> Vectors:
        """Return what the network is given of a picture, (3, height, width)."""
        ...

    def other_activation(self) -> AbstractContextManager[bool]:
        """Swap GELU and its quick form while the context lasts; false where it has neither."""
        ...


def unit_rows(vectors: np.ndarray) -> Vectors:
    """Return float32 rows of length 1.

    Raises UsageError for a row that is 0 or not finite: the model is broken then.
    """
    wide = np.asarray(vectors, np.float64)
    lengths = np.linalg.norm(wide, axis=1, keepdims=True)
    if not (np.isfinite(lengths) & (lengths > 0)).all():
        raise UsageError("the model gave an embedding that is zero or no number; use another one")
    return np.asarray(wide / lengths, np.float32)
