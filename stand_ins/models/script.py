"""What a scripted server is told to be: models, pictures it knows, how often it errs, its faults.

A script is data: it can be written as JSON or YAML and read by another process.
"""

from pathlib import Path
from typing import Annotated, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

from benchwright.asking.voters import PictureTokens
from benchwright.yaml_files import read_settings

Rate = Annotated[float, Field(ge=0, le=1, allow_inf_nan=False)]
Count = Annotated[int, Field(ge=0)]
Positive = Annotated[int, Field(gt=0)]
Seconds = Annotated[float, Field(ge=0, allow_inf_nan=False)]
TypeAndValue = tuple[str, str]

Structured = Literal["enforced", "ignored", "rejected", "failing"]
Style = Literal["plain", "sentence", "markdown", "json", "chinese", "reasoning", "reasoning_field"]


class _Settings(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Value(_Settings):
    """A value of an attribute type that can be asked for, and other names of it."""

    type: str
    value: str
    aliases: tuple[str, ...] = ()


class ErrorRate(_Settings):
    """How often a model errs where all that is named here fits; null fits everything.

    ``on_yes`` is how often a true yes is answered no, ``on_no`` the opposite; a model that errs
    at 0.5 in both is blind. ``template`` is a ``template_of`` the wording. For a share ``common``
    of all pictures and values the error is drawn once for all wordings, so that it is also the
    correlation of the errors of two wordings. Of the rows that fit, the last counts.
    """

    type: str | None = None
    value: str | None = None
    template: str | None = None
    on_yes: Rate = 0.0
    on_no: Rate = 0.0
    common: Rate = 0.0


class Model(_Settings):
    """One model: how it speaks, how often it errs and what its server makes of each field.

    ``hedge`` and ``refuse`` are shares of questions; ``unsteady`` is the share of requests that
    get the opposite answer at every second asking. ``json_schema`` and ``json_object`` say what
    becomes of a response_format: followed, ignored, refused with 400 or answered with 500.
    ``tools`` says what becomes of tools: the brain gets them, never hears of them, or a 400.
    ``cap`` ``completion`` refuses max_tokens. ``sees``: ``refuses`` is a text-only server that
    answers 400 to a picture, ``blind`` one that answers that it cannot see. More pictures than
    ``pictures_at_most``, a longer side than ``longest_side`` pixels and more tokens than
    ``context`` are a 400. ``seconds`` is how long each answer takes.
    """

    name: Annotated[str, Field(min_length=1)] = "scripted"
    fingerprint: str | None = "scripted-1"
    style: Style = "plain"
    errors: tuple[ErrorRate, ...] = ()
    hedge: Rate = 0.0
    refuse: Rate = 0.0
    unsteady: Rate = 0.0
    logprobs: Literal["given", "ignored", "rejected"] = "given"
    json_schema: Structured = "enforced"
    json_object: Structured = "enforced"
    tools: Literal["given", "ignored", "rejected"] = "given"
    unknown_fields: Literal["ignored", "rejected"] = "ignored"
    cap: Literal["either", "completion"] = "either"
    sees: Literal["yes", "refuses", "blind"] = "yes"
    pictures_at_most: Positive | None = None
    longest_side: Positive | None = None
    context: Positive | None = None
    picture_tokens: PictureTokens = PictureTokens(fixed=100)
    seconds: Seconds = 0.0


FaultKind = Literal[
    "rate_limit",  # 429, with Retry-After where retry_after is given
    "quota",  # 429 insufficient_quota
    "server_error",  # 500
    "unavailable",  # 503, with Retry-After where retry_after is given
    "reset",  # the connection is reset before the answer
    "reset_in_body",  # and in the middle of it
    "slow",  # the answer comes after ``seconds``; other faults may follow
    "truncated",  # finish_reason length, half of the text
    "truncated_null",  # finish_reason length, content null
    "refusal",  # a refusal in the field of that name
    "content_filter",
    "broken_json",  # 200 with a body that is cut off
    "no_choices",  # 200 with JSON that has no choices
    "wrong_structure",  # a text that is JSON of no schema that was asked for
]


class Fault(_Settings):
    """A fault of the server, at a rate or at the requests with these numbers.

    ``ordinals`` count, from 0, the chat requests to ``models`` (null: to any) in the order in
    which they came. With ``rate`` each asking of each request is drawn by its content, so that
    the order in which they come does not matter. Of several faults that fit, the first happens.
    """

    kind: FaultKind
    rate: Rate = 0.0
    ordinals: tuple[Count, ...] = ()
    models: tuple[str, ...] | None = None
    retry_after: Seconds | None = None
    retry_after_as: Literal["seconds", "date"] = "seconds"
    seconds: Seconds = 1.0


class CodedPictures(_Settings):
    """The server reads coded pictures (see coded.py); the script's values are their cells.

    The values in ``fine`` are seen only where the code is at least ``fine_side`` pixels long.
    """

    kind: Literal["coded"] = "coded"
    fine: tuple[TypeAndValue, ...] = ()
    fine_side: Positive = 1


class Reference(_Settings):
    """A picture that the server knows: its file, and the values that are true of it."""

    path: Path
    values: tuple[TypeAndValue, ...]


class KnownPictures(_Settings):
    """The server knows these pictures by sight; values that a reference does not list are no."""

    kind: Literal["known"] = "known"
    references: Annotated[dict[str, Reference], Field(min_length=1)]


class BatchRules(_Settings):
    """How batches go: done at the ``polls``-th look at them, or not at all.

    ``expired`` ends with half of the lines answered, ``failed`` with none. A file over
    ``max_bytes`` is not taken; a batch of more than ``max_lines`` fails its validation.
    """

    polls: Positive = 1
    outcome: Literal["completed", "expired", "failed"] = "completed"
    max_bytes: Positive = 200_000_000
    max_lines: Positive = 50_000


class Script(_Settings):
    """All that a scripted server is told.

    ``keys`` are the API keys that it takes; without any it takes all, and none. ``brain`` names
    a function ``module:function`` that answers instead of the yes/no brain (see question.py).
    """

    seed: int = 0
    models: Annotated[tuple[Model, ...], Field(min_length=1)] = (Model(),)
    keys: tuple[str, ...] = ()
    values: tuple[Value, ...] = ()
    eyes: Annotated[CodedPictures | KnownPictures, Field(discriminator="kind")] | None = None
    brain: Annotated[str, Field(pattern=r"^[\w.]+:\w+$")] | None = None
    faults: tuple[Fault, ...] = ()
    batches: BatchRules = BatchRules()

    @model_validator(mode="after")
    def _names_what_is_there(self) -> Self:
        names = {model.name for model in self.models}
        if len(names) < len(self.models):
            raise ValueError("two models have the same name")
        named = {name for fault in self.faults for name in fault.models or ()}
        if named - names:
            raise ValueError(f"faults name models that are not there: {sorted(named - names)}")
        values = {(value.type, value.value) for value in self.values}
        rows = [row for model in self.models for row in model.errors]
        wrong = [row for row in rows if not any(_fits(row, *pair) for pair in values)]
        if wrong:
            raise ValueError(f"an error rate is for values that are not there: {wrong[0]!r}")
        if isinstance(self.eyes, CodedPictures) and set(self.eyes.fine) - values:
            raise ValueError("fine names values that are not there")
        return self


def _fits(row: ErrorRate, type_: str, value: str) -> bool:
    return row.type in (None, type_) and row.value in (None, value)


def read_script(path: Path) -> Script:
    """Return the script in a JSON or YAML file.

    Raises UsageError for YAML that is none, pydantic's ValidationError for such JSON.
    """
    if path.suffix == ".json":  # references of hundreds of pictures are slow as YAML
        return Script.model_validate_json(path.read_bytes())
    return read_settings(path, Script)
