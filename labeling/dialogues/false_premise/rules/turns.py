"""The turns of a dialogue: what is true, and what is asked once the description is a false one."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from benchwright.records import FalsePremise, PremiseClass, PremiseTurn
from labeling.dialogues.false_premise.rules.articles import before_other_words
from labeling.dialogues.false_premise.rules.edits import WORD, words_of
from labeling.dialogues.false_premise.rules.nouns import head_of, pronoun_of
from labeling.dialogues.false_premise.rules.pronouns import repaired


@dataclass(frozen=True, slots=True, kw_only=True)
class Schedule:
    """How many turns ask with the true description before the first that asks with the false one.

    Source: FPCO-Dialog, section 3.1: three, then seven.
    """

    correct: int = 3
    turns: int = 10


DEFAULT_SCHEDULE = Schedule()


class Parts(NamedTuple):
    """A question parted at its description, which may begin with a capital of its own."""

    before: str
    description: str
    after: str


def places_of(question: str, description: str) -> list[Parts]:
    """Return the places of a question where a description stands word for word.

    At the beginning of a sentence its first letter may be a capital. A part of a longer word is no
    such place.
    """
    if not description:
        return []
    capital = description[0].upper() + description[1:]
    either = "|".join(re.escape(text) for text in dict.fromkeys((description, capital)))
    pattern = rf"(?<!\w)(?<!\w-)(?:{either})(?!\w)(?!-\w)"
    return [
        Parts(question[: match.start()], match.group(), question[match.end() :])
        for match in re.finditer(pattern, question)
    ]


def with_false(question: str, true: str, false: str, premise_class: PremiseClass) -> str:
    """Return a question with the false description in the place of the true one.

    Nothing else changes but an article right before it and, after an edit of identity, pronouns.
    A question in which the true description does not stand just once is returned as it is.
    """
    places = places_of(question, true)
    if len(places) != 1:
        return question
    before, said, after = places[0]
    if said != true:
        false = false[:1].upper() + false[1:]
    before = before_other_words(before, true, false)
    if premise_class == "identity":
        pronouns = [pronoun_of(word_for_target(text)) for text in (true, false)]
        if pronouns[0] is not None and pronouns[1] is not None:
            before, after = (repaired(text, pronouns[0], pronouns[1]) for text in (before, after))
    return f"{before}{false}{after}"


def repairs_in(turn: PremiseTurn, record: FalsePremise) -> list[tuple[int, int]]:
    """Return where the words stand in an asked question that changed beside its description.

    The spans are [first, past the last] in characters. There are none where the descriptions do not
    stand once each, or as many words do not stand round both.
    """
    true = places_of(turn.true_question, record.true_description)
    asked = places_of(turn.asked_question, record.false_description)
    if not turn.has_false_premise or len(true) != 1 or len(asked) != 1:
        return []
    offsets = 0, len(turn.asked_question) - len(asked[0].after)
    found: list[tuple[int, int]] = []
    for offset, old, new in zip(offsets, true[0][::2], asked[0][::2], strict=True):
        words, others = list(WORD.finditer(old)), list(WORD.finditer(new))
        if len(words) != len(others):
            return []
        found += [
            (offset + other.start(), offset + other.end())
            for word, other in zip(words, others, strict=True)
            if word.group() != other.group()
        ]
    return found


def word_for_target(description: str) -> str:
    """Return the word, or the words of a compound, that name the target in a description."""
    words = words_of(description)
    start, end = head_of(words)
    return " ".join(words[start:end])


def build_turns(
    questions: Sequence[str],
    true: str,
    false: str,
    premise_class: PremiseClass,
    schedule: Schedule = DEFAULT_SCHEDULE,
) -> tuple[PremiseTurn, ...]:
    """Return the turns of a dialogue; each question holds the true description.

    Raises ValueError when there are not as many questions as the schedule has turns.
    """
    if len(questions) != schedule.turns:
        raise ValueError(f"wanted {schedule.turns} questions, got {len(questions)}")
    return tuple(
        turn_of(index, question, true, false, premise_class, is_false=index > schedule.correct)
        for index, question in enumerate(questions, 1)
    )


def turn_of(
    index: int,
    question: str,
    true: str,
    false: str,
    premise_class: PremiseClass,
    *,
    is_false: bool,
) -> PremiseTurn:
    """Return one turn, numbered from 1."""
    asked = with_false(question, true, false, premise_class) if is_false else question
    return PremiseTurn(
        index=index, true_question=question, asked_question=asked, has_false_premise=is_false
    )
