"""Pronouns that no longer fit once the target is said to be something else."""

import re
from collections.abc import Callable
from typing import Literal, NamedTuple

from labeling.dialogues.false_premise.rules.edits import WORD
from labeling.dialogues.false_premise.rules.lexicon import Pronoun, lexicon

Role = Literal["subject", "object", "possessive", "alone", "reflexive"]
_FORMS: dict[Pronoun, dict[Role, str]] = {
    "he": {
        "subject": "he",
        "object": "him",
        "possessive": "his",
        "alone": "his",
        "reflexive": "himself",
    },
    "she": {
        "subject": "she",
        "object": "her",
        "possessive": "her",
        "alone": "hers",
        "reflexive": "herself",
    },
    "it": {
        "subject": "it",
        "object": "it",
        "possessive": "its",
        "alone": "its",
        "reflexive": "itself",
    },
    "they": {
        "subject": "they",
        "object": "them",
        "possessive": "their",
        "alone": "theirs",
        "reflexive": "themselves",
    },
}
_FITS: dict[Pronoun, frozenset[Pronoun]] = {
    "he": frozenset(("he", "they")),
    "she": frozenset(("she", "they")),
    "it": frozenset(("it",)),
    "they": frozenset(("he", "she", "they")),  # a cyclist may be a he
}
_WHOSE: dict[str, Pronoun] = {
    form: pronoun for pronoun, forms in _FORMS.items() for form in forms.values()
}
PRONOUNS = frozenset(_WHOSE)


class _Place(NamedTuple):
    """The words right before and after a pronoun; empty where there is none."""

    before: str
    after: str


def repaired(text: str, true: Pronoun, false: Pronoun) -> str:
    """Return a text with the pronouns of the true target that the false one cannot have changed.

    Which form stands there is read off the words beside it. The subject form is left alone where
    the verb would have to change with it (it is, they are). Nobody is meant by the it of ``does it
    look like``.
    """
    matches = list(WORD.finditer(text))
    words = [match.group().casefold() for match in matches]
    pieces: list[str] = []
    end = 0
    for number, match in enumerate(matches):
        before = words[number - 1] if number and _is_close(text, matches[number - 1], match) else ""
        after = (
            words[number + 1]
            if number + 1 < len(words) and _is_close(text, match, matches[number + 1])
            else ""
        )
        pieces.append(text[end : match.start()])
        pieces.append(_instead(match.group(), _Place(before, after), true, false))
        end = match.end()
    return "".join((*pieces, text[end:]))


def _is_close(text: str, one: "re.Match[str]", other: "re.Match[str]") -> bool:
    """Tell whether only blanks stand between two words: a comma or a full stop parts them."""
    return not text[one.end() : other.start()].strip()


def _instead(word: str, place: _Place, true: Pronoun, false: Pronoun) -> str:
    stem, mark, rest = word.partition("'") if "'" in word else word.partition("’")
    whose = _WHOSE.get(stem.casefold())
    if whose is None or whose not in _FITS[true] or whose in _FITS[false]:
        return word
    role = "subject" if mark else _role(stem.casefold(), place)
    if role is None or (role == "subject" and "they" in (whose, false)):
        return word
    return _cased(_FORMS[false][role], stem) + mark + rest


def _role(word: str, place: _Place) -> Role | None:
    if word in _UNSURE:
        return _UNSURE[word](place)
    return next(role for role, form in _FORMS[_WHOSE[word]].items() if form == word)


def _role_of_it(place: _Place) -> Role | None:
    known = lexicon()
    if place.after in known.of_nothing:
        return None
    is_subject = (
        not place.before
        or place.before in known.verbs | known.before_a_subject
        or (place.after in known.verbs and place.before not in known.before_a_place)
    )
    return "subject" if is_subject else "object"


def _stands_before_a_thing(place: _Place) -> bool:
    known = lexicon()
    no_thing = known.no_thing | known.verbs | known.before_a_subject | known.before_a_place
    return bool(place.after) and place.after not in no_thing


def _role_of_her(place: _Place) -> Role | None:
    return "possessive" if _stands_before_a_thing(place) else "object"


def _role_of_his(place: _Place) -> Role | None:
    return "possessive" if _stands_before_a_thing(place) else "alone"


_UNSURE: dict[str, Callable[[_Place], Role | None]] = {
    "it": _role_of_it,
    "her": _role_of_her,
    "his": _role_of_his,
    "its": _role_of_his,
}


def _cased(word: str, like: str) -> str:
    return word.capitalize() if like[:1].isupper() else word
