"""A first vocabulary, made of what a catalog states.

Spellings that differ by case, hyphens or blanks are one value, named by the well-known spelling
or else the most frequent one. A type is taken for exclusive when no picture has two values of it,
and for not askable when the hidden-target protocol forbids it (AMIGO, section 3.1). Both are
guesses, for a person to look over.
"""

from collections import Counter, defaultdict

import numpy as np

from benchwright.records import AttributeType, AttributeValue
from labeling.attributes.vocabulary.spelling import fold, tidy
from labeling.attributes.vocabulary.stated import Stated
from labeling.attributes.vocabulary.suggestions import known_terms
from labeling.attributes.vocabulary.vocabulary import Vocabulary

FORBIDDEN_TYPES = frozenset(
    {"color", "colour", "print", "prints", "pattern", "patterntype", "sleevelength"}
    | {"length", "garmentlength", "dresslength", "agegroup", "age", "size", "shoes"}
    | {"necklace", "hat", "bag", "background"}
)


def guess_vocabulary(stated: Stated) -> Vocabulary:
    """Make a vocabulary of all that is stated."""
    names: dict[str, Counter[str]] = defaultdict(Counter)
    spellings: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    for (type_name, value), count in stated.pictures().items():
        names[fold(type_name)][type_name] += count
        spellings[fold(type_name), fold(value)][value] += count
    values = [
        _guess_value(tidy(_usual(names[type_key])), key, found)
        for (type_key, key), found in spellings.items()
    ]
    several = types_with_several(stated)
    types = [
        AttributeType(
            type=name,
            aliases=(),
            exclusive=fold(name) not in several,
            complete=False,
            askable=fold(name) not in FORBIDDEN_TYPES,
        )
        for name in sorted({value.type for value in values})
    ]
    in_order = sorted(values, key=lambda value: (value.type, value.value))
    return Vocabulary(types=tuple(types), values=tuple(in_order))


def _guess_value(type_name: str, key: str, found: Counter[str]) -> AttributeValue:
    spelling = known_terms().get(key, tidy(_usual(found)))
    return AttributeValue(type=type_name, value=spelling, aliases=(), templates=())


def _usual(found: Counter[str]) -> str:
    return min(found, key=lambda spelling: (-found[spelling], spelling))


def types_with_several(stated: Stated) -> set[str]:
    """Return the types, folded, of which some picture has two values."""
    keys = sorted({(fold(type_name), fold(value)) for type_name, value in stated.pairs})
    names = sorted({type_name for type_name, _ in keys})
    place = {key: at for at, key in enumerate(keys)}
    key_of = np.array([place[fold(name), fold(value)] for name, value in stated.pairs], np.int64)
    name_of = np.array([names.index(type_name) for type_name, _ in keys], np.int64)
    cells = np.unique(stated.rows.astype(np.int64) * len(keys) + key_of[stated.which])
    rows, held = np.divmod(cells, max(1, len(keys)))
    slots, times = np.unique(rows * len(names) + name_of[held], return_counts=True)
    return {names[at] for at in np.unique(slots[times > 1] % max(1, len(names)))}
