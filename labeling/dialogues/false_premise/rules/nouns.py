"""Words for things: the singular, the pronoun, and which word of a description is the target's."""

from collections.abc import Sequence

from labeling.dialogues.false_premise.rules.lexicon import Lexicon, Pronoun, lexicon

_MOST_WORDS = 3  # of a word such as hot air balloon
_DETERMINERS = frozenset(("a", "an", "the", "this", "that", "these", "those", "one", "two"))


def singular(word: str) -> str:
    """Return a word for things as the word for one of them, in small letters.

    Of several words the last one is turned. A word that the lexicon knows as it is stays.
    """
    words = lexicon()
    if not word or words.is_noun(word):
        return word
    *before, last = word.split()
    if last in words.plurals:
        return " ".join((*before, words.plurals[last]))
    for ending, instead in (("ies", "y"), ("es", ""), ("s", "")):
        if last.endswith(ending) and not last.endswith(("ss", "us")):
            one = " ".join((*before, last.removesuffix(ending) + instead))
            if words.is_noun(one) or words.is_of_a_part(one) or ending == "s":
                return one
    return word


def head_of(words: Sequence[str]) -> tuple[int, int]:
    """Return where the word for the target stands in a description: first and past-the-last word.

    It is a word that the lexicon knows, before any preposition or ``with``, or the one that it goes
    before in a compound (the dog house). Where the lexicon knows none, it is the last word there.
    A description of no words gives (0, 0).
    """
    known = lexicon()
    end = _first_stop(words, known)
    found: tuple[int, int] | None = None
    at = 0
    while at < end:
        if found is not None and _begins_more(words, found, at):
            break
        length = _length_of_noun(words, at, end)
        if length:
            found = (at, at + length)
        elif found is not None and found[1] == at and not _ends_a_noun(words[at], known):
            found = (at, at + 1)
        at += max(1, length)
    return found or (max(0, end - 1), end)


def _begins_more(words: Sequence[str], found: tuple[int, int], at: int) -> bool:
    """Tell whether what is said of the target begins here: the man | riding, the man | the woman.

    The orange of an orange sleeping cat may be no noun yet.
    """
    if lexicon().properties_of(" ".join(words[found[0] : found[1]])):
        return False
    return words[at].endswith("ing") or words[at] in _DETERMINERS


def _length_of_noun(words: Sequence[str], at: int, end: int) -> int:
    for length in range(min(_MOST_WORDS, end - at), 0, -1):
        if lexicon().is_noun(singular(" ".join(words[at : at + length]))):
            return length
    return 0


def _first_stop(words: Sequence[str], known: Lexicon) -> int:
    """Return how many words come before what is said of the target after its word."""
    stops = known.before_a_place | known.companions | {"of", "to", "from", "for", "as"}
    for at, word in enumerate(words):
        is_first = set(words[:at]) <= _DETERMINERS  # off in the off side
        goes_on = _is_of_a_measure(words, at) or _is_and_of_values(words, at)
        if word in stops and not is_first and not goes_on:
            return at
    return len(words)


def _is_of_a_measure(words: Sequence[str], at: int) -> bool:
    """Tell whether this is the of of a slice of pizza; that of the bowl of the dog is none."""
    measures, after = lexicon().measures, words[at + 1 : at + 2]
    is_of = words[at] == "of" and singular(words[at - 1]) in measures
    return is_of and bool(after) and after[0] not in _DETERMINERS


def _is_and_of_values(words: Sequence[str], at: int) -> bool:
    """Tell whether this is the and of a black and white dog."""
    around = (*words[at - 1 : at], *words[at + 1 : at + 2])
    return words[at] == "and" and all(map(lexicon().properties_of, around)) and len(around) == 2


def _ends_a_noun(word: str, known: Lexicon) -> bool:
    return (
        word.endswith(("ing", "ed", "ly"))
        or word in known.after_a_noun
        or word in known.places
        or bool(known.properties_of(word) - {"clothing"})
    )


def is_several(word: str) -> bool:
    """Tell whether a word is the plural of another."""
    return singular(word) != word


def pronoun_of(word: str) -> Pronoun | None:
    """Return the pronoun that goes with a word for a thing; null where the lexicon does not know.

    A word for several things, or for a person who may be either, goes with ``they``.
    """
    known = lexicon()
    one = singular(word)
    names = known.same.get(one, frozenset((one,)))
    if not any(name in known.parents for name in names):
        return None
    if is_several(word):
        return "they"
    for name in (one, *sorted(names)):
        if name in known.pronouns:
            return known.pronouns[name]
    is_person = any(name == "person" or "person" in known.above(name) for name in names)
    return "they" if is_person else "it"
