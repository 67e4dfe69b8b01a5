"""A way as lines of text."""

from collections.abc import Iterator

from benchwright.plain_text import counted, plain
from benchwright.trace.way import Node, Way

_WIDTH = 10  # of the names of the steps
_FIRST = ("score", "run", "answer")
_CHECKED = {"as recorded": ", as recorded", "changed": ", CHANGED since", "unrecorded": ""}


def way_lines(way: Way) -> Iterator[str]:
    """Yield a line for what was asked, some for each step, and whether the way is whole."""
    yield plain(way.called)
    for node in sorted(way.nodes.values(), key=lambda one: one.step not in _FIRST):
        yield from _step(node)
    yield _end(way)


def _step(node: Node) -> Iterator[str]:
    lines = [plain(line) for line in node.says]
    lines += [f"read in {plain(file)}{_CHECKED[check]}" for file, check in node.files.items()]
    lines += [f"! {plain(warning)}" for warning in node.warnings]
    for number, line in enumerate(lines):
        yield f"  {node.step if number == 0 else '':<{_WIDTH}} {line}"


def _end(way: Way) -> str:
    if way.is_whole:
        return "whole: followed back to the source, every file as it was recorded"
    faults = sum(
        bool(node.warnings) or "changed" in node.files.values() for node in way.nodes.values()
    )
    if faults:
        steps = counted(faults, "step")
        return f"not whole: {steps} no longer fit; benchwright status says what is stale"
    return "not whole: no step leads on to a source"
