"""Records of runs: what an evaluated model did, turn by turn, each with its Arrow schema."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Literal

import pyarrow as pa

from benchwright.arrow_fields import TEXT, TEXTS, required, struct_of

Told = Literal["yes", "no", "unsure", "skip"]  # what a player is told
Ended = Literal["guess", "out_of_turns", "failed"]
UploadKind = Literal["acknowledged", "echo", "question", "guess", "nothing"]
Noise = Literal["flip", "blur"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Build:
    """What answered: the part that it played, and what its server says of itself."""

    part: str  # player, detector, oracle, verifier, parser
    voter: str
    model: str | None
    build: str | None
    answers: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Upload:
    """What a player said to a batch of pictures before the last; ``batch`` counts from 1.

    ``kind`` ``echo`` is the signal that the uploading ends said by the player, ``nothing`` an
    empty, refused or cut answer. ``question`` and ``guess`` are premature (definition 13).
    """

    batch: int
    text: str
    kind: UploadKind


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """One thing that a question asks for: a value, or that it is absent (``is_negated``)."""

    type: str
    value: str
    is_negated: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """One turn of a game: a question or what was no question, and what was told.

    ``turn`` counts from 1. ``status`` is that of the reply, ``text`` all of it, ``question`` what
    was read out of it by the route ``read_by``; null where there was none. ``asked`` is what the
    question was mapped to by the route ``mapped_by``, empty where it could not be (definition 16).
    ``reason`` says why it was skipped, by the word of ``judged_by`` (rules, or a voter), null for
    what was answered. ``truth`` is what the oracle said before ``noise``. ``fits`` is how the
    verifier reads the question of each picture, in the order shown: a letter each, y, n or u
    (unknown); empty where nothing was answered. ``feasible`` are the pictures (numbers from 1)
    that all answers so far still allow, this turn's among them. ``unread`` names the parts whose
    model said what could not be read: the turn went on as if they had found or known nothing.
    """

    turn: int
    status: str
    text: str
    question: str | None
    read_by: str
    asked: tuple[Asked, ...]
    mapped_by: str
    told: Told
    reason: str | None
    judged_by: str | None
    truth: Told | None
    noise: Noise | None
    fits: str
    feasible: tuple[int, ...]
    unread: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Trajectory:
    """One hidden-target episode as it was played (AMIGO, sections 3.1 and 8).

    ``guess`` is the number of a picture, from 1, null where none was made; ``guess_text`` and
    ``guessed_by`` are all that was said with it and the route by which it was read. ``failed``
    means that a server gave no answer: the episode is not finished, and a rerun goes on.
    """

    run: str
    player: str
    config: str
    episode_id: str
    uploads: tuple[Upload, ...]
    turns: tuple[Turn, ...]
    guess: int | None
    guess_text: str | None
    guessed_by: str | None
    end: Ended
    builds: tuple[Build, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """Who played a part in a run beside the player: a voter, or what is no model."""

    part: str  # detector, oracle, verifier, ...
    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreRow:
    """One figure of a score, with all that says what was measured.

    ``release_commit`` is null for a release in a folder, ``model`` where nothing that is played
    is a model, ``prompt`` (the sha256 of all that a player is told) where a run made elsewhere does
    not say. ``parts`` are the others that took part, as far as the run says. ``parse_route`` names
    the routes by which replies were read, with their shares. ``metric`` is measured over ``of`` of
    the groups ``by``, such as the outcome verified; both are ``all`` for everything. ``value`` is
    null where there was nothing to measure; ``low`` and ``high``, a 95 % interval, also where the
    bootstrap shows no scatter. ``n`` counts what the value is the mean of: items, turns, answers.
    ``coverage`` is the share of the items to be played that are in the score, 0 to 1.
    """

    run: str
    release: str
    release_commit: str | None
    release_digest: str
    config: str
    player: str
    model: str | None
    builds: tuple[Build, ...]
    prompt: str | None
    parts: tuple[Part, ...]
    parse_route: str
    metric: str
    by: str
    of: str
    value: float | None
    low: float | None
    high: float | None
    n: int
    coverage: float


_BUILD = pa.schema(
    [
        required("part", TEXT),
        required("voter", TEXT),
        pa.field("model", TEXT),
        pa.field("build", TEXT),
        required("answers", pa.int32()),
    ]
)
_UPLOAD = pa.schema([required("batch", pa.int32()), required("text", TEXT), required("kind", TEXT)])
_ASKED = pa.schema(
    [required("type", TEXT), required("value", TEXT), required("is_negated", pa.bool_())]
)
_TURN = pa.schema(
    [
        required("turn", pa.int32()),
        required("status", TEXT),
        required("text", TEXT),
        pa.field("question", TEXT),
        required("read_by", TEXT),
        required("asked", pa.list_(struct_of(_ASKED))),
        required("mapped_by", TEXT),
        required("told", TEXT),
        *(pa.field(name, TEXT) for name in ("reason", "judged_by", "truth", "noise")),
        required("fits", TEXT),
        required("feasible", pa.list_(pa.int32())),
        required("unread", TEXTS),
    ]
)
_TRAJECTORY = pa.schema(
    [
        *(required(name, TEXT) for name in ("run", "player", "config", "episode_id")),
        required("uploads", pa.list_(struct_of(_UPLOAD))),
        required("turns", pa.list_(struct_of(_TURN))),
        pa.field("guess", pa.int32()),
        pa.field("guess_text", TEXT),
        pa.field("guessed_by", TEXT),
        required("end", TEXT),
        required("builds", pa.list_(struct_of(_BUILD))),
    ]
)
_PART = pa.schema([required("part", TEXT), required("name", TEXT)])
_SCORE_ROW = pa.schema(
    [
        required("run", TEXT),
        required("release", TEXT),
        pa.field("release_commit", TEXT),
        *(required(name, TEXT) for name in ("release_digest", "config", "player")),
        pa.field("model", TEXT),
        required("builds", pa.list_(struct_of(_BUILD))),
        pa.field("prompt", TEXT),
        required("parts", pa.list_(struct_of(_PART))),
        *(required(name, TEXT) for name in ("parse_route", "metric", "by", "of")),
        *(pa.field(name, pa.float64()) for name in ("value", "low", "high")),
        required("n", pa.int64()),
        required("coverage", pa.float64()),
    ]
)

RUN_SCHEMAS: Mapping[type[Any], pa.Schema] = MappingProxyType(
    {
        Build: _BUILD,
        Upload: _UPLOAD,
        Asked: _ASKED,
        Turn: _TURN,
        Trajectory: _TRAJECTORY,
        Part: _PART,
        ScoreRow: _SCORE_ROW,
    }
)
