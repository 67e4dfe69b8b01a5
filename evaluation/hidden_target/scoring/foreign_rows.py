"""Rows of runs made elsewhere, as they must look; what they may leave out is null."""

import math
from typing import Annotated, Literal

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    StrictBool,
    StrictInt,
    StrictStr,
    ValidationError,
    field_validator,
)

from benchwright.asking.reading import read_text
from benchwright.plain_text import excerpt
from benchwright.records import Ended, Noise, Told, UploadKind

_LENIENT = ConfigDict(extra="ignore", frozen=True)
_ANSWERS = 100_000  # of an episode, more than any can have
_GREATEST = 2**31 - 1  # number that a table holds

Name = Annotated[StrictStr, AfterValidator(excerpt)]  # of which scores say something


class ForeignAsked(BaseModel):
    """A value that a question asks for."""

    model_config = _LENIENT

    type: StrictStr
    value: StrictStr
    is_negated: StrictBool = False


class ForeignTurn(BaseModel):
    """A turn: ``text`` is all that was said, ``question`` what was read out of it."""

    model_config = _LENIENT

    told: Told
    text: StrictStr | None = None
    question: StrictStr | None = None
    status: Name = "ok"
    asked: tuple[ForeignAsked, ...] | None = None
    read_by: Name | None = None
    mapped_by: Name | None = None
    reason: Name | None = None
    judged_by: Name | None = None
    truth: Literal["yes", "no", "unsure"] | None = None
    noise: Noise | None = None
    fits: StrictStr = ""
    feasible: tuple[StrictInt, ...] | None = None
    unread: tuple[Name, ...] = ()

    @field_validator("told", "truth", mode="before")
    @classmethod
    def _read(cls, said: object) -> object:
        return read_told(said) if isinstance(said, str) else said


class ForeignUpload(BaseModel):
    """What was said to a batch of pictures before the last."""

    model_config = _LENIENT

    text: StrictStr
    kind: UploadKind | None = None


class ForeignBuild(BaseModel):
    """A server that answered."""

    model_config = _LENIENT

    part: Name
    voter: Name
    model: Name | None = None
    build: Name | None = None
    answers: Annotated[StrictInt, Field(ge=0, le=_ANSWERS)] = 0


class ForeignRow(BaseModel):
    """An episode; ``guess`` is a number, or the text in which it stands, or null for none."""

    model_config = _LENIENT

    episode_id: StrictStr
    turns: tuple[ForeignTurn, ...]
    guess: Annotated[StrictInt, Field(ge=-_GREATEST, le=_GREATEST)] | StrictStr | None
    guess_text: StrictStr | None = None
    guessed_by: Name | None = None
    uploads: tuple[ForeignUpload | StrictStr, ...] = ()
    end: Ended | None = None
    run: Name | None = None
    player: Name | None = None
    builds: tuple[ForeignBuild, ...] = ()

    @field_validator("guess", mode="before")
    @classmethod
    def _whole(cls, guess: object) -> object:
        """Take the numbers of a table that has floating point numbers only, and NaN for none."""
        if isinstance(guess, float):
            if math.isnan(guess):
                return None
            return int(guess) if guess.is_integer() else guess
        return guess


def read_told(said: str) -> str:
    """Return what a player was told: yes, no, unsure or skip; the text itself where it is none."""
    first = "".join(char if char.isalpha() else " " for char in said[:40]).casefold().split()
    if first[:1] == ["skip"]:
        return "skip"
    return read_text(said).answer or said


def fault_of(error: ValidationError) -> str:
    """Return the first fault of a row in words: where it is, and what is wrong there."""
    first = error.errors(include_url=False, include_context=False)[0]
    place = ".".join(map(str, first["loc"]))
    return excerpt(f"{place}: {first['msg']}; it is {first['input']!r:.60}")
