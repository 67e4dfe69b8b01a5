"""What the tests of the detector share: small vocabularies, questions, turns, a scripted model."""

import asyncio
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import pytest

from benchwright.asking.replies import Reply
from benchwright.asking.requests import Request
from benchwright.asking.voters import Voter
from benchwright.knowledge import Value
from benchwright.records import Asked, Turn
from evaluation.hidden_target.detector.model import ModelDetector
from evaluation.hidden_target.detector.rules import RuleDetector
from evaluation.hidden_target.parts import Question
from evaluation.releases.galleries import Term


def term(
    kind: str,
    value: str,
    *aliases: str,
    askable: bool = True,
    type_aliases: Sequence[str] = (),
    templates: Sequence[str] = (),
) -> Term:
    return Term(
        value=Value(type=kind, value=value, askable=askable),
        type_aliases=tuple(type_aliases),
        aliases=aliases,
        templates=tuple(templates),
    )


DRESS_TERMS = (
    term("neckline", "v-neck", "v-neckline"),
    term("neckline", "square neck"),
    term("skirt", "tiered"),
    term("waist", "paper-bag waist"),
    term("sleeve style", "sleeveless"),
    term("sleeve length", "sleeveless", askable=False),
    term("sleeve length", "long", askable=False),
    term("garment length", "midi", askable=False),
    term("colour", "red", askable=False, type_aliases=("color",)),
    term("print", "floral", askable=False, type_aliases=("pattern",)),
    term("brand", "lily & co", askable=False),
)


@dataclass
class ScriptedModel:
    """Whoever can be asked, in the place of a client: says the same each time, and keeps count."""

    said: str = '{"attribute": "something", "verdict": "valid"}'
    status: Any = "ok"
    voter: Voter = field(
        default_factory=lambda: Voter(name="judge", model="m", base_url="http://127.0.0.1:9/v1")
    )
    requests: list[Request] = field(default_factory=list)

    async def ask(self, request: Request) -> Reply:
        self.requests.append(request)
        error = "nobody answers" if self.status == "failed" else None
        return Reply(key=str(len(self.requests)), status=self.status, text=self.said, error=error)


@pytest.fixture(scope="session")
def make_term() -> Callable[..., Term]:
    """Make a term of type, value and aliases."""
    return term


@pytest.fixture(scope="session")
def dress_terms() -> tuple[Term, ...]:
    """A vocabulary of dresses."""
    return DRESS_TERMS


@pytest.fixture(scope="session")
def rules() -> RuleDetector:
    """The rules over it."""
    return RuleDetector(DRESS_TERMS, "dress")


@pytest.fixture
def model() -> ScriptedModel:
    """A model that finds nothing."""
    return ScriptedModel()


@pytest.fixture(scope="session")
def make_question() -> Callable[..., Question]:
    """Make a question of its text and of TYPE: VALUE texts that it asks for."""

    def make(text: str, *asked: str, count: int = 1, by: str = "") -> Question:
        pairs = (one.split(": ") for one in asked)
        return Question(
            text=text,
            count=count,
            asked=tuple(Asked(type=kind, value=value, is_negated=False) for kind, value in pairs),
            mapped_by=by or ("words" if asked else "none"),
        )

    return make


@pytest.fixture(scope="session")
def make_turn() -> Callable[..., Turn]:
    """Make a turn of a question and what was told."""

    def make(question: Question, told: Any = "yes", number: int = 1) -> Turn:
        return Turn(
            turn=number,
            status="ok",
            text=question.text,
            question=question.text,
            read_by="question_mark",
            asked=question.asked,
            mapped_by=question.mapped_by,
            told=told,
            reason=None if told != "skip" else "forbidden",
            judged_by=None if told != "skip" else "rules",
            truth=None,
            noise=None,
            fits="" if told == "skip" else "u",
            feasible=(1,),
        )

    return make


@pytest.fixture(scope="session")
def verdict() -> Callable[[str], str]:
    """Return what a model says for a verdict."""
    return lambda name: json.dumps({"attribute": "something", "verdict": name})


@pytest.fixture(scope="session")
def judged() -> Callable[..., Any]:
    """Return what a detector says of a question; it needs no game."""

    def judge(
        detector: RuleDetector | ModelDetector,
        question: Question,
        turns: Sequence[Turn] = (),
        *,
        is_contradicted: bool = False,
    ) -> Any:
        return asyncio.run(detector.judge(question, turns, is_contradicted=is_contradicted))

    return judge
