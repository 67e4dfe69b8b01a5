"""A scripted model that drafts question chains, badly where it is told to.

What it is not asked to draft, a ``Misleader`` answers: looks at colours, distractors, guesses.
"""

import json
import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from benchwright import seeds
from stand_ins.distractors import Misleader, first_text
from stand_ins.models import Question, Turn

Wanted = Literal[  # of an attempt: ``unsuitable`` says honestly that there is no chain
    "cycle", "gives_away", "seven", "unused", "unparsable", "deep", "surrogate", "failed",
    "unsuitable",
]  # fmt: skip
_KIND = re.compile(r'The chain is of the kind "(\w+)"')
_REFUSED = "Earlier attempts were refused"
_THINGS = ("bench", "lamp", "fence", "window", "bottle", "ladder", "umbrella", "curtain")
_PLACES = ("by the wall", "near the door", "on the left", "at the back")


def never(_picture: str, _attempt: int) -> Wanted | None:
    """Return no fault for any attempt at any picture."""
    return None


@dataclass(kw_only=True)
class ChainAuthor:
    """A model that drafts a chain about each picture, the same for the same pixels.

    ``fault`` says what is wrong with an attempt (from 0) at a picture, by the hash of its pixels.
    ``asked`` counts the requests for drafts by picture and attempt; ``told`` are the reasons that
    it was given, as they were put.
    """

    fault: Callable[[str, int], Wanted | None] = never
    other: Callable[[Question], Turn] = field(default_factory=Misleader)
    asked: Counter[tuple[str, int]] = field(default_factory=Counter)
    told: list[str] = field(default_factory=list)

    def __call__(self, question: Question) -> Turn:
        """Return the answer to a request for a draft, or what ``other`` says."""
        text = first_text(question)
        kind = _KIND.search(text)
        if kind is None:
            return self.other(question)
        picture = question.pictures[-1].pixels
        reasons = text.partition(_REFUSED)[2].partition("\n\n")[0]
        attempt = reasons.count("\n- ")
        if reasons:
            self.told.append(reasons)
        self.asked[picture, attempt] += 1
        wanted = self.fault(picture, attempt)
        if wanted == "failed":
            return Turn(text="", finish_reason="error")
        said = draft_with(wanted, kind[1], picture)
        if isinstance(said, str):
            return Turn(text=said)
        return Turn(text=json.dumps(said), data=None if wanted == "surrogate" else said)


def draft_with(fault: str | None, kind: str, *ids: str) -> Any:
    """Return a draft drawn by ids, sound but for one fault; a text where it is no JSON."""
    thing, other = seeds.shuffled(list(_THINGS), 0, "thing", *ids)[:2]
    place = _PLACES[seeds.below(len(_PLACES), 0, "place", *ids)]
    asked = f"Which of the two things was put there later, {place}?"
    steps = [
        _step(f"What stands {place}?", f"a {thing}"),
        _step("What leans against that?", f"a {other}", [1]),
        _step(asked, "the one that leans", [1, 2]),
    ]
    match fault:
        case "cycle":
            steps[0]["uses"] = [2]
        case "gives_away":
            steps[1]["question"] = "What leans against that, the one that leans?"
        case "seven":
            more = [_step(f"What is the {n}. sign?", f"sign {n}", [2]) for n in range(4)]
            steps[2]["uses"] = [2, 3, 4, 5, 6]
            steps = [*steps[:2], *more, steps[2]]
        case "unused":
            steps[2]["uses"] = [2]
            steps[1]["uses"] = []
        case "surrogate":
            steps[0]["answer"] = "a \ud800 sign"
        case "unparsable":
            return "I would rather ask where the picture was taken."
        case "deep":
            return "[" * 5_000
        case "unsuitable":
            return {**_draft(kind, "", []), "suits": False, "why": "nothing to explore here"}
    return _draft(kind, asked, steps)


def _draft(kind: str, question: str, steps: Sequence[dict[str, Any]]) -> dict[str, Any]:
    scenario = f"{kind} of things" if question else ""
    return {"suits": True, "why": "", "scenario": scenario, "question": question, "steps": steps}


def _step(question: str, answer: str, uses: Sequence[int] = ()) -> dict[str, Any]:
    return {"question": question, "answer": answer, "uses": list(uses)}


brain = ChainAuthor()  # for a server in a process of its own
