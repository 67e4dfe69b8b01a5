"""What a description must say, so that it can be made false in any class.

It is the same for every dialogue, whatever its class: what models write, and what goes back to
them, tells nothing of the class. Source: FPCO-Dialog, section 3.2 and appendix I.
"""

from collections.abc import Iterator, Sequence

from labeling.dialogues.false_premise.describing.spelling import why_no_phrase
from labeling.dialogues.false_premise.rules.edits import words_of
from labeling.dialogues.false_premise.rules.lexicon import Lexicon, lexicon
from labeling.dialogues.false_premise.rules.nouns import singular
from labeling.dialogues.false_premise.rules.parts import LIGHT, parts_of
from labeling.dialogues.false_premise.rules.pronouns import PRONOUNS
from labeling.dialogues.false_premise.rules.turns import word_for_target

FEWEST_WORDS, MOST_WORDS = (
    4,
    14,
)  # the, what it is, a property, a place; and what sits in a question
_OPINIONS = frozenset(
    (
        *("beautiful", "pretty", "lovely", "cute", "adorable", "gorgeous", "nice", "elegant"),
        *("handsome", "attractive", "ugly", "funny", "delicious", "tasty", "yummy", "appetising"),
        *("appetizing", "impressive", "amazing", "interesting", "cool", "majestic", "charming"),
        *("sad-looking", "scary", "strange", "weird", "perfect", "fancy", "stylish"),
    )
)


def description_faults(description: str, label: str) -> list[str]:
    """Return what is wrong with a description of a thing that a catalog calls ``label``."""
    unfit = why_no_phrase(description)
    if unfit is not None:
        return [f"the description {unfit}"]
    return list(_faults(description, words_of(description), label))


def is_of_one_line(word: str, other: str) -> bool:
    """Tell whether two words are for one thing, or one of them is a kind of the other."""
    known = lexicon()
    pairs = [(x, y) for x in _names_of(word) for y in _names_of(other)]
    return any(x == y or x in known.above(y) or y in known.above(x) for x, y in pairs)


def _names_of(word: str) -> frozenset[str]:
    """Return a word in the singular, or the words by which the kinds know what it is a word for."""
    one = singular(word)
    return lexicon().same.get(one, frozenset((one,)))


def _faults(description: str, words: Sequence[str], label: str) -> Iterator[str]:
    known = lexicon()
    if not description.startswith("the "):
        yield "the description does not begin with the word the, in small letters"
    if not FEWEST_WORDS <= len(words) <= MOST_WORDS:
        yield (f"the description has {len(words)} words, wanted are {FEWEST_WORDS} to {MOST_WORDS}")
    opinions = [word for word in words if word in _OPINIONS]
    if opinions:
        yield f"the description holds an opinion: {', '.join(opinions)}"
    pronouns = [word for word in words if word in PRONOUNS]
    if pronouns:
        yield f"the description holds a pronoun: {', '.join(pronouns)}"
    yield from _what_is_missing(words, known)
    target = word_for_target(description)
    if not _is_known(target, known):
        yield (
            f"the description names the target {target!r}: name it by a plain word for a person, a"
            " vehicle, an animal or a food"
        )
    elif _is_known(label.casefold(), known) and not is_of_one_line(target, label.casefold()):
        yield f"the description is of a {target}, and the target is a {label.casefold()}"


def _is_known(word: str, known: Lexicon) -> bool:
    return known.is_noun(singular(word))


def _what_is_missing(words: Sequence[str], known: Lexicon) -> Iterator[str]:
    parts = parts_of(words)
    told = [(word, part) for word, part in zip(words, parts, strict=True) if word not in LIGHT]
    if not any(part == "modifier" and _is_value(word, known) for word, part in told):
        yield (
            "the description names no property that can be seen, such as a colour, a material, a"
            " pattern, a posture or what is worn"
        )
    if not any(
        part == "place" and (word in known.places or word not in known.before_a_place)
        for word, part in told
    ):
        yield "the description does not say where the whole target is"


def _is_value(word: str, known: Lexicon) -> bool:
    return any(known.properties_of(each) for each in (word, singular(word), *word.split("-")))
