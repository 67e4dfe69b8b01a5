"""Putting templates into the text of vocabulary.yaml, so that a person's comments stay.

Only the lines of templates are changed. The new text is read again: where it does not say just
what the old one said with the new templates, as with anchors or odd layouts, there is none.
"""

from collections.abc import Iterator, Mapping
from typing import Any

import yaml

Templates = Mapping[tuple[str, str], tuple[str, ...]]  # by type and value
_KEY = "templates"


def with_templates(text: str, templates: Templates) -> str | None:
    """Return a vocabulary's text with these templates in place of those of the same values.

    Null where only a rewritten file could hold them.
    """
    try:
        edits = sorted(_edits(text, templates), reverse=True)
        for start, end, new in edits:
            text = text[:start] + new + text[end:]
        return text
    except _OddLayoutError:
        return None


def says_the_same(old: str, new: str, templates: Templates) -> bool:
    """Tell whether a text says what the old one said, with these templates."""
    try:
        return bool(yaml.safe_load(new) == _expected(yaml.safe_load(old), templates))
    except yaml.YAMLError:
        return False


class _OddLayoutError(Exception):
    pass


Edit = tuple[int, int, str]  # from, to, the new text


def _edits(text: str, templates: Templates) -> Iterator[Edit]:
    root = yaml.compose(text, yaml.SafeLoader)
    for type_key, entry in _pairs(_at(root, "types")):
        parent = _at(entry, "values")
        for key, node in _pairs(parent):
            new = templates.get((type_key.value, key.value))
            if new is not None:
                yield from _edits_of(text, key, node, new, in_flow=_is_flow(parent))


def _edits_of(
    text: str, key: yaml.Node, node: yaml.Node, new: tuple[str, ...], *, in_flow: bool
) -> Iterator[Edit]:
    held = _pairs(node) if isinstance(node, yaml.MappingNode) else []
    own = [pair for pair in held if pair[0].value == _KEY]
    if in_flow or (held and _is_flow(node)):
        flow = _dumped(new, flow=True)
        if own:
            yield own[0][1].start_mark.index, _end(own[0][1]), flow
        elif isinstance(node, yaml.MappingNode):
            at = node.end_mark.index - 1
            yield at, at, f"{', ' if held else ''}{_KEY}: {flow}"
        else:
            raise _OddLayoutError
    elif own:
        column = own[0][0].start_mark.column
        yield own[0][0].start_mark.index, _end(own[0][1]), _block(new, column)
    elif held:
        column = held[0][0].start_mark.column
        line_end = _line_end(text, _end(held[-1][1]))
        yield line_end, line_end, f"\n{' ' * column}{_block(new, column)}"
    else:  # {}, null or nothing
        column = key.start_mark.column + 2
        yield key.end_mark.index, node.end_mark.index, ":"
        line_end = _line_end(text, node.end_mark.index)
        yield line_end, line_end, f"\n{' ' * column}{_block(new, column)}"


def _is_flow(node: yaml.Node) -> bool:
    return isinstance(node, yaml.CollectionNode) and bool(node.flow_style)


def _pairs(node: yaml.Node | None) -> list[tuple[yaml.Node, yaml.Node]]:
    if not isinstance(node, yaml.MappingNode):
        raise _OddLayoutError
    return list(node.value)


def _at(node: yaml.Node | None, name: str) -> yaml.Node:
    for key, value in _pairs(node):
        if key.value == name:
            return value
    raise _OddLayoutError


def _end(node: yaml.Node) -> int:
    """Return where a node ends: that of a block ends only where the next thing begins."""
    if isinstance(node, yaml.CollectionNode) and not _is_flow(node) and node.value:
        last = node.value[-1]
        return _end(last[1] if isinstance(last, tuple) else last)
    return int(node.end_mark.index)


def _line_end(text: str, at: int) -> int:
    found = text.find("\n", at)
    return len(text) if found < 0 else found


def _block(templates: tuple[str, ...], column: int) -> str:
    if not templates:
        return f"{_KEY}: []"
    lines = [_KEY + ":", *_dumped(templates, flow=False).split("\n")]
    return f"\n{' ' * column}".join(lines)


def _dumped(templates: tuple[str, ...], *, flow: bool) -> str:
    said: str = yaml.safe_dump(
        list(templates), allow_unicode=True, default_flow_style=flow, width=10**6
    )
    return said.rstrip("\n")


def _expected(said: Any, templates: Templates) -> Any:
    types = {}
    for type_name, entry in said["types"].items():
        values = {}
        for name, value in (entry["values"] or {}).items():
            new = templates.get((type_name, name))
            values[name] = value if new is None else {**(value or {}), _KEY: list(new)}
        types[type_name] = {**entry, "values": values}
    return {**said, "types": types}
