"""Records of training data made of runs: steps and preference pairs, each with its Arrow schema."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Literal

import pyarrow as pa

from benchwright.arrow_fields import TEXT, TEXTS, required, struct_of
from benchwright.records.runs import RUN_SCHEMAS, Asked, Told

ActionKind = Literal["question", "guess", "nothing"]


@dataclass(frozen=True, slots=True, kw_only=True)
class MessagePart:
    """A part of a message: a text, or where a picture stands, whose ``text`` is null."""

    type: Literal["text", "image"]
    text: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatMessage:
    """A message in the form that chat templates of vision-language models take."""

    role: Literal["user", "assistant"]
    content: tuple[MessagePart, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One action of a player in a hidden-target episode (AMIGO, section 8).

    State: ``messages`` are the dialogue so far, in which the pictures stand in the order of
    ``image_ids``; ``feasible`` are the numbers (from 1) that the answers so far allow, and
    ``types_asked`` the types of which a question was answered.

    Action: ``action`` is all that was said, of a ``kind``; ``asked`` what its question was mapped
    to, ``guess`` the number of the guess that ends the episode.

    Observation: ``told`` with the ``reason`` of a skip, null for a guess; ``is_noisy`` where noise
    made it another than the truth. ``next_feasible`` is the state after it.

    ``reward`` is the sum of ``skip_reward`` (0 or less), ``information_reward`` and
    ``terminal_reward``. ``information_gain`` is in bits, before it is weighed. ``is_terminal``
    tells that the episode ends by this guess, ``is_truncated`` that it ends for want of turns.

    By labels, in bits: ``expected_gain`` of what was asked, ``most_gain`` of any question that was
    left (each type once), ``regret`` the second less the first; null where labels do not tell.
    ``reference`` is what the reference questioner would have asked, of ``reference_gain``; null
    where it has nothing to ask.
    """

    run: str
    player: str
    release: str
    config: str
    episode_id: str
    step: int
    image_ids: tuple[str, ...]
    messages: tuple[ChatMessage, ...]
    feasible: tuple[int, ...]
    feasible_size: int
    types_asked: tuple[str, ...]
    action: str
    kind: ActionKind
    asked: tuple[Asked, ...]
    guess: int | None
    told: Told | None
    reason: str | None
    is_noisy: bool
    next_feasible: tuple[int, ...]
    next_feasible_size: int
    information_gain: float
    skip_reward: float
    information_reward: float
    terminal_reward: float
    reward: float
    is_terminal: bool
    is_truncated: bool
    expected_gain: float | None
    most_gain: float | None
    regret: float | None
    reference: str | None
    reference_gain: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Pair:
    """Two questions in the same state, of which one tells more (AMIGO, section 8).

    ``prompt``, ``chosen`` and ``rejected`` are conversations as preference training takes them;
    the pictures of the prompt stand in the order of ``image_ids`` and lie in ``release``.
    ``rejected`` was said in step ``step`` of ``run``; ``reason`` is why it was skipped, null where
    it was answered. ``source`` says who would ask, or asked, ``chosen``: the reference questioner,
    or the player of ``source_run`` with the same pictures left. ``margin`` is the difference of
    their expected information gain by labels, in bits, over 0; that of a skip is 0.
    """

    run: str
    player: str
    release: str
    config: str
    episode_id: str
    step: int
    image_ids: tuple[str, ...]
    prompt: tuple[ChatMessage, ...]
    chosen: tuple[ChatMessage, ...]
    rejected: tuple[ChatMessage, ...]
    margin: float
    chosen_gain: float
    rejected_gain: float
    reason: str | None
    source: Literal["reference", "player"]
    source_run: str | None


_PART = pa.schema([required("type", TEXT), pa.field("text", TEXT)])
_MESSAGE = pa.schema([required("role", TEXT), required("content", pa.list_(struct_of(_PART)))])
_MESSAGES = pa.list_(struct_of(_MESSAGE))
_NUMBERS = pa.list_(pa.int32())
_EPISODE = ("run", "player", "release", "config", "episode_id")
_STEP = pa.schema(
    [
        *(required(name, TEXT) for name in _EPISODE),
        required("step", pa.int32()),
        required("image_ids", TEXTS),
        required("messages", _MESSAGES),
        required("feasible", _NUMBERS),
        required("feasible_size", pa.int32()),
        required("types_asked", TEXTS),
        required("action", TEXT),
        required("kind", TEXT),
        required("asked", pa.list_(struct_of(RUN_SCHEMAS[Asked]))),
        pa.field("guess", pa.int64()),
        pa.field("told", TEXT),
        pa.field("reason", TEXT),
        required("is_noisy", pa.bool_()),
        required("next_feasible", _NUMBERS),
        required("next_feasible_size", pa.int32()),
        *(
            required(name, pa.float64())
            for name in (
                "information_gain",
                "skip_reward",
                "information_reward",
                "terminal_reward",
                "reward",
            )
        ),
        required("is_terminal", pa.bool_()),
        required("is_truncated", pa.bool_()),
        *(pa.field(name, pa.float64()) for name in ("expected_gain", "most_gain", "regret")),
        pa.field("reference", TEXT),
        pa.field("reference_gain", pa.float64()),
    ]
)
_PAIR = pa.schema(
    [
        *(required(name, TEXT) for name in _EPISODE),
        required("step", pa.int32()),
        required("image_ids", TEXTS),
        *(required(name, _MESSAGES) for name in ("prompt", "chosen", "rejected")),
        *(required(name, pa.float64()) for name in ("margin", "chosen_gain", "rejected_gain")),
        pa.field("reason", TEXT),
        required("source", TEXT),
        pa.field("source_run", TEXT),
    ]
)

STEP_SCHEMAS: Mapping[type[Any], pa.Schema] = MappingProxyType(
    {MessagePart: _PART, ChatMessage: _MESSAGE, Step: _STEP, Pair: _PAIR}
)
