"""What a dataset of FiftyOne's must declare so that the App can show an audit."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Literal

from benchwright.store import digest_of
from labeling.audits.app.stored import MARK
from labeling.audits.tasks.task import Task

FORM = 1  # of the documents; a dataset of another form is none of ours
FacetType = Literal["text", "whole", "real", "flag"]

_VIEWS_OF_TYPES = 30
_FIELD_NAME = re.compile(r"[a-z][a-z0-9_]*")
_TYPES: Mapping[type, FacetType] = {str: "text", int: "whole", float: "real", bool: "flag"}
OWN_FIELDS = frozenset(
    (
        *(
            "task_id",
            "kind",
            "rank",
            "looks",
            "open",
            "seen_by",
            "disputed",
            "auditors",
            "judged_by",
            "boxes",
            "task",
        ),
        *("slot_1", "slot_2", "claim"),
        *("id", "filepath", "tags", "metadata", "created_at", "last_modified_at"),
    )
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Declaration:
    """A dataset: its name, the types of its facets, the views that it offers.

    ``kind`` is that of its tasks, or ``disagreements``; ``images`` the folder of the pictures,
    ``workspace`` the digest of the folder it is an audit of; ``facets`` by name, ``types`` (of
    attributes) and ``auditors`` are those that have a view.
    """

    name: str
    kind: str
    blind: bool
    workspace: str
    images: str
    facets: Mapping[str, FacetType]
    types: Sequence[str]
    auditors: Sequence[str]

    def info(self) -> dict[str, Any]:
        """Return what the dataset says of itself."""
        said = asdict(self)
        return said | {MARK: FORM, "declared": self.digest()}

    def digest(self) -> str:
        """Return what changes when something has to be declared anew."""
        said = {name: value for name, value in asdict(self).items() if name != "images"}
        return digest_of([said, FORM])


def facet_types(tasks: Iterable[Task]) -> dict[str, FacetType]:
    """Return the types of all facets that tasks have, by name in sorted order.

    Raises ValueError for a facet that no field can be: two types, or a name that is taken.
    """
    kinds: dict[str, set[type]] = {}
    for task in tasks:
        for name, value in task.facets.items():
            kinds.setdefault(name, set()).add(type(value))
    found: dict[str, FacetType] = {}
    for name in sorted(kinds):
        if name in OWN_FIELDS or not _FIELD_NAME.fullmatch(name):
            raise ValueError(f"no facet can be called {name!r}")
        joined: FacetType | None = None
        for kind in sorted(kinds[name] - {type(None)}, key=lambda each: each.__name__):
            joined = joint_type(name, joined, _TYPES[kind])
        found[name] = joined or "text"
    return found


def joint_type(name: str, one: FacetType | None, other: FacetType) -> FacetType:
    """Return the type that holds values of both; whole numbers are real ones, too."""
    if one is None or one == other:
        return other
    if {one, other} == {"whole", "real"}:
        return "real"
    raise ValueError(f"the facet {name!r} is {one} here and {other} there")


def types_with_views(tasks: Iterable[Task]) -> tuple[str, ...]:
    """Return the most frequent types of attributes, sorted, each of which gets a view."""
    counted = Counter(task.facets.get("type") for task in tasks)
    frequent = sorted(
        (-count, name) for name, count in counted.items() if isinstance(name, str) and name
    )
    return tuple(sorted(name for _, name in frequent[:_VIEWS_OF_TYPES]))
