"""A change of the vocabulary that somebody proposes, and who stands behind it."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, get_args

from labeling.attributes.vocabulary.spelling import fold
from labeling.attributes.vocabulary.suggestions import known_terms

TEXT_DISTANCE = "text distance"  # proposes, never accepts; no voter can have this name

Kind = Literal[
    "merge",  # the two values are one, named ``keep``
    "move",  # the value is ``keep`` of ``into_type``, in the wrong column
    "set aside",  # the value cannot be seen
    "set aside type",  # nor can any of the type
    "add",  # a value that the catalog does not list
    "rename",  # the type, to the value
    "exclusive",
    "not exclusive",
    "askable",
    "not askable",
]
KINDS: tuple[Kind, ...] = get_args(Kind)
FLAGS: Mapping[Kind, Kind] = {
    "exclusive": "not exclusive",
    "not exclusive": "exclusive",
    "askable": "not askable",
    "not askable": "askable",
}

Pictures = Mapping[tuple[str, str], int]  # (type, value): how many have it


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposal:
    """One change of a type: ``values`` are two for a merge, none for the whole type, else one.

    The names of voters and values are sorted. ``note`` says why it was not taken, where that is
    not plain from the counts.
    """

    kind: Kind
    type: str
    values: tuple[str, ...] = ()
    keep: str | None = None
    into_type: str | None = None
    reason: str = ""
    proposed_by: tuple[str, ...] = ()
    accepted_by: tuple[str, ...] = ()
    declined_by: tuple[str, ...] = ()
    note: str = ""

    def order(self) -> tuple[int, str, tuple[str, ...], str]:
        """Return by what proposals are sorted."""
        return KINDS.index(self.kind), self.type, self.values, self.keep or ""

    def supporters(self) -> frozenset[str]:
        """Return the models that proposed or accepted it."""
        return frozenset(self.proposed_by + self.accepted_by) - {TEXT_DISTANCE}

    def gone(self) -> str:
        """Return the value that it is about, or the type; of a merge the value that is not kept."""
        if self.kind == "merge":
            return next(one for one in self.values if one != self.keep)
        return self.values[0] if self.values else self.type

    def names(self) -> tuple[str, str, str]:
        """Return what --accept knows it by: the value, with its type, in full."""
        value = f"{self.type}: {self.gone()}" if self.values else self.type
        full = f"{self.kind} {value}"
        if self.keep is not None:
            full += f" = {f'{self.into_type}: ' if self.into_type else ''}{self.keep}"
        return self.gone(), value, full


def standing(type_name: str, value: str, pictures: Pictures) -> tuple[bool, int, str]:
    """Return by what a name is chosen, least first: a well-known term, many pictures, the name."""
    return fold(value) not in known_terms(), -pictures.get((type_name, value), 0), value
