"""The parts of a game that can be exchanged, and what they say to each other.

A part that asks a model gets whoever can be asked when it is made (``questions.Asks``): the client,
or the stored answers alone. ``Unasked`` passes through all of them.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

from benchwright.asking.replies import Reply
from benchwright.records import Asked, Turn, Upload
from evaluation.hidden_target.game import Game

Truth = Literal["yes", "no", "unsure"]
SkipReason = Literal[
    "no_question",  # nothing that could be read as a question or a guess
    "bad_guess",  # a guess of a number that no picture has
    "several_questions",
    "index",  # a picture is named by its number or place
    "forbidden",  # an attribute that is not asked about
    "repeated",  # a type or an attribute that was asked about before
    "open_question",  # what, which, how many: neither yes nor no answers it
    "compound",  # several attributes in one question
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """What a player said; ``replies`` are those of its model, none where it is no model."""

    text: str
    status: str = "ok"
    replies: tuple[Reply, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """A question as it was read and mapped (definition 16); ``asked`` is empty where it was not.

    Several in ``asked`` are one question about several values at once. ``count`` is how many
    questions were put together.
    """

    text: str
    count: int
    asked: tuple[Asked, ...]
    mapped_by: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """Why a question is not answered, null where nothing was found against it.

    ``judged_by`` says by whose word: ``rules``, or the name of a voter. ``unread`` says what is
    wrong with a model's answer that could not be read; nothing was found then.
    """

    reason: SkipReason | None
    judged_by: str
    replies: tuple[Reply, ...] = ()
    unread: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Answered:
    """What the oracle says of a question.

    ``unread`` tells why what a model said could not be read (refused, truncated, unparsed); the
    answer is then unsure. Null where it was read, and where no model was asked.
    """

    answer: Truth
    unread: str | None = None
    replies: tuple[Reply, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Checked:
    """How the verifier reads a question of each picture: a letter each, y, n or u (unknown).

    ``unread`` counts the pictures of which what a model said could not be read; they are u.
    """

    fits: str
    unread: int = 0
    replies: tuple[Reply, ...] = ()


class Player(Protocol):
    """Whoever looks for the target. It is never told which picture that is."""

    @property
    def name(self) -> str:
        """The name of the model, or of the baseline."""
        ...

    async def receive(self, game: Game, uploads: Sequence[Upload]) -> Said:
        """Say something to the batch of pictures after ``uploads``, which is not the last."""
        ...

    async def speak(self, game: Game, uploads: Sequence[Upload], turns: Sequence[Turn]) -> Said:
        """Ask the next question, or guess, after the turns so far."""
        ...


class Detector(Protocol):
    """Finds violations of the protocol in a question."""

    @property
    def name(self) -> str:
        """What a run calls it: the name of a voter, or of what is no model."""
        ...

    async def judge(
        self, question: Question, turns: Sequence[Turn], *, is_contradicted: bool
    ) -> Judged:
        """Return whether a question is to be skipped, and why.

        While the feasible set is empty (``is_contradicted``) an earlier question may be repeated.
        """
        ...


class Oracle(Protocol):
    """Answers questions about the target."""

    @property
    def name(self) -> str:
        """What a run calls it: the name of a voter, or of what is no model."""
        ...

    async def answer(self, game: Game, question: Question) -> Answered:
        """Return yes, no or unsure."""
        ...


class Verifier(Protocol):
    """Turns a question into a constraint on all pictures."""

    @property
    def name(self) -> str:
        """What a run calls it: the name of a voter, or of what is no model."""
        ...

    async def check(self, game: Game, question: Question) -> Checked:
        """Return for each picture whether yes would be the answer to the question."""
        ...


class PartFailed(Exception):  # no error of the user: it ends the episode, and a rerun goes on
    """A model that a part asks gave no answer; ``reply`` says why."""

    def __init__(self, part: str, reply: Reply) -> None:
        super().__init__(f"{part}: {reply.error}")
        self.part = part
        self.reply = reply
