"""The words of a question, each with its stem, and the signs between them."""

import re
from collections.abc import Container
from dataclasses import dataclass

from benchwright.asking.reading.markup import struck
from benchwright.asking.reading.words import folded
from evaluation.hidden_target.mapping.inflection import stem

_TOKEN = re.compile(
    r"(?P<cjk>[぀-ヿ㐀-鿿가-힣])|(?P<word>\d+(?:[./]\d+)*[a-z]{0,2}|[^\W\d_぀-ヿ㐀-鿿가-힣]+(?:'[a-z]+)?)|(?P<sign>[,;:.?!()。])"
)
MOST = 400  # words; what is longer is no question


@dataclass(frozen=True, slots=True, kw_only=True)
class Token:
    """A word, or a sign that ends a clause.

    ``stem`` is empty for a sign. ``is_turned`` tells that the word denies its stem (unbelted,
    beltless); ``is_joined`` that no blank stands before it; ``is_capital`` that it was written
    with a capital.
    """

    text: str
    stem: str
    is_turned: bool = False
    is_joined: bool = False
    is_capital: bool = False


def tokens_of(text: str, known: Container[str]) -> list[Token]:
    """Return the words and signs of a text, at most ``MOST`` + 1.

    ``known`` are the stems of the vocabulary. A word that is none is taken for one that it is
    made of: puffy for puff, unbelted and beltless for belt.
    """
    text = text[: 20 * MOST]
    plain = struck(folded(text))
    found: list[Token] = []
    last = -1
    for part in _TOKEN.finditer(plain):
        said = part[0]
        if part.lastgroup == "sign":
            found.append(Token(text=said, stem=""))
        else:
            said = said.removesuffix("'s").removesuffix("'")
            stems, is_turned = _known_stem(said, known)
            found.append(
                Token(
                    text=said,
                    stem=stems,
                    is_turned=is_turned,
                    is_joined=last >= 0 and " " not in plain[last : part.start()],
                    is_capital=text[part.start()].isupper(),
                )
            )
        last = part.end()
        if len(found) > MOST:
            break
    return found


def stems_of(name: str) -> tuple[str, ...]:
    """Return the stems of a name of the vocabulary."""
    return tuple(
        stem(part[0].removesuffix("'s"))
        for part in _TOKEN.finditer(folded(name))
        if part.lastgroup != "sign"
    )


def _known_stem(word: str, known: Container[str]) -> tuple[str, bool]:
    own = stem(word)
    if own in known:
        return own, False
    for part, is_turned in _parts(word):
        if len(part) > 2 and (found := stem(part)) in known:
            return found, is_turned
    return own, False


def _parts(word: str) -> list[tuple[str, bool]]:
    """Return the words that a word may be made of or make, and whether it denies them."""
    some = [(f"{word}y", False), (f"{word}{word[-1]}y", False)]  # rust, mud
    if word.endswith("y"):
        some += [(word[:-1], False), (word[:-1] + "e", False)]
        if word[-2:-1] == word[-3:-2]:
            some.append((word[:-2], False))
    if word.endswith("less"):
        some.append((word[:-4], True))
    if word.startswith("un"):
        some.append((word[2:], True))
    if word.startswith("non"):
        some.append((word[3:], True))
    return some
