"""What the texts of models are made of: plain English letters, whatever else they may send."""

import re
import unicodedata

_NOT_OF_A_PHRASE = re.compile(r"[^\w\s'’\-]|_")
_NOT_OF_A_QUESTION = re.compile(r"[^\w\s'’\-,;:.?!()/\"“”&%–—]|_")
_FRAME = re.compile(
    r"\b(?:red|bounding|drawn|highlighted|marked)[ -](?:frame|box|rectangle|outline)\b"
    r"|\b(?:framed|outlined|highlighted|boxed)\b"
    r"(?! (?:art|mirror|painting|photo|photograph|picture|portrait|poster|print)s?\b)",  # on a wall
    re.IGNORECASE,
)


def tidied(text: str) -> str:
    """Return a text with single blanks between its words and none around it."""
    return " ".join(text.split())


def why_no_phrase(text: str) -> str | None:
    """Return why a tidied text cannot stand as a description in a question; null where it can."""
    return _why_not(text, _NOT_OF_A_PHRASE)


def why_no_sentence(text: str) -> str | None:
    """Return why a tidied text cannot be a plain question; null where it can."""
    return _why_not(text, _NOT_OF_A_QUESTION)


def _why_not(text: str, refused: "re.Pattern[str]") -> str | None:
    if not text.isprintable():
        return "holds characters that cannot be printed"
    found = refused.search(text)
    if found is not None:
        return f"holds {found.group()!r}"
    other = next((letter for letter in text if letter.isalpha() and not _is_latin(letter)), None)
    if other is not None:
        return f"is no plain English: it holds {other!r}"
    frame = _FRAME.search(text)
    if frame is not None:
        return f"speaks of the frame: {frame.group()!r}"
    return None


def _is_latin(letter: str) -> bool:
    return letter.isascii() or unicodedata.name(letter, "").startswith("LATIN ")
