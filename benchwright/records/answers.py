"""Records of what evaluated models answered to dialogues, each with its Arrow schema."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Literal

import pyarrow as pa

from benchwright.arrow_fields import BOX, TEXT, TEXTS, required, struct_of
from benchwright.records.dialogues import DIALOGUE_SCHEMAS, Response
from benchwright.records.runs import RUN_SCHEMAS, Build

ChainMode = Literal["planning", "following", "final", "alone"]


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayedResponse(Response):
    """A response as a run writes it, with columns that other readers of responses pass over.

    ``status`` is that of the reply: ok, refused or truncated. A turn to which no answer came has
    no row.
    """

    status: str
    builds: tuple[Build, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Grounding:
    """What a model answered to one candidate-set sample: a dialogue up to a turn.

    ``boxes`` are those that could be read by the route ``read_by``, [x, y, width, height] in
    pixels of the upright picture, in the order given and before any is left out. ``chosen`` are
    ids of boxes where the true candidates were given to choose from. ``status`` is that of the
    reply; a failed one is to be asked again.
    """

    run: str
    model: str
    dialogue_id: str
    turn: int
    image_id: str
    status: str
    text: str
    boxes: tuple[tuple[float, float, float, float], ...]
    chosen: tuple[str, ...]
    read_by: str
    builds: tuple[Build, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ChainAnswer:
    """What a model answered at one step of a question chain.

    ``mode`` says what was asked: the next question (planning), the answer to the given one
    (following), or the last question after the chain (final) or without it (alone); at the last
    step of planning it is the last question after the model's own plan. ``step`` counts from 1.
    ``order`` are the places of the options, from 0, in the order in which they were shown: those
    of the record in its order, then the further ones of a larger set. ``rotation`` counts circular
    shifts of it. ``pick`` is the place, in the same count, of the one that was read by the route
    ``read_by``; null where none could be.
    """

    run: str
    model: str
    chain_id: str
    image_id: str
    mode: ChainMode
    step: int
    rotation: int
    order: tuple[int, ...]
    status: str
    text: str
    pick: int | None
    read_by: str
    builds: tuple[Build, ...]


_BUILDS = pa.list_(struct_of(RUN_SCHEMAS[Build]))
_PLAYED_RESPONSE = pa.schema(
    [*DIALOGUE_SCHEMAS[Response], required("status", TEXT), required("builds", _BUILDS)]
)
_GROUNDING = pa.schema(
    [
        *(required(name, TEXT) for name in ("run", "model", "dialogue_id")),
        required("turn", pa.int32()),
        *(required(name, TEXT) for name in ("image_id", "status", "text")),
        required("boxes", pa.list_(BOX)),
        required("chosen", TEXTS),
        required("read_by", TEXT),
        required("builds", _BUILDS),
    ]
)
_CHAIN_ANSWER = pa.schema(
    [
        *(required(name, TEXT) for name in ("run", "model", "chain_id", "image_id", "mode")),
        required("step", pa.int32()),
        required("rotation", pa.int32()),
        required("order", pa.list_(pa.int32())),
        *(required(name, TEXT) for name in ("status", "text")),
        pa.field("pick", pa.int32()),
        required("read_by", TEXT),
        required("builds", _BUILDS),
    ]
)

ANSWER_SCHEMAS: Mapping[type[Any], pa.Schema] = MappingProxyType(
    {PlayedResponse: _PLAYED_RESPONSE, Grounding: _GROUNDING, ChainAnswer: _CHAIN_ANSWER}
)
