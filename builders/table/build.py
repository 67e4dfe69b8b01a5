"""From tables to a catalog: rows become items and rejects, their pictures are stored."""

from collections.abc import Callable, Sequence
from dataclasses import asdict, replace
from pathlib import Path

from benchwright.engines.engine import LOCAL, Engine
from benchwright.errors import UsageError
from benchwright.pictures import read_file
from benchwright.progress import Progress, no_progress
from benchwright.store import Plan
from benchwright.workspace import Workspace
from builders.catalog import (
    STAGE,
    Built,
    Harvest,
    empty_catalog,
    input_digests,
    write_catalog,
)
from builders.local import PICTURES, locate_pictures, pictures_digest
from builders.rules import DEFAULT_RULES, PictureRules
from builders.table.entries import entries_of
from builders.table.mapping import (
    MappingOptions,
    TableMapping,
    check_columns,
    resolve,
    split_names,
)
from builders.table.proposal import Proposal, propose
from builders.table.reading import Table, read_table

_DELIMITERS = {",": "comma", ";": "semicolon", "\t": "tab", "|": "bar"}


def build_table(  # noqa: PLR0913  # one parameter for each option
    paths: Sequence[Path],
    workspace: Workspace,
    *,
    options: MappingOptions | None = None,
    images: Path | None = None,
    workers: int | None = None,
    engine: Engine = LOCAL,
    force: bool = False,
    rules: PictureRules = DEFAULT_RULES,
    progress: Progress = no_progress,
    report: Callable[[str], None] = lambda _line: None,
) -> Built:
    """Build the catalog of a workspace from tables.

    ``options`` are what is known of the mapping; what they leave open is proposed. Pictures are
    looked for beside each table, or under ``images``. ``report`` gets lines for the user while
    the work goes on. Where the same files with the same mapping were built already nothing is
    done, unless ``force``.

    Raises UsageError (SourceError among them) for what is wrong with files, columns or folders.
    """
    if not paths:
        raise UsageError("no file given; give one table (CSV, JSON Lines, Parquet) or more")
    if images is not None and not images.is_dir():
        raise UsageError(f"{images}: no such folder of pictures; name it by --images")
    options = options or MappingOptions()
    tables = [read_table(path, options.source or TableMapping().source) for path in paths]
    digests = input_digests(paths)
    for table in tables:
        report(describe_table(table))
    if not any(table.rows for table in tables):
        raise empty_catalog([reject for table in tables for reject in table.rejects])
    mapping = _mapping(tables, options, report)
    folders = [images or table.path.parent for table in tables]
    entries, rejects = entries_of(tables, folders, mapping)
    found, sizes, lost = locate_pictures(entries)
    plan = Plan(
        stage=STAGE,
        inputs=digests | ({PICTURES: pictures_digest(sizes)} if sizes else {}),
        settings={"from": "table", "mapping": asdict(mapping)},
    )
    harvest = Harvest(entries=found, make=read_file, rejects=[*rejects, *lost])
    return write_catalog(
        workspace,
        plan,
        harvest,
        workers=workers,
        engine=engine,
        force=force,
        rules=rules,
        progress=progress,
    )


def describe_table(table: Table) -> str:
    """Return one line that says how a table was read."""
    how = [{"csv": "CSV", "jsonl": "JSON Lines", "parquet": "Parquet"}[table.format]]
    how += [table.encoding] if table.encoding else []
    how += [_DELIMITERS[table.delimiter]] if table.delimiter else []
    unread = f", {len(table.rejects)} unreadable" if table.rejects else ""
    return (
        f"read {table.path.name}: {', '.join(how)}; {len(table.rows)} rows{unread}, "
        f"{len(table.columns)} columns"
    )


def _mapping(
    tables: Sequence[Table], options: MappingOptions, report: Callable[[str], None]
) -> TableMapping:
    """Return the mapping: what the options say, a proposal for the rest."""
    columns = [name for name in tables[0].columns if all(name in t.columns for t in tables)]
    if options.attributes is not None:
        options = replace(options, attributes=split_names(options.attributes, columns))
    for table in tables:
        check_columns(options, table.path, table.columns)
    places = [
        (table, dict(zip(table.columns, range(len(table.columns)), strict=True)))
        for table in tables
    ]
    cells = {
        name: [row.cells[place[name]] for table, place in places for row in table.rows]
        for name in columns
    }
    where = ", ".join(str(table.path) for table in tables)
    proposal = propose(cells, options, where)
    mapping = resolve(options, proposal.mapping)
    if mapping.id is None and mapping.image is None:
        raise UsageError(f"{where}: neither an id nor a picture; give --id COL or --image COL")
    unshared = sorted({name for table in tables for name in table.columns} - set(columns))
    for line in describe_mapping(mapping, proposal, unshared):
        report(line)
    return mapping


def describe_mapping(
    mapping: TableMapping, proposal: Proposal, unshared: Sequence[str] = ()
) -> list[str]:
    """Return the lines that say which column is what, and why."""
    why = {(role, column): reason for role, column, reason in proposal.chosen}
    rows = [(role, column, why.get((role, column), "as given")) for role, column in mapping.uses()]
    used = {column for _, column, _ in rows}
    left = [(column, reason) for column, reason in proposal.left_out if column not in used]
    left += [(column, "not in every file") for column in unshared]
    width = max((len(column) for column in [*used, *(column for column, _ in left)]), default=0)
    lines = ["columns used:"]
    lines += [f"  {role:<10} {column:<{width}}  {reason}" for role, column, reason in rows]
    lines += ["columns left out:"] if left else []
    lines += [f"  {'':<10} {column:<{width}}  {reason}" for column, reason in left]
    words = ", ".join(word for word in mapping.missing if word)
    lines.append(f"no value: empty cells{f', and the words {words}' if words else ''}")
    return lines
