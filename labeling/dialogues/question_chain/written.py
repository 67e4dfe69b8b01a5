"""What a person may change of a chain, as one JSON text, and strict reading of it.

The text goes from the screen through the journal to the record; who wrote it, the picture and
the id of the chain are not in it.
"""

import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Annotated, Any, Literal

import pydantic
from pydantic import AfterValidator, ConfigDict, Field

from benchwright.plain_text import excerpt
from benchwright.records import ChainStep, QuestionChain, QuestionOption

LONGEST_QUESTION, LONGEST_ANSWER, LONGEST_NAME = 300, 200, 60  # characters
_MOST_CHARACTERS = 100_000  # of the whole text, far above what the bounds below allow


def _clean(text: str) -> str:
    """Return a text with single blanks; ValueError for what cannot be printed."""
    joined = " ".join(text.split())
    if not joined.isprintable():
        raise ValueError("holds a character that cannot be printed")
    return joined


BLANK = QuestionChain(  # for ``rewritten``, where nothing but what was written counts
    chain_id="",
    image_id="",
    category="",
    scenario="",
    question="",
    steps=(),
    rounds=(),
    author="",
)

_Question = Annotated[str, Field(max_length=LONGEST_QUESTION), AfterValidator(_clean)]
_Answer = Annotated[str, Field(max_length=LONGEST_ANSWER), AfterValidator(_clean)]
_Name = Annotated[str, Field(max_length=LONGEST_NAME), AfterValidator(_clean)]
_Number = Annotated[int, Field(ge=1, le=12)]


class _Part(pydantic.BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


class _Option(_Part):
    text: _Question
    answer: _Answer | None
    origin: Literal["true", "step", "chain"]
    generator: _Name | None


class _Step(_Part):
    question: _Question
    answer: _Answer
    uses: tuple[_Number, ...] = Field(max_length=12)
    question_options: tuple[_Option, ...] = Field(max_length=12)
    answer_options: tuple[_Answer, ...] = Field(max_length=12)

    def step(self) -> ChainStep:
        options = tuple(QuestionOption(**dict(option)) for option in self.question_options)
        return ChainStep(**{**dict(self), "question_options": options})


class _Written(_Part):
    category: _Name
    scenario: _Name
    question: _Question
    steps: tuple[_Step, ...] = Field(max_length=12)


def written_parts(chain: QuestionChain) -> Mapping[str, Any]:
    """Return what a person may change of a chain, as JSON can hold it."""
    return {
        "category": chain.category,
        "scenario": chain.scenario,
        "question": chain.question,
        "steps": [
            {
                "question": step.question,
                "answer": step.answer,
                "uses": list(step.uses),
                "question_options": [
                    {
                        "text": option.text,
                        "answer": option.answer,
                        "origin": option.origin,
                        "generator": option.generator,
                    }
                    for option in step.question_options
                ],
                "answer_options": list(step.answer_options),
            }
            for step in chain.steps
        ],
    }


def written_text(chain: QuestionChain) -> str:
    """Return the same as one JSON text; chains that agree in it have the same text."""
    return json.dumps(written_parts(chain), sort_keys=True, ensure_ascii=False)


def without_options(chain: QuestionChain) -> Mapping[str, Any]:
    """Return what a chain says, without what there is to choose from at its steps."""
    bare = (replace(step, question_options=(), answer_options=()) for step in chain.steps)
    return written_parts(replace(chain, steps=tuple(bare)))


def rewritten(chain: QuestionChain, text: str, author: str) -> QuestionChain:
    """Return a chain with what an author wrote in its place; it has no rounds yet.

    Blanks are made single. Raises ValueError, in one line, for a text that is no chain.
    """
    if len(text) > _MOST_CHARACTERS:
        raise ValueError(f"a chain of {len(text):,} characters; {_MOST_CHARACTERS:,} at most")
    try:
        said = _Written.model_validate_json(text)
    except pydantic.ValidationError as error:
        raise ValueError(_reason(error)) from error
    return replace(
        chain,
        category=said.category,
        scenario=said.scenario,
        question=said.question,
        steps=tuple(step.step() for step in said.steps),
        rounds=(),
        author=author,
    )


def _reason(error: pydantic.ValidationError) -> str:
    """Say where in the chain something is wrong; places count from 1, as people do."""
    first = error.errors()[0]
    place = [str(part + 1) if isinstance(part, int) else str(part) for part in first["loc"]]
    what = first["msg"].removeprefix("Value error, ")
    return excerpt(" ".join(["no chain:", *place, what]))
