"""The way of a record: steps from a score to the source row, and which follows from which."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, Literal

Step = Literal[
    "score",
    "run",
    "answer",
    "uses",
    "release",
    "record",
    "draft",
    "decisions",
    "labels",
    "votes",
    "answers",
    "picture",
    "source",
    "reject",
    "end",
]
# of the file that a step was read from: its bytes are those of its manifest or lock, they are
# not, or nothing says what they should be
Check = Literal["as recorded", "changed", "unrecorded"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Node:
    """One step: what it is of, what it says in words, and the same as ``facts`` for programs.

    ``key`` names it within its way. ``files`` are those that it was read from, from the root of
    the workspace, each with what came of the check. ``warnings`` say what no longer fits.
    """

    key: str
    step: Step
    says: tuple[str, ...]
    facts: Mapping[str, Any]
    files: Mapping[str, Check] = field(default_factory=dict)
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Edge:
    """The node of the key ``later`` was made of that of the key ``earlier``."""

    later: str
    earlier: str


@dataclass(slots=True, kw_only=True)
class Way:
    """The steps of a record, the score first, with what each was made of."""

    asked: str
    called: str  # what the id that was asked for names
    nodes: dict[str, Node] = field(default_factory=dict)
    edges: dict[Edge, None] = field(default_factory=dict)

    def add(self, node: Node, after: str | None = None) -> str:
        """Add a step, once, as what ``after`` was made of; return its key."""
        self.nodes.setdefault(node.key, node)
        if after is not None:
            self.edges[Edge(later=after, earlier=node.key)] = None
        return node.key

    @property
    def is_whole(self) -> bool:
        """Whether it ends at the source, and nothing on it is lost or changed since."""
        steps = {node.step for node in self.nodes.values()}
        is_clean = not any(
            node.warnings or "changed" in node.files.values() for node in self.nodes.values()
        )
        return is_clean and "source" in steps and "end" not in steps

    def as_json(self) -> dict[str, Any]:
        """Return it as JSON can hold it."""
        return {
            "asked": self.asked,
            "called": self.called,
            "is_whole": self.is_whole,
            "nodes": [asdict(node) for node in self.nodes.values()],
            "edges": [asdict(edge) for edge in self.edges],
        }
