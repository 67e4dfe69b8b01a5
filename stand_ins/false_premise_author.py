"""A scripted author of dialogues with a false premise: it describes, asks and falsifies.

What it says of a picture is drawn from the picture's pixels and need not be true of it: whether it
is, voters say. ``spoil`` makes it answer badly.
"""

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Literal

from benchwright import seeds
from benchwright.asking.voters import Voter
from benchwright.records import PremiseClass
from stand_ins.colours import colour_seen
from stand_ins.models import Fault, Model, Question, Script, ScriptedServer, Turn

Task = Literal["describe", "falsify"]
_LABEL = re.compile(r'files it under ("(?:[^"\\]|\\.)*")')
_TURNS = re.compile(r"^Then write (\d+) questions", re.MULTILINE)
_TRUE = re.compile(r"This phrase is true of it:\n(.*)$", re.MULTILINE)
_CLASSES: dict[str, PremiseClass] = {
    "The error is in what the thing is": "identity",
    "The error is in one property": "attribute",
    "The error is in where the whole thing is": "location",
}
_COLOURS = ("red", "blue", "green", "yellow", "white", "black")
_SIDES = ("left", "right")
_PLACES = ("on the {} side", "on the far {} side")
_KINDS = (
    ("woman", "man", "robot", "statue"),
    ("bicycle", "car", "motorcycle", "airplane", "bus", "train", "truck", "boat"),
    ("bird", "cat", "dog", "horse", "sheep", "cow", "elephant", "bear", "zebra", "giraffe"),
    (
        *("banana", "apple", "sandwich", "orange", "broccoli", "carrot", "hot dog", "pizza"),
        *("donut", "cake"),
    ),
)
_QUESTIONS = (
    "What is {} doing at the moment?",
    "Is {} facing the camera?",
    "What can be seen right behind {}?",
    "Could {} be moved by one person?",
    "How does the light fall on {}?",
    "Does {} cast a shadow?",
    "Which thing is closest to {}?",
    "Is anything hiding a part of {}?",
    "Would {} look smaller from further back?",
    "Where might {} be in an hour?",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What the author was asked for; ``attempt`` counts from 0.

    ``label`` and ``turns`` are of a description; ``true`` and ``premise_class`` of a falsehood,
    ``others`` are those that it was told of.
    """

    task: Task
    picture: str
    attempt: int
    label: str = ""
    turns: int = 0
    true: str = ""
    premise_class: PremiseClass = "identity"
    others: tuple[str, ...] = ()
    text: str = ""


@dataclass(kw_only=True)
class Author:
    """The author; ``asked`` holds what it was asked for, in the order in which it came.

    ``spoil`` is given what it was asked for and what it would say, and returns what it says: JSON,
    a text, or a whole turn.
    """

    spoil: Callable[[Asked, dict[str, Any]], dict[str, Any] | str | Turn] = lambda _, said: said
    asked: list[Asked] = field(default_factory=list)

    def answer(self, question: Question) -> Turn:
        """Return what it says; what it was asked for stands in the first message."""
        asked = asked_of(question)
        if asked is None:  # a look whether it sees
            return Turn(text=colour_seen(question) if question.pictures else "Ready.")
        self.asked.append(asked)
        said = self.spoil(asked, _described(asked) if asked.task == "describe" else _false(asked))
        if isinstance(said, Turn):
            return said
        if isinstance(said, str):
            return Turn(text=said)
        return Turn(text=json.dumps(said, ensure_ascii=False), data=said)


def author(question: Question) -> Turn:
    """Answer as a good author does: the brain of a server that runs as a process of its own."""
    return Author().answer(question)


def asked_of(question: Question) -> Asked | None:
    """Return what a request asks the author for, null for anything else."""
    content = question.messages[0]["content"]
    if isinstance(content, str) or not question.pictures:
        return None
    text = "\n".join(part["text"] for part in content if part["type"] == "text")
    asking, _, again = text.partition("not taken")
    again = again.partition("\n\nAnswer with one JSON object")[0]
    shared: dict[str, Any] = {
        "picture": question.pictures[0].pixels,
        "attempt": again.count("\n- "),
        "text": text,
    }
    label, turns = _LABEL.search(text), _TURNS.search(text)
    if label is not None and turns is not None:
        return Asked(task="describe", label=json.loads(label[1]), turns=int(turns[1]), **shared)
    true = _TRUE.search(text)
    if true is None:
        return None
    return Asked(
        task="falsify",
        true=true[1],
        premise_class=next(name for words, name in _CLASSES.items() if words in text),
        others=tuple(re.findall(r"^- (the .*)$", asking.partition("already")[2], re.MULTILINE)),
        **shared,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Authors:
    """Authors behind one server."""

    server: ScriptedServer
    voters: tuple[Voter, ...]

    def calls(self) -> int:
        """Return how often they were asked, looks at their eyes among it."""
        return self.server.counts.chats

    def most_alike(self) -> int:
        """Return how often the very same request came, at most."""
        return max(self.server.counts.requests.values(), default=0)


@contextmanager
def serving(
    authors: Mapping[str, Author],
    *,
    faults: Sequence[Fault] = (),
    structured: Literal["none", "json_object", "json_schema"] = "none",
    **voter: Any,
) -> Iterator[Authors]:
    """Serve authors by their names; ``voter`` holds further settings of all voters."""
    script = Script(models=[Model(name=name) for name in authors], faults=faults)
    with ScriptedServer(script, brain=lambda asked: authors[asked.model].answer(asked)) as server:
        yield Authors(
            server=server,
            voters=tuple(
                Voter(
                    name=name,
                    model=name,
                    base_url=server.base_url,
                    structured=structured,
                    **voter,
                )
                for name in authors
            ),
        )


def _described(asked: Asked) -> dict[str, Any]:
    colour, side = (
        words[seeds.below(len(words), 0, "author", asked.picture)] for words in (_COLOURS, _SIDES)
    )
    thing = "woman" if asked.label == "person" else asked.label
    worn = f"the {thing} in the {colour} shirt" if thing == "woman" else f"the {colour} {thing}"
    description = f"{worn} on the {side} side"
    questions = [
        _QUESTIONS[number % len(_QUESTIONS)].format(description) for number in range(asked.turns)
    ]
    for number in range(len(_QUESTIONS), asked.turns):
        questions[number] = f"How far is {description} from point {number}?"
    return {"description": description, "questions": questions}


def _false(asked: Asked) -> dict[str, Any]:
    """Return one falsehood after the other: further on with each attempt and each other one."""
    words = asked.true.split()
    choices: list[str] = []
    for at, word in enumerate(words):
        if asked.premise_class == "attribute" and word in _COLOURS:
            choices = _with(words, at, _COLOURS)
        if asked.premise_class == "location" and word in _SIDES:
            choices = _with(words, at, ("left", "right", "far", "near"))
    if asked.premise_class == "identity":
        group = next(kinds for kinds in _KINDS if _head(asked.true, kinds))
        head = _head(asked.true, group)
        choices = [asked.true.replace(head, one, 1) for one in group if one != head]
    left = [one for one in choices if one not in asked.others]
    return {"false_description": left[asked.attempt % len(left)]}


def _with(words: list[str], at: int, values: tuple[str, ...]) -> list[str]:
    return [" ".join((*words[:at], one, *words[at + 1 :])) for one in values if one != words[at]]


def _head(description: str, kinds: tuple[str, ...]) -> str:
    return next((kind for kind in kinds if re.search(rf"\b{kind}\b", description)), "")
