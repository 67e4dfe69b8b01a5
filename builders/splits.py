"""The split that a name speaks of, spelled in one way whatever the source.

A split goes by the name that ``datasets`` gives it: ``train``, ``validation``, ``test``. What is
none of these (``dev``, ``minival``, ``trainval``, ``unlabeled``) keeps its name.
"""

import re
from dataclasses import dataclass

_SPLIT = re.compile(
    r"(?<![a-z])(test-?dev|trainval|valminusminival|minival|train(?:ing)?|val(?:id(?:ation)?)?"
    r"|test(?:ing)?|dev|unlabeled)(?:20\d\d)?(?![a-z])",
    re.IGNORECASE,
)
_OTHER_WORDS = {"train": ("training",), "validation": ("val", "valid"), "test": ("testing",)}
_ONE_WORD = {other: word for word, others in _OTHER_WORDS.items() for other in others}


@dataclass(frozen=True, slots=True, kw_only=True)
class Split:
    """A split as a name spells it (``val2017``) and as the catalog does (``validation``)."""

    spelled: str
    name: str


def canonical_split(name: str) -> str:
    """Return the one spelling of a split: that of validation for val and valid, say."""
    word = name.strip().lower()
    known = _SPLIT.fullmatch(word)
    return name if known is None else _ONE_WORD.get(known[1], known[1])


def spellings(split: str) -> tuple[str, ...]:
    """Return what a split may be called: its own name first, then the other words for it."""
    return split, *_OTHER_WORDS.get(split, ())


def split_in(text: str) -> Split | None:
    """Return the split that a name speaks of; None where there is none, or more than one."""
    found = [
        Split(spelled=match[0], name=canonical_split(match[0])) for match in _SPLIT.finditer(text)
    ]
    return found[0] if len({one.name for one in found}) == 1 else None
