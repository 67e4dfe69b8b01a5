"""Scripted models that draft distractors, and that guess at options without the picture."""

import json
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from typing import Any

from benchwright import seeds, store
from benchwright.records import QuestionChain
from benchwright.rows import to_table
from benchwright.workspace import Workspace
from labeling.dialogues.question_chain.authoring.authored import authored_folder
from stand_ins.colours import colour_seen
from stand_ins.models import Question, Turn

_NAMES = (
    "bench lamp sign fence tree roof window bag hat dog bird boat clock plate cup bottle ladder"
    " wheel flag poster umbrella curtain carpet shelf kite scarf basket mirror fountain bridge"
)
_THINGS = _NAMES.split()
_ASKED = (  # a way to ask of a thing, and how it is answered
    ("What colour is the {}?", ("green", "grey", "brown", "white")),
    ("Where does the {} stand?", ("at the back", "on the right", "beside the wall")),
    ("What is the {} made of?", ("wood", "metal", "plastic", "glass")),
    ("What can be read on the {}?", ("nothing", "a number", "one word")),
    ("Is the {} clean?", ("yes", "no")),
)
_WRONG = (
    "waiting at the kerb",
    "turning around",
    "behind the hedge",
    "under the table",
    "a delivery van",
    "a small dog",
    "yellow stripes",
    "nobody at all",
    "seventeen",
    "made of stone",
    "on the roof",
    "an old lady",
    "half past nine",
    "to the station",
    "a broken window",
    "in the other room",
)
_MANY = re.compile(r"Write (\d+) (other question|wrong answer)")
_WAY = re.compile(r"Write another way that goes astray: (\d+) question")
_OPTION = re.compile(r"^(\d+)\. ", re.MULTILINE)


def _as_it_is(_: Question, data: Any) -> Any:
    return data


def by_hash(asked: str, options: int) -> int:
    """Return the number of an option, from 1, that tells of nothing but chance."""
    return 1 + seeds.below(options, 0, "option", asked)


@dataclass(kw_only=True)
class Misleader:
    """A model that sees colours, drafts what it is asked for and guesses at options.

    ``reply`` makes other data, or a text, of what it would say; ``guess`` takes the whole text and
    how many options there are. ``blind`` are the texts of requests that came without a picture.
    """

    reply: Callable[[Question, Any], Any] = _as_it_is
    guess: Callable[[str, int], int] = by_hash
    blind: list[str] = field(default_factory=list)

    def __call__(self, question: Question) -> Turn:
        """Return the answer to a request of the distractor steps, or to a look at a colour."""
        text = first_text(question)
        if not question.pictures:
            self.blind.append(text)
        if "colour fills" in text:
            return Turn(text=colour_seen(question) if question.pictures else "Which?")
        said = self.reply(question, self._said(question.model, text))
        return Turn(text=said) if isinstance(said, str) else Turn(text=json.dumps(said), data=said)

    def _said(self, model: str, text: str) -> Any:
        asked = text.partition("\n\nYour drafts before")[0]
        way, many = _WAY.search(text), _MANY.search(text)
        if way is not None:
            return {"questions": drafted_questions(int(way[1]), model, asked)}
        if many is None:
            options = _OPTION.findall(text.rpartition("Options:")[2])
            return {"option": self.guess(text, len(options))}
        if many[2] == "wrong answer":
            return {"answers": seeds.shuffled(list(_WRONG), 0, "wrong", asked)[: int(many[1])]}
        return {"questions": drafted_questions(int(many[1]), model, asked)}


def drafted_questions(number: int, *ids: str) -> list[dict[str, str]]:
    """Return so many different questions with answers, drawn by ids; no two are about one thing."""
    found = []
    for thing in seeds.shuffled(list(_THINGS), 0, "thing", *ids)[:number]:
        wording, answers = _ASKED[seeds.below(len(_ASKED), 0, "wording", thing, *ids)]
        answer = answers[seeds.below(len(answers), 0, "answer", thing, *ids)]
        found.append({"question": wording.format(thing), "answer": answer})
    return found


def bare(found: QuestionChain) -> QuestionChain:
    """Return a chain as an author writes it who writes no options."""
    steps = (replace(step, question_options=(), answer_options=()) for step in found.steps)
    return replace(found, steps=tuple(steps))


def authored_chains(workspace: Workspace, chains: Iterable[QuestionChain]) -> None:
    """Write chains as authored, in the place of those that were."""
    rows = sorted(chains, key=lambda each: each.chain_id)
    plan = store.Plan(stage="dialogues/question-chain/authored", inputs={}, settings={})
    configs = {"authored": "authored.parquet"}
    with store.writing(authored_folder(workspace), plan, configs=configs) as out:
        out.table("authored", to_table(rows, QuestionChain))


def first_text(question: Question) -> str:
    """Return the text of the first message: a repair is asked behind it."""
    content = question.messages[0]["content"]
    if isinstance(content, str):
        return content
    return "".join(part.get("text", "") for part in content)


brain = Misleader()  # for a server in a process of its own
