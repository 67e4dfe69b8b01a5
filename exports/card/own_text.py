"""What a person writes on a card, and the place in it that is written anew with each build."""

import hashlib

from benchwright.errors import UsageError
from exports.card.markdown import text

BEGIN = "<!-- benchwright: what stands from here on is written anew by each build -->"
END = "<!-- benchwright: to here -->"
# comments: the Hub shows none of them
_PURPOSE = "<!-- Write here what the dataset is for and who made it. -->"
_CONTACT = (
    "<!-- Write here to whom one turns who wants a picture taken down, or found a fault, and under"
    " which licence your own work (dialogues, labels) is. -->"
)


def first_text(title: str) -> str:
    """Return what a card holds before a person wrote on it."""
    return f"# {text(title)}\n\n{_PURPOSE}\n\n{_CONTACT}\n\n{BEGIN}\n{END}\n"


def is_untouched(card: str) -> bool:
    """Tell whether a card still asks for what a person is to write on it."""
    return _PURPOSE in card or _CONTACT in card


def with_block(own: str, block: str, where: str) -> str:
    """Return a card's text with a block in the place of the one that stood between the markers.

    What stands round the markers is left as it is, to the letter. Raises UsageError, which names
    ``where`` it stands, for a text without the two markers, each once and in their order;
    ValueError for a block that holds one of them.
    """
    if BEGIN in block or END in block:
        raise ValueError("a block with a marker in it would end there")
    if own.count(BEGIN) != 1 or own.count(END) != 1 or own.index(END) < own.index(BEGIN):
        raise UsageError(
            f"{where}: wants the lines {BEGIN!r} and {END!r} once each and in this order; put them"
            " where the generated part is to stand"
        )
    before, _, rest = own.partition(BEGIN)
    after = rest.partition(END)[2]
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
