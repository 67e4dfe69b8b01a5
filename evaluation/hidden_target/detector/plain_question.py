"""A question as the rules of the detector read it."""

from benchwright.asking.reading.folding import fold

LONGEST = 4000  # characters that are looked at; who writes more has not asked one question


def plain_question(text: str) -> str:
    """Return the beginning of a question in lower case, on one line, with one kind of quotes."""
    return " ".join(fold(text[:LONGEST], {}).split())
