"""What the cells of a column look like: the facts that a proposal is made of."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from builders.table.row import Cell

_NUMBER = re.compile(r"[-+]?[\d.,]*\d(?:[.,]\d+)?(?:e[-+]?\d+)?\s*%?", re.IGNORECASE)
_DATE = re.compile(r"\d{4}-\d\d-\d\d([T ].*)?|\d{1,2}[./]\d{1,2}[./]\d{2,4}")
_LINK = re.compile(r"https?://\S+", re.IGNORECASE)
_PICTURE = re.compile(r"\S.*\.(jpe?g|png|webp|gif|bmp|tiff?|avif)([?#].*)?", re.IGNORECASE)
_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """A column: its name, how many cells are filled and different, and shares (0 to 1) of kinds.

    ``key`` is the name in lower case without blanks and marks; ``words`` and ``length`` are means
    over the filled cells, in words and in characters.
    """

    name: str
    key: str
    filled: int
    distinct: int
    numbers: float
    dates: float
    links: float
    picture_names: float
    words: float
    length: float


def describe(name: str, cells: Sequence[Cell], missing: frozenset[str]) -> Column:
    """Return the facts of one column; a list counts as each of its entries."""
    texts = [text for text in _texts(cells) if text.casefold() not in missing]
    counts: dict[str, int] = {}
    for text in texts:
        counts[text] = counts.get(text, 0) + 1
    total = max(1, len(texts))

    def share(pattern: re.Pattern[str]) -> float:
        return sum(count for text, count in counts.items() if pattern.fullmatch(text)) / total

    return Column(
        name=name,
        key=re.sub(r"[\W_]", "", name).casefold(),
        filled=len(texts),
        distinct=len(counts),
        numbers=share(_NUMBER),
        dates=share(_DATE),
        links=share(_LINK),
        picture_names=share(_PICTURE),
        words=sum(len(text.split()) * count for text, count in counts.items()) / total,
        length=sum(len(text) * count for text, count in counts.items()) / total,
    )


def name_words(name: str) -> list[str]:
    """Return the words of a column name, ``priceUSD`` and ``price_usd`` alike."""
    return [word.casefold() for word in _WORD.findall(name)]


def _texts(cells: Sequence[Cell]) -> Iterator[str]:
    for cell in cells:
        for text in cell if isinstance(cell, list) else [cell]:
            if text is not None and text.strip():
                yield text.strip()
