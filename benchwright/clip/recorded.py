"""Embeddings that were recorded when a model was made: what it must give again.

The file lies beside the checkpoint (``known_embeddings.json`` in a local-dir). It holds what the
model gave for the drawn cards and for some texts of its own.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import numpy as np
import pydantic

from benchwright import files
from benchwright.clip.drawings import cards
from benchwright.clip.embedder import Embedder, Vectors
from benchwright.errors import UsageError
from benchwright.yaml_files import read_json_settings

# a cosine falls by half the square of the relative error: rounding, other processors and fp16
# weights stay above it; another mean, activation or order of channels does not, be the model small
LEAST_COSINE = 0.99999

_Vector = Annotated[list[pydantic.FiniteFloat], pydantic.Field(min_length=1, max_length=65_536)]


class Recorded(pydantic.BaseModel):
    """The file: embeddings of the cards by their names, and of texts."""

    model_config = pydantic.ConfigDict(extra="forbid", frozen=True)
    pictures: dict[str, _Vector]
    texts: dict[str, _Vector]


def write_recorded(path: Path, embedder: Embedder, texts: Sequence[str]) -> None:
    """Record what a model gives, for whoever loads it later; ``texts`` are some that it knows."""
    drawn = cards()
    recorded = {
        "pictures": _named(list(drawn), embedder.pictures(drawn.values())),
        "texts": _named(texts, embedder.texts(texts)),
    }
    files.write_json(path, recorded)


def compare(embedder: Embedder, path: Path) -> float:
    """Return the least cosine of what a model gives and what was recorded.

    Raises UsageError when it is under 0.99999, and when the file is none or has nothing to compare.
    """
    recorded = read_json_settings(
        path, Recorded, "bring the recorded embeddings back, or move the file away"
    )
    drawn = cards()
    names = [name for name in recorded.pictures if name in drawn]
    if not names or not recorded.texts:
        raise UsageError(
            f"{path}: records no picture that is known here ({', '.join(drawn)}) or no text; record"
            " it again"
        )
    texts = list(recorded.texts)
    found = {
        **_cosines(names, embedder.pictures(drawn[name] for name in names), recorded.pictures),
        **_cosines(texts, embedder.texts(texts), recorded.texts),
    }
    worst = min(found, key=lambda name: found[name])
    if not found[worst] >= LEAST_COSINE:
        raise UsageError(
            f"{embedder.name}: its embedding of {worst!r} has a cosine of {found[worst]:.6f} to the"
            f" one recorded in {path.name} (wanted {LEAST_COSINE}): wrong weights, activation,"
            " preprocessing or tokenizer; bring back the files that belong together"
        )
    return found[worst]


def _named(names: Sequence[str], vectors: Vectors) -> dict[str, list[float]]:
    return {
        name: [round(value, 6) for value in vector.tolist()]
        for name, vector in zip(names, vectors, strict=True)
    }


def _cosines(
    names: Sequence[str], vectors: Vectors, recorded: dict[str, list[float]]
) -> dict[str, float]:
    found = {}
    for name, vector in zip(names, vectors.astype(np.float64), strict=True):
        wanted = np.array(recorded[name])
        length = float(np.linalg.norm(wanted))
        fits = wanted.shape == vector.shape and length > 0
        found[name] = float(vector @ wanted) / length if fits else 0.0
    return found
