"""The file that names the models that are asked, where they are, what they take and cost."""

import json
import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, Literal, Self
from urllib.parse import urlsplit

from pydantic import BaseModel, ConfigDict, Field, field_validator, model_validator

from benchwright.errors import UsageError
from benchwright.yaml_files import as_settings, read_yaml

Positive = Annotated[int, Field(gt=0)]
Money = Annotated[float, Field(ge=0, allow_inf_nan=False)]
VoterName = Annotated[str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]*$", max_length=80)]

# what label-attributes reads of the same file (labeling/attributes/voting/ensemble.py)
ENSEMBLE_KEYS = frozenset(
    {"views", "templates", "context", "method", "margin", "quorum", "full", "values_per_call"}
)


# what a run asks with: any cap, temperature 0, 1 or none named, an answer in words or as JSON
_LARGE_CAP = 10**9
_ASKED: tuple[Mapping[str, Any], ...] = tuple(
    {**heat, **form}
    for heat in ({}, {"temperature": 0}, {"temperature": 1})
    for form in ({}, {"response_format": {"type": "json_object"}})
)


_CALL = "/chat/completions"  # which the client adds
_EXACT = 2**53  # floats from here on stand for several whole numbers: 1e300 stays what it is


class _Settings(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class PictureLimits(_Settings):
    """What pictures a voter takes; sides in pixels.

    A longer side than ``max_side`` is scaled down, a shorter one than ``min_side`` padded;
    ``quality`` is that of JPEG, 1 to 95; ``at_once`` is how many pictures one call may hold.
    """

    max_side: Positive = 1536
    min_side: Positive = 28
    format: Literal["jpeg", "png"] = "jpeg"
    quality: Annotated[int, Field(ge=1, le=95)] = 92
    at_once: Positive | None = None

    @model_validator(mode="after")
    def _sides_in_order(self) -> Self:
        if self.min_side > self.max_side:
            raise ValueError(f"min_side {self.min_side} is over max_side {self.max_side}")
        return self

    def encoding(self) -> dict[str, Any]:
        """Return what of the limits changes the bytes that are sent."""
        chosen = {"max_side": self.max_side, "min_side": self.min_side, "format": self.format}
        return chosen | ({"quality": self.quality} if self.format == "jpeg" else {})


class PictureTokens(_Settings):
    """How many tokens a picture costs, by its size; one of three rules.

    ``fixed``: always so many. ``patch``: ``per_patch`` for each square of so many pixels, of
    which there are at most ``most``. ``tile``: ``per_tile`` for each square of ``tile`` pixels
    after the picture was scaled to ``longest`` and its shorter side to ``shortest``; ``base`` is
    added in each.
    """

    fixed: Positive | None = None
    patch: Positive | None = None
    most: Positive | None = None
    per_patch: Annotated[float, Field(gt=0, allow_inf_nan=False)] = 1.0
    tile: Positive | None = None
    per_tile: Positive = 170
    longest: Positive = 2048
    shortest: Positive = 768
    base: Annotated[int, Field(ge=0)] = 0

    @model_validator(mode="after")
    def _one_rule(self) -> Self:
        if sum(rule is not None for rule in (self.fixed, self.patch, self.tile)) != 1:
            raise ValueError("name one of fixed, patch and tile")
        return self


class Price(_Settings):
    """Money for a million tokens; ``batch`` is the share of it that the Batch API takes."""

    input: Money
    output: Money
    cached_input: Money | None = None
    batch: Annotated[float, Field(ge=0, le=1)] = 0.5
    currency: str = "USD"


class Voter(_Settings):
    """One model behind an OpenAI-compatible server.

    ``revision`` tells apart what has the same model name but answers otherwise (a quantisation,
    a build). ``api_key_env`` names the environment variable that holds the key. ``cap`` is the
    field that limits the answer; ``max_tokens`` raises every cap to at least so many, for models
    that reason first. ``logprobs`` is how many alternatives of each token are asked for, 0 for
    none. ``parameters`` are fields of every body. ``timeout`` is in seconds; ``patience`` too:
    for so long a server that stopped answering is waited for.
    """

    kind: Literal["model"] = "model"
    name: VoterName
    model: Annotated[str, Field(min_length=1)]
    base_url: str
    revision: str = ""
    api_key_env: Annotated[str, Field(pattern=r"^[A-Za-z_][A-Za-z0-9_]*$")] | None = None
    weight: Positive = 1
    concurrency: Positive = 8
    requests_per_minute: Positive | None = None
    tokens_per_minute: Positive | None = None
    timeout: Annotated[float, Field(gt=0, allow_inf_nan=False)] = 120.0
    patience: Annotated[float, Field(gt=0, allow_inf_nan=False)] = 3600.0
    cap: Literal["max_tokens", "max_completion_tokens"] = "max_tokens"
    max_tokens: Positive | None = None
    logprobs: Annotated[int, Field(ge=0, le=20)] = 0
    structured: Literal["none", "json_object", "json_schema"] = "none"
    parameters: dict[str, Any] = Field(default_factory=dict)
    pictures: PictureLimits = Field(default_factory=PictureLimits)
    picture_tokens: PictureTokens | None = None
    price: Price | None = None

    @field_validator("base_url")
    @classmethod
    def _is_plain_url(cls, value: str) -> str:
        parts = urlsplit(value)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise ValueError(
                "wants an address such as http://localhost:8000/v1, with http in front"
            )
        if parts.username or parts.password or parts.query:
            raise ValueError("wants no name, password or query: a key comes by api_key_env")
        address = value.rstrip("/")
        if address.endswith(_CALL):
            raise ValueError(f"write {address.removesuffix(_CALL)}, without {_CALL}")
        return address

    @field_validator("parameters")
    @classmethod
    def _leaves_ours(cls, value: dict[str, Any]) -> dict[str, Any]:
        ours = sorted({"model", "messages", "stream", "n"} & set(value))
        if ours:
            raise ValueError(f"{', '.join(ours)} cannot be set here")
        beside = sorted({"max_tokens", "max_completion_tokens", "logprobs"} & set(value))
        if beside or "top_logprobs" in value:
            raise ValueError("max_tokens, cap and logprobs stand beside parameters, not within")
        strange = _no_json(value)
        if strange is not None:
            raise ValueError(f"wants what JSON can say, and {strange} it cannot")
        return value

    def cap_for(self, max_tokens: int) -> int:
        """Return how many tokens an answer may have where so many are wanted."""
        return max(max_tokens, self.max_tokens or 0)

    def fields(self, max_tokens: int, parameters: Mapping[str, Any]) -> dict[str, Any]:
        """Return the fields of a body apart from model and messages.

        What the file names wins over what a request does; a null there takes a field away. A
        whole number is an integer there, at any depth: 0.0 asks for what 0 does.
        """
        fields: dict[str, Any] = dict(parameters)
        fields[self.cap] = self.cap_for(max_tokens)
        if self.logprobs:
            fields |= {"logprobs": True, "top_logprobs": self.logprobs}
        fields |= self.parameters
        return {name: _whole(value) for name, value in fields.items() if value is not None}

    def settings(self) -> dict[str, Any]:
        """Return what of the entry changes what it answers: no address, no pace, no price."""
        fields = ("kind", "name", "model", "revision", "cap", "max_tokens", "logprobs")
        chosen: dict[str, Any] = {name: getattr(self, name) for name in fields}
        chosen |= {"structured": self.structured, "parameters": self.parameters}
        return chosen | {"encoding": self.pictures.encoding()}

    def ways(self) -> frozenset[str]:
        """Return how the voter asks a model: two that have one of them can share an answer.

        A text without a picture is asked in the same way whatever ``pictures`` says, and a cap
        that a question raises is the same whatever ``max_tokens`` says.
        """
        who = [self.model, self.revision]
        asked = (self.fields(_LARGE_CAP, parameters) for parameters in _ASKED)
        return frozenset(json.dumps([*who, sorted(fields.items())]) for fields in asked)


def _whole(value: Any) -> Any:
    """Return a value of JSON with the whole numbers in it as integers."""
    if isinstance(value, float) and value.is_integer() and abs(value) < _EXACT:
        return int(value)
    if isinstance(value, Mapping):
        return {name: _whole(each) for name, each in value.items()}
    if isinstance(value, list | tuple):
        return [_whole(each) for each in value]
    return value


def _no_json(value: Any) -> str | None:
    """Return the first thing within a value that JSON cannot say, null where it can say all."""
    if value is None or isinstance(value, str | bool | int):
        return None
    if isinstance(value, float):
        return None if math.isfinite(value) else repr(value)
    if isinstance(value, dict):
        strange = next((name for name in value if not isinstance(name, str)), None)
        if strange is not None:
            return f"the key {strange!r:.40}"
        value = list(value.values())
    if isinstance(value, list):
        return next((found for each in value if (found := _no_json(each))), None)
    return f"{value!r:.40}"


class VotersFile(_Settings):
    """The whole file: ``voters:`` and a list."""

    voters: Annotated[tuple[Voter, ...], Field(min_length=1)]

    @model_validator(mode="after")
    def _are_told_apart(self) -> Self:
        check_told_apart(self.voters)
        return self


def check_told_apart(voters: Sequence[Voter]) -> None:
    """Raise ValueError where two voters have one name or would share their answers."""
    names: set[str] = set()
    owners: dict[str, str] = {}
    for voter in voters:
        if voter.name in names:
            raise ValueError(f"two voters are named {voter.name!r}")
        names.add(voter.name)
        ways = voter.ways()
        other = next((owner for way, owner in owners.items() if way in ways), None)
        if other is not None:
            raise ValueError(
                f"{other!r} and {voter.name!r} ask the same model in the same way and would"
                " share answers; give one of them a revision"
            )
        owners |= dict.fromkeys(ways, voter.name)


def read_voters(path: Path) -> tuple[Voter, ...]:
    """Return the voters of a file that are model servers, in its order.

    An ensemble.yaml is such a file too: what else stands in it is left aside here.

    Raises UsageError that names file and key when it is no such file.
    """
    said = read_yaml(path)
    if isinstance(said, dict):
        said = {name: value for name, value in said.items() if name not in ENSEMBLE_KEYS}
        voters = said.get("voters")
        if isinstance(voters, list):
            said["voters"] = [voter for voter in voters if _is_model(voter)]
    return as_settings(said, VotersFile, path).voters


def chosen_voters(path: Path, only: Sequence[str] = ()) -> tuple[Voter, ...]:
    """Return the voters of a file, with ``only`` those of these names, in the order of the file.

    Raises UsageError for a file that is none and for names that it does not hold.
    """
    voters = read_voters(path)
    unknown = sorted(set(only) - {voter.name for voter in voters})
    if unknown:
        names = ", ".join(voter.name for voter in voters)
        raise UsageError(f"{path}: has no voter {', '.join(unknown)}; it names {names}")
    return tuple(voter for voter in voters if not only or voter.name in only)


def _is_model(voter: Any) -> bool:
    return not isinstance(voter, dict) or voter.get("kind", "model") == "model"
