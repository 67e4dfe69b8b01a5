"""Where people find a chain again: the file that it came of and the line where it begins."""

from collections.abc import Mapping

import pyarrow as pa

from benchwright import store
from benchwright.arrow_fields import TEXT, required
from benchwright.plain_text import excerpt
from benchwright.records import QuestionChain
from benchwright.workspace import Workspace
from labeling.dialogues.question_chain.authoring.authored import Source, chains_of, sources

_SCHEMA = pa.schema([required("chain_id", TEXT), required("line", pa.int32())])
_TABLE = "lines.parquet"  # of the stage of a file
_WORDS_SHOWN, _ID_SHOWN = 48, 60  # characters


def lines_table(lines: Mapping[str, int]) -> pa.Table:
    """Return the lines of chains, from 1, by their ids."""
    rows = [{"chain_id": name, "line": line} for name, line in sorted(lines.items())]
    return pa.Table.from_pylist(rows, schema=_SCHEMA)


def places(workspace: Workspace) -> Mapping[str, str]:
    """Return file and line of each chain that came of a file, by id; raises CorruptShard."""
    found: dict[str, str] = {}
    for source in sources(workspace):
        if not source.is_drafted:
            found = {**_places_of(source), **found}  # of two of one id the first stands
    return found


def named(chain: QuestionChain, where: Mapping[str, str]) -> str:
    """Return how a message names a chain: place or author, the first words, the id."""
    place = where.get(chain.chain_id, chain.author)
    words = excerpt(chain.question, _WORDS_SHOWN)
    return f'{place} "{words}" ({excerpt(chain.chain_id, _ID_SHOWN)})'


def _places_of(source: Source) -> Mapping[str, str]:
    if _TABLE not in source.manifest.files:  # made before lines were kept
        return {chain.chain_id: source.name for chain in chains_of(source)}
    rows = store.read_table(source.folder, _TABLE).to_pylist()
    return {row["chain_id"]: f"{source.name} line {row['line']}" for row in rows}
