"""The config ``responses``: what evaluated models answered, with the labels of detectors.

A run keeps them in ``responses-*.parquet``; further columns are passed over, as the audit of
responses does. What was played of hidden-target episodes is the config ``trajectories``.
"""

from collections.abc import Collection, Iterator
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from benchwright.errors import SourceError
from benchwright.plain_text import excerpt
from benchwright.records import SCHEMAS, Response
from benchwright.workspace import Workspace
from labeling.audits.tasks.responses import FILES, run_name

_ORDER = ("run", "dialogue_id", "turn", "response_id")


def responses_table(
    workspace: Workspace, dialogue_ids: Collection[str], without: Collection[str] = ()
) -> pa.Table:
    """Return the responses to released dialogues, by run, dialogue and turn.

    ``without`` are names of runs that stay out.

    Raises SourceError for a file that does not hold responses.
    """
    schema = SCHEMAS[Response]
    tables = [schema.empty_table()]
    for path in _files(workspace, without):
        try:
            table = pq.read_table(path, columns=schema.names).cast(schema)
        except (pa.ArrowException, OSError, KeyError, ValueError) as error:
            raise SourceError(
                f"{path}: is no table of responses ({excerpt(str(error))}); score the run again, or"
                " move it away"
            ) from error
        chosen = pc.is_in(
            table["dialogue_id"], value_set=pa.array(sorted(dialogue_ids), pa.string())
        )
        tables.append(table.filter(chosen))
    return pa.concat_tables(tables).sort_by([(name, "ascending") for name in _ORDER])


def audited_ids(
    workspace: Workspace, dialogue_ids: Collection[str], without: Collection[str] = ()
) -> frozenset[str]:
    """Return the ids by which decisions name what ``responses_table`` returns."""
    found: set[str] = set()
    for folder in sorted({path.parent for path in _files(workspace, without)}):
        called = run_name(folder)
        for path in sorted(folder.glob(FILES)):
            table = pq.read_table(path, columns=["response_id", "dialogue_id"])
            found.update(
                f"{called}/{row['response_id']}"
                for row in table.to_pylist()
                if row["dialogue_id"] in dialogue_ids
            )
    return frozenset(found)


def _files(workspace: Workspace, without: Collection[str]) -> Iterator[Path]:
    for path in sorted(workspace.runs.rglob(FILES)):
        if path.relative_to(workspace.runs).parts[0] not in without:
            yield path
