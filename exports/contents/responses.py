"""The config ``responses``: what evaluated models answered, with the labels of detectors."""

from collections.abc import Collection

import pyarrow as pa
import pyarrow.parquet as pq

from benchwright.dialogue_records import Response
from benchwright.errors import SourceError
from benchwright.records import SCHEMAS
from benchwright.workspace import Workspace

_FILES = "*/responses-*.parquet"


def responses_table(workspace: Workspace, dialogue_ids: Collection[str]) -> pa.Table:
    """Return the responses to released dialogues, by run, dialogue and turn.

    Raises SourceError for a file that does not hold responses.
    """
    schema = SCHEMAS[Response]
    tables = [schema.empty_table()]
    for path in sorted(workspace.runs.glob(_FILES)) if workspace.runs.is_dir() else []:
        try:
            table = pq.read_table(path, columns=schema.names).cast(schema)
        except (pa.ArrowException, OSError, KeyError, ValueError) as error:
            raise SourceError(
                f"{path}: is no table of responses ({error}); score the run again, or move it away"
            ) from error
        tables.append(table)
    whole = pa.concat_tables(tables)
    keep = [name in dialogue_ids for name in whole.column("dialogue_id").to_pylist()]
    order = [("run", "ascending"), ("dialogue_id", "ascending"), ("turn", "ascending")]
    return whole.filter(pa.array(keep, pa.bool_())).sort_by([*order, ("response_id", "ascending")])
