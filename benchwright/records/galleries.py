"""Records of hidden-target galleries, each with its Arrow schema."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

import pyarrow as pa

from benchwright.arrow_fields import TEXT, TEXTS, required, struct_of
from benchwright.records.labels import Answer


@dataclass(frozen=True, slots=True, kw_only=True)
class TellingValue:
    """An askable value that tells the target from ``distractors`` pictures of its gallery."""

    type: str
    value: str
    answer: Answer  # for the target
    distractors: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Episode:
    """One hidden-target gallery (AMIGO, section 3.2) with what makes it solvable.

    ``image_ids`` is the order shown; ``target_index`` is 1-based in it; ``similarities`` are
    Sim(target, picture), 0 to 1, in the same order; ``pool_size`` counts all distractors found,
    also those that a smaller gallery leaves out.
    """

    episode_id: str
    tau: float
    target_id: str
    target_index: int
    image_ids: tuple[str, ...]
    similarities: tuple[float, ...]
    pool_size: int
    telling_values: tuple[TellingValue, ...]
    identifiable: bool
    identifiable_protocol: bool
    par: int | None
    par_protocol: int | None
    seed: int


_TELLING = pa.schema(
    [
        required("type", TEXT),
        required("value", TEXT),
        required("answer", TEXT),
        required("distractors", pa.int32()),
    ]
)

_EPISODE = pa.schema(
    [
        required("episode_id", TEXT),
        required("tau", pa.float64()),
        required("target_id", TEXT),
        required("target_index", pa.int32()),
        required("image_ids", TEXTS),
        required("similarities", pa.list_(pa.float64())),
        required("pool_size", pa.int32()),
        required("telling_values", pa.list_(struct_of(_TELLING))),
        required("identifiable", pa.bool_()),
        required("identifiable_protocol", pa.bool_()),
        pa.field("par", pa.int32()),
        pa.field("par_protocol", pa.int32()),
        required("seed", pa.int64()),
    ]
)

GALLERY_SCHEMAS: Mapping[type[Any], pa.Schema] = MappingProxyType(
    {
        TellingValue: _TELLING,
        Episode: _EPISODE,
    }
)
