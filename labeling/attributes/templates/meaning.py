"""What a value claims: most name a quality, some that a thing is there or is not.

``pockets: yes`` and ``trim: with pockets`` claim that pockets are there, ``pockets: none`` and
``neckline: no collar`` that something is not. Their questions name the thing, since nobody asks
whether pockets are yes.
"""

import re
from dataclasses import dataclass
from typing import Literal

from benchwright.records import AttributeType, AttributeValue
from labeling.attributes.vocabulary.spelling import fold, tidy

_YES = frozenset({"yes", "y", "true", "present", "has", "with"})
_NO = frozenset({"no", "n", "none", "false", "absent", "without", "nil"})
_WITH = re.compile(r"(?:with|has|have|having)\s+(?:an?\s+)?(?=\S)")
_WITHOUT = re.compile(r"(?:without|no|non|not|lacks|lacking)[\s-]+(?:any\s+|an?\s+)?(?=[^\W\d])")
_LEAD = re.compile(r"(?:(?:is|has|have|with|are)\s+(?:an?\s+)?|(?:number|count) of\s+)(?=\S)")
_TAIL = re.compile(r"(?<=\w)\s+(?:length|style|type|kind|shape|design|details?)$")

Claim = Literal["quality", "present", "absent"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Meaning:
    """What a value claims; ``things`` names what is there or not, the first name is shown."""

    claim: Claim
    things: tuple[str, ...] = ()


def meaning_of(kind: AttributeType, value: AttributeValue) -> Meaning:
    """Return what a value of a type claims."""
    name = tidy(value.value)
    if fold(name) in _YES:
        return Meaning(claim="present", things=_type_names(kind))
    if fold(name) in _NO:
        return Meaning(claim="absent", things=_type_names(kind))
    if (rest := _WITHOUT.match(name)) is not None:
        return Meaning(claim="absent", things=(name[rest.end() :],))
    if (rest := _WITH.match(name)) is not None:
        return Meaning(claim="present", things=(name[rest.end() :],))
    return Meaning(claim="quality")


def _type_names(kind: AttributeType) -> tuple[str, ...]:
    whole = [_LEAD.sub("", tidy(name), count=1) for name in (kind.type, *kind.aliases)]
    # a dress is free of sleeves, not of a sleeve length
    return tuple(dict.fromkeys([*(_TAIL.sub("", name) for name in whole), *whole]))


def own_names(kind: AttributeType, value: AttributeValue) -> tuple[str, ...]:
    """Return what a question must say, one of them, to ask for a value.

    That is its name, an alias, or what it claims to be there or not.
    """
    foreign = [alias.partition(": ")[2] for alias in value.aliases]
    spelled = [own or alias for own, alias in zip(foreign, value.aliases, strict=True)]
    meaning = meaning_of(kind, value)
    if meaning.claim == "present":
        spelled += meaning.things
    if meaning.claim == "absent":
        spelled += [f"free of {some}{thing}" for thing in meaning.things for some in ("any ", "")]
    return (value.value, *spelled)
