"""Write docs/reference/records.md from the records and their schemas: python docs/write_records.py.

A column's name, kind and whether it may be null come from the Arrow schema, what may stand in it
from the record's annotation, the words from its docstring and the comment beside the field.
"""

import inspect
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal, get_args, get_origin, get_type_hints

import pyarrow as pa

from benchwright.arrow_fields import BOX, struct_of
from benchwright.records import SCHEMAS

PAGE = Path(__file__).with_name("reference") / "records.md"
HEAD = """# Records

Written by `python docs/write_records.py` from the records and their Arrow schemas. What passes \
between stages is one of these, in Parquet, and nothing is inferred from the first rows. Boxes are \
`[x, y, width, height]` in pixels of the upright picture. Which file holds which record, \
[Files of a workspace](workspace.md) says.
"""
_KINDS = {
    pa.string(): "text",
    pa.int32(): "whole number",
    pa.int64(): "whole number",
    pa.float64(): "number",
    pa.bool_(): "true or false",
    BOX: "box",
}
_COMMENT = re.compile(r"^    (\w+): .*?  # (.+)$", re.MULTILINE)
_RECORDS = {struct_of(schema): record for record, schema in SCHEMAS.items()}


def page() -> str:
    """Return the whole page."""
    parts = [HEAD]
    module = None
    modules = list(dict.fromkeys(record.__module__ for record in SCHEMAS))
    for record in sorted(SCHEMAS, key=lambda one: modules.index(one.__module__)):
        if record.__module__ != module:
            module = record.__module__
            parts.append(f"## {_title(module)}\n")
        parts.append("\n".join(_described(record)))
    return "\n".join(parts)


def _title(module: str) -> str:
    """Return what a module's docstring says its records are of."""
    first = (inspect.getdoc(sys.modules[module]) or module).splitlines()[0]
    return re.split(r"[:.,]\s", f"{first} ")[0]


def _described(record: type[Any]) -> Iterator[str]:
    yield f"### {record.__name__}\n"
    yield f"{_text(inspect.getdoc(record) or '')}\n"
    yield "| column | kind | null | what may stand there |"
    yield "| --- | --- | --- | --- |"
    hints = get_type_hints(record)
    comments = dict(_COMMENT.findall(inspect.getsource(record)))
    for field in SCHEMAS[record]:
        words = ", ".join(f"`{one}`" for one in _words(hints[field.name]))
        said = "; ".join(filter(None, (words, _text(comments.get(field.name, "")))))
        null = "may be" if field.nullable else ""
        yield f"| `{field.name}` | {_kind(field.type)} | {null} | {said} |"
    yield ""


def _text(said: str) -> str:
    """Return a docstring as Markdown."""
    return said.replace("``", "`").replace("|", "\\|")


def _kind(kind: pa.DataType) -> str:
    if kind in _RECORDS:
        name = _RECORDS[kind].__name__
        return f"[{name}](#{name.lower()})"
    if kind in _KINDS:
        return _KINDS[kind]
    if pa.types.is_list(kind):
        return f"list of {_kind(kind.value_type)}"
    return str(kind)


def _words(hint: Any) -> Iterator[str]:
    """Yield the words that an annotation allows."""
    if get_origin(hint) is Literal:
        yield from map(str, get_args(hint))
        return
    for inner in get_args(hint):
        yield from _words(inner)


if __name__ == "__main__":
    PAGE.write_text(page(), "utf-8")
