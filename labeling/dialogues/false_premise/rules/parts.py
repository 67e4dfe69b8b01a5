"""Which part of a description each of its words belongs to."""

from collections.abc import Iterator, Sequence
from typing import Literal

from labeling.dialogues.false_premise.rules.edits import ARTICLES
from labeling.dialogues.false_premise.rules.lexicon import lexicon
from labeling.dialogues.false_premise.rules.nouns import head_of, singular
from labeling.dialogues.false_premise.rules.pronouns import PRONOUNS

Part = Literal["head", "modifier", "place", "place of a part"]
LIGHT = ARTICLES | PRONOUNS | frozenset(("the", "of", "some", "this", "that", "these", "those"))


def parts_of(words: Sequence[str]) -> list[Part]:
    """Return the part of each word of a description.

    ``head`` is the word for the target; ``place`` says where the whole target is; ``place of a
    part`` says where something of it is: what stands in, on or at clothing, a limb or something
    that is his or hers, as in ``a bag on his left arm``; all else is a ``modifier``.
    """
    known = lexicon()
    start, end = head_of(words)
    parts: list[Part] = [
        "head" if start <= at < end else "place" if word in known.places else "modifier"
        for at, word in enumerate(words[:end])
    ]
    for phrase in _phrases(words, end):
        parts += [_part_of(phrase)] * len(phrase)
    return parts


def _phrases(words: Sequence[str], start: int) -> Iterator[Sequence[str]]:
    """Yield what stands after the word for the target, parted before prepositions and ``with``."""
    known = lexicon()
    for at in range(start + 1, len(words) + 1):
        is_end = at == len(words)
        if is_end or _begins(words[at], known.companions) or _begins_a_place(words, at):
            if at > start:
                yield words[start:at]
            start = at


def _begins(word: str, companions: frozenset[str]) -> bool:
    return word in companions or word.endswith("ing")


def _begins_a_place(words: Sequence[str], at: int) -> bool:
    """Tell whether a phrase of place begins here; next to and up on are one word of place.

    So is left of, unless it is to the left of.
    """
    known = lexicon()
    if words[at - 1] in known.before_a_place:
        return False
    if words[at] in known.before_a_place or _leads_to_a_side(words[at:]):
        return True
    is_one_word = " ".join(words[at : at + 2]) in known.places_as_one_word
    return is_one_word and words[at - 1] not in known.places | {"the"}


def _leads_to_a_side(phrase: Sequence[str]) -> bool:
    """Tell whether this is the to of to the left of the door, or the from of from the right."""
    goes_there = phrase[0] in ("to", "from") and phrase[1:2] == ["the"]
    return goes_there and not lexicon().places.isdisjoint(phrase[2:3])


def _part_of(phrase: Sequence[str]) -> Part:
    known = lexicon()
    if _leads_to_a_side(phrase):
        return "place"
    if phrase[0] not in known.before_a_place:
        is_place = phrase[0] in known.places  # the man left of the door
        return "place" if is_place else "modifier"
    things = [singular(word) for word in phrase]
    is_worn = any(thing in known.properties["clothing"] for thing in things) or _is_a_top(phrase)
    is_own = any(word in PRONOUNS for word in phrase) or any(map(known.is_of_a_part, things))
    is_colour = all(known.properties_of(word) for word in phrase[1:])
    if phrase[0] == "in" and (is_worn or is_colour):  # the man in a red shirt, or in red
        return "modifier"
    return "place of a part" if is_own else "place"


def _is_a_top(phrase: Sequence[str]) -> bool:
    """Tell whether this is in a yellow top, which is worn; in the top of a box is a place."""
    return phrase[-1] == "top" and bool(lexicon().properties_of(phrase[-2]))
