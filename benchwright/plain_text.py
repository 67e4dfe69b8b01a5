"""Text of others, as it may stand on one line of a terminal."""

EXCERPT = 120  # characters of a text that somebody else wrote


def plain(text: str) -> str:
    """Return a text on one line, without what would steer a terminal."""
    return "".join(letter if letter.isprintable() else " " for letter in " ".join(text.split()))


def printable(text: str) -> str:
    """Return a text with its lines and blanks as they are, without what would steer a terminal."""
    return "".join(letter if letter.isprintable() or letter == "\n" else " " for letter in text)


def excerpt(text: str, most: int = EXCERPT) -> str:
    """Return the beginning of a text as ``plain`` gives it, at most so many characters."""
    said = plain(text[: 20 * most]).strip()  # a page may be long, and blanks are joined
    return said if len(said) <= most else f"{said[: most - 1].rstrip()}…"


def counted(number: int, noun: str) -> str:
    """Return a number with its noun, which takes an s unless there is one: 1 chain, 2 chains."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"
