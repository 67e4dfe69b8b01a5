"""A chain as people write it in a file, and the chain that it is.

Only its shape is judged here, and that it can be opened in the App; a chain that breaks a rule is a
chain all the same, and is mended there.
"""

import json
import re
from collections.abc import Mapping
from dataclasses import replace
from difflib import get_close_matches
from typing import Annotated, Any, Literal, Self

import pydantic
from pydantic import BeforeValidator, ConfigDict

from benchwright.plain_text import excerpt
from benchwright.records import QuestionChain
from benchwright.seeds import draw
from labeling.dialogues.question_chain.rules.wording import folded, words_of
from labeling.dialogues.question_chain.written import BLANK, rewritten

_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,79}")
_WORDS_OF_PYDANTIC = {
    "missing": "is missing",
    "string_type": "wants a text",
    "tuple_type": "wants a list",
    "model_type": "wants KEY: VALUE lines",
    "literal_error": "wants step or chain",
}


def _listed(said: Any) -> Any:
    """Return a list; nothing is an empty one."""
    return () if said in (None, "") else said


def _numbers(said: Any) -> Any:
    """Return the numbers of steps: of a list, or of a text such as ``1, 2``."""
    return said.replace(",", " ").split() if isinstance(said, str) else _listed(said)


def _no_text(said: Any) -> Any:
    """Return null for an empty text: what stands behind the key is empty in YAML."""
    return None if said == "" else said


def _option(said: Any) -> Any:
    return {"text": said} if isinstance(said, str) else said


def _picture(said: Any) -> Any:
    return {"name": said} if isinstance(said, str) and said else said or None


class _Form(pydantic.BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class SaidPicture(_Form):
    """What the picture is called: one of its names in the catalog, or its source and id there."""

    name: str | None = None
    source: str | None = None
    source_id: str | None = None

    @pydantic.model_validator(mode="after")
    def _is_named(self) -> Self:
        named = bool(self.name), bool(self.source_id)
        if named not in ((True, False), (False, True)) or (self.name and self.source):
            raise ValueError("wants a name, or source: and source_id:")
        return self


class _SaidOption(_Form):
    text: str
    answer: Annotated[str | None, BeforeValidator(_no_text)] = None
    origin: Literal["step", "chain"] = "step"


class _SaidStep(_Form):
    question: str
    answer: str
    uses: Annotated[tuple[str, ...], BeforeValidator(_numbers)] = ()
    question_options: Annotated[
        tuple[Annotated[_SaidOption, BeforeValidator(_option)], ...], BeforeValidator(_listed)
    ] = ()
    answer_options: Annotated[tuple[str, ...], BeforeValidator(_listed)] = ()


class SaidChain(_Form):
    """A chain as its author wrote it; ``author`` and ``id`` are null where it has none."""

    id: str | None = None
    picture: Annotated[SaidPicture | None, BeforeValidator(_picture)] = None
    image_id: str | None = None
    category: str
    scenario: str
    question: str
    author: str | None = None
    steps: tuple[_SaidStep, ...]

    @pydantic.model_validator(mode="after")
    def _has_one_picture(self) -> Self:
        if bool(self.picture) == bool(self.image_id):
            raise ValueError("wants picture: or image_id:, one of them")
        return self

    def looked_for(self) -> SaidPicture:
        """Return what the picture is called."""
        return self.picture or SaidPicture(name=self.image_id)

    def given_id(self) -> str | None:
        """Return the id that the author gave; ValueError for one that cannot be one."""
        if not self.id:
            return None
        if not _ID.fullmatch(self.id):
            raise ValueError(
                f"id: {excerpt(self.id, 40)!r} is none; letters, digits, . _ - and 80 of them at"
                " most"
            )
        return self.id

    def chain(self, author: str) -> QuestionChain:
        """Return the chain, about no picture yet; ValueError, in one line, where it is none."""
        parts = {
            "category": self.category,
            "scenario": self.scenario,
            "question": self.question,
            "steps": [_parts_of(number, step) for number, step in enumerate(self.steps, 1)],
        }
        return rewritten(BLANK, json.dumps(parts), author)


_KEYS = sorted(
    name for form in (SaidChain, SaidPicture, _SaidStep, _SaidOption) for name in form.model_fields
)


def about(image_id: str, chain: QuestionChain, given_id: str | None = None) -> QuestionChain:
    """Return a chain as one about a picture, with the id given or one of picture and question.

    So the id stays the same whatever becomes of the steps, and wherever the chain stands.
    """
    words = draw(0, "chain-id", *words_of(chain.question))
    return replace(chain, image_id=image_id, chain_id=given_id or f"{image_id}-{words:016x}")


def said_chain(said: Any) -> SaidChain:
    """Return what an entry of a file says; ValueError, in one line, where it is no chain."""
    try:
        return SaidChain.model_validate(_without_nulls(said))
    except pydantic.ValidationError as error:
        raise ValueError(_reason(error)) from error


def _without_nulls(said: Any) -> Any:
    if not isinstance(said, Mapping):
        return said
    return {name: value for name, value in said.items() if value is not None}


def _parts_of(number: int, step: _SaidStep) -> Mapping[str, Any]:
    return {
        "question": step.question,
        "answer": step.answer,
        "uses": [_number(used, number) for used in step.uses],
        "question_options": _questions_of(step),
        "answer_options": _answers_of(step),
    }


def _number(used: str, step: int) -> int:
    if not re.fullmatch(r"[0-9]{1,2}", used):
        raise ValueError(f"step {step} uses {excerpt(used, 20)!r}; wants numbers of steps, from 1")
    return int(used)


def _questions_of(step: _SaidStep) -> list[Mapping[str, Any]]:
    """Return the options of a question, the true one first; none where no other is written."""
    wrong = [one for one in step.question_options if folded(one.text) != folded(step.question)]
    if not wrong:
        return []
    true = {"text": step.question, "answer": step.answer, "origin": "true", "generator": None}
    return [true, *({**one.model_dump(), "generator": None} for one in wrong)]


def _answers_of(step: _SaidStep) -> list[str]:
    wrong = [one for one in step.answer_options if folded(one) != folded(step.answer)]
    return [step.answer, *wrong] if wrong else []


def _reason(error: pydantic.ValidationError) -> str:
    """Say what is wrong, and where; places count from 1, as people do."""
    faults = error.errors()
    # a misspelt key makes another one missing, and names what to mend
    first = next((one for one in faults if one["type"] == "extra_forbidden"), faults[0])
    place = " ".join(str(part + 1) if isinstance(part, int) else part for part in first["loc"])
    if first["type"] == "extra_forbidden":
        near = get_close_matches(str(first["loc"][-1]), _KEYS, 1)
        what = f"is no key here; did you mean {near[0]}?" if near else "is no key here"
    else:
        what = _WORDS_OF_PYDANTIC.get(first["type"], first["msg"].removeprefix("Value error, "))
    return excerpt(f"{place} {what}".strip())
