"""The files of a source, as a catalog recorded them, and how a row is found in them."""

from collections.abc import Mapping
from typing import Any

from benchwright.plain_text import counted, excerpt
from benchwright.trace.way import Node, Way

_FILES = 5  # that are named
_DIGITS = 8  # of a digest that are shown


def add_source_files(
    way: Way,
    inputs: Mapping[str, str],
    settings: Mapping[str, Any],
    after: str | None,
    *,
    row: str | None = None,
    seed: int | None = None,
) -> None:
    """Add the source: its files with their digests, and of ``row`` how it is called in them.

    ``inputs`` and ``settings`` are those of the catalog's plan; names that end in a slash stand
    for folders of pictures.
    """
    read = {name: digest for name, digest in sorted(inputs.items()) if not name.endswith("/")}
    shown = [f"{excerpt(name)} (sha256 {digest[:_DIGITS]}…)" for name, digest in read.items()]
    more = f" and {counted(len(read) - _FILES, 'file')} more" if len(read) > _FILES else ""
    mapping = settings.get("mapping")
    column = mapping.get("id") if isinstance(mapping, Mapping) else None
    by = f", found by its column {excerpt(column)}" if column else ""
    files = f"in {', '.join(shown[:_FILES])}{more}" if shown else _drawn(settings, seed)
    way.add(
        Node(
            key=f"source:{row or 'files'}",
            step="source",
            says=(f"{row}{by}, {files}" if row else files,),
            facts={"row": row, "id_column": column, "files": read, "settings": dict(settings)},
        ),
        after,
    )


def _drawn(settings: Mapping[str, Any], seed: int | None) -> str:
    by = "" if seed is None else f" with seed {seed}"
    return f"read in no file: {settings.get('from', 'it was')} drawn{by}"
