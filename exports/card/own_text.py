"""What a person writes on a card, and the place in it that is written anew with each build."""

import hashlib

from benchwright.errors import UsageError

BEGIN = "<!-- benchwright: what stands from here on is written anew by each build -->"
END = "<!-- benchwright: to here -->"


def first_text(title: str) -> str:
    """Return what a card holds before a person wrote on it."""
    return (
        f"# {title}\n\nWrite here what the dataset is for, who made it and how to cite it.\n\n"
        f"{BEGIN}\n{END}\n"
    )


def with_block(text: str, block: str, where: str) -> str:
    """Return a card's text with a block in the place of the one that stood between the markers.

    What stands round the markers is left as it is, to the letter. Raises UsageError, which names
    ``where`` it stands, for a text without the two markers, each once and in their order.
    """
    before, begin, rest = text.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end or BEGIN in after or END in before or END in after:
        raise UsageError(
            f"{where}: wants the lines {BEGIN!r} and {END!r} once each and in this order; put them"
            " where the generated part is to stand"
        )
    return f"{before}{BEGIN}\n\n{block.strip()}\n\n{END}{after}"


def block_in(text: str) -> str | None:
    """Return the block that stands between the markers of a card, null where there is none."""
    _, begin, rest = text.partition(BEGIN)
    block, end, _ = rest.partition(END)
    return block.strip() if begin and end else None


def block_digest(text: str) -> str | None:
    """Return the sha256 of the generated block of a card, null where there is none."""
    block = block_in(text)
    return None if block is None else hashlib.sha256(block.encode()).hexdigest()
