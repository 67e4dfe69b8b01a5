"""Making spellings comparable without moving a character: spans stay those of the answer."""

import unicodedata
from collections.abc import Iterable

_SAME = dict.fromkeys("’‘ʼ´′", "'") | dict.fromkeys("“”„«»「」『』″", '"') | {"\r": "\n"}

Span = tuple[int, int]


def fold(text: str, also: dict[str, str]) -> str:
    """Return a text of the same length in lower case and half width, with one kind of quotes.

    ``also`` maps further characters, such as traditional to simplified ones. A character whose
    plain form has another length stays as it is.
    """
    table = {ord(char): also.get(plain, plain) for char in set(text) if (plain := _plain(char))}
    return text.translate(table)


def blanked(text: str, spans: Iterable[Span]) -> str:
    """Return the text with blanks in the place of some spans, which are in order and apart."""
    parts, at = [], 0
    for start, end in spans:
        parts += [text[at:start], " " * (end - start)]
        at = end
    return "".join([*parts, text[at:]])


def _plain(char: str) -> str:
    if char in _SAME:
        return _SAME[char]
    if char != "\n" and (char.isspace() or unicodedata.category(char) == "Cf"):
        return " "
    plain = unicodedata.normalize("NFKC", char).lower()
    return plain if len(plain) == 1 else char
