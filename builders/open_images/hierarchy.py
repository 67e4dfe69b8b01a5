"""The hierarchy of classes: a graph that is written as a tree, so that nodes are repeated in it."""

import json
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchwright.errors import SourceError

_MOST_BYTES = 64 * 2**20


@dataclass(frozen=True, slots=True, kw_only=True)
class Hierarchy:
    """The classes, by code, and which is a kind of which (``parents``)."""

    nodes: frozenset[str]
    parents: Mapping[str, frozenset[str]]

    def descendants(self, label: str) -> frozenset[str]:
        """Return all classes that are a kind of a class, by any way; itself is not among them.

        A part is no kind of its whole: a wheel is no car. An unknown class has no descendants.
        """
        children: dict[str, set[str]] = defaultdict(set)
        for child, parents in self.parents.items():
            for parent in parents:
                children[parent].add(child)
        seen: set[str] = set()
        ahead = [label]
        while ahead:
            new = children[ahead.pop()] - seen
            seen |= new
            ahead += new
        return frozenset(seen - {label})


NO_HIERARCHY = Hierarchy(nodes=frozenset(), parents={})


def load_hierarchy(path: Path) -> Hierarchy | None:
    """Read a hierarchy; None for a JSON file that is something else.

    Raises SourceError for a file that begins as a hierarchy and is none.
    """
    if path.stat().st_size > _MOST_BYTES:
        return None
    try:
        root = json.loads(path.read_text("utf-8-sig"))
    except (ValueError, RecursionError):
        return None
    if not isinstance(root, dict) or not isinstance(root.get("LabelName"), str):
        return None
    return _graph(path, root)


def _graph(path: Path, root: dict[str, Any]) -> Hierarchy:
    nodes: set[str] = set()
    parents: dict[str, set[str]] = defaultdict(set)
    ahead: list[Any] = [root]
    while ahead:
        node = ahead.pop()
        label = node["LabelName"].strip()
        nodes.add(label)
        for relation in ("Subcategory", "Part"):
            below = node.get(relation, [])
            if not isinstance(below, list):
                raise SourceError(f"{path}: {relation} of {label} is no list")
            for child in below:
                if not isinstance(child, dict) or not isinstance(child.get("LabelName"), str):
                    raise SourceError(f"{path}: an entry in {relation} of {label} has no LabelName")
                if relation == "Subcategory":
                    parents[child["LabelName"].strip()].add(label)
                ahead.append(child)
    return Hierarchy(
        nodes=frozenset(nodes),
        parents={child: frozenset(above) for child, above in parents.items()},
    )


def merge(hierarchies: list[Hierarchy]) -> Hierarchy:
    """Return one hierarchy with all that several say."""
    parents: dict[str, frozenset[str]] = {}
    for one in hierarchies:
        for child, above in one.parents.items():
            parents[child] = parents.get(child, frozenset()) | above
    nodes = frozenset(node for one in hierarchies for node in one.nodes)
    return Hierarchy(nodes=nodes, parents=parents)
