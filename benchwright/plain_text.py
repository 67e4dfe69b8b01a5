"""Text of others, as it may stand on one line of a terminal."""


def plain(text: str) -> str:
    """Return a text on one line, without what would steer a terminal."""
    return "".join(letter if letter.isprintable() else " " for letter in " ".join(text.split()))
