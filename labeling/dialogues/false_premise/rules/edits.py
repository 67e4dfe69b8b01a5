"""The one edit between two descriptions."""

import re

from benchwright.records import Edit

TOKEN = re.compile(r"\s+|\w+(?:['’\-]\w+)*|[^\w\s]")  # a word, what parts words, or a mark
WORD = re.compile(r"\w+(?:['’\-]\w+)*")
ARTICLES = frozenset(("a", "an"))


def words_of(text: str) -> list[str]:
    """Return the words of a text in small letters; a hyphen or an apostrophe parts no word."""
    return [word.casefold() for word in WORD.findall(text)]


def edit_between(true: str, false: str) -> Edit:
    """Return the smallest stretch of whole words that differs: all that stands round it is equal.

    Two equal texts give an edit of nothing at the end.
    """
    old, new = TOKEN.findall(true), TOKEN.findall(false)
    head = 0
    while head < min(len(old), len(new)) and old[head] == new[head]:
        head += 1
    tail = 0
    while tail < min(len(old), len(new)) - head and old[-1 - tail] == new[-1 - tail]:
        tail += 1
    return Edit(
        start=len("".join(old[:head])),
        before="".join(old[head : len(old) - tail]),
        after="".join(new[head : len(new) - tail]),
    )


def edited(true: str, edit: Edit) -> str:
    """Return a description with an edit made in it.

    Raises ValueError when what the edit changes does not stand where it says.
    """
    end = edit.start + len(edit.before)
    if true[edit.start : end] != edit.before:
        raise ValueError(f"{edit.before!r} does not stand at character {edit.start} of {true!r}")
    return true[: edit.start] + edit.after + true[end:]
