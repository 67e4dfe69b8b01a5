"""The config ``responses``: what evaluated models answered, with the labels of detectors.

A run keeps them in ``responses-*.parquet``; further columns are passed over, as the audit of
responses does. What was played of hidden-target episodes is the config ``trajectories``.
"""

from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from benchwright.errors import SourceError
from benchwright.plain_text import excerpt
from benchwright.records import SCHEMAS, Response
from benchwright.workspace import Workspace
from exports.contents.once import check_once
from labeling.audits.tasks.responses import FILES, run_name

_ORDER = ("run", "dialogue_id", "turn", "response_id")
_KEY = ("run", "model", "response_id")
_OTHER = "asked in other words"


@dataclass(frozen=True, slots=True, kw_only=True)
class Answered:
    """Responses by run, dialogue and turn.

    ``audited_ids`` are the ids by which decisions name them; ``left_out`` counts responses to
    released dialogues by the reason why they stay.
    """

    table: pa.Table
    audited_ids: frozenset[str] = frozenset()
    left_out: Counter[str] = field(default_factory=Counter)


def answered_questions(
    workspace: Workspace, questions: Mapping[tuple[str, int], str], without: Collection[str] = ()
) -> Answered:
    """Return the responses to released questions, given by dialogue and turn, in all runs.

    Where a run was asked one question of a dialogue in other words, as before somebody corrected
    it, none of its responses to that dialogue goes out: later ones hang on the earlier. ``without``
    are names of runs that stay out.

    Raises SourceError for a file that does not hold responses, and where one stands twice.
    """
    tables = [SCHEMAS[Response].empty_table()]
    named: set[str] = set()
    left_out: Counter[str] = Counter()
    for folder in _folders(workspace, without):
        about, table = _released(_read(folder), questions)
        left_out[_OTHER] += about - table.num_rows
        if table.num_rows:
            called = run_name(folder)
            named.update(f"{called}/{name}" for name in table["response_id"].to_pylist())
            tables.append(table)
    table = pa.concat_tables(tables)
    check_once(table, _KEY, "response")
    ordered = table.sort_by([(name, "ascending") for name in _ORDER])
    return Answered(table=ordered, audited_ids=frozenset(named), left_out=+left_out)


def _folders(workspace: Workspace, without: Collection[str]) -> list[Path]:
    paths = workspace.runs.rglob(FILES)
    left = [one for one in paths if one.relative_to(workspace.runs).parts[0] not in without]
    return sorted({path.parent for path in left})


def _read(folder: Path) -> pa.Table:
    schema = SCHEMAS[Response]
    tables = []
    for path in sorted(folder.glob(FILES)):
        try:
            tables.append(pq.read_table(path, columns=schema.names).cast(schema))
        except (pa.ArrowException, OSError, KeyError, ValueError) as error:
            raise SourceError(
                f"{path}: is no table of responses ({excerpt(str(error))}); score the run again, or"
                " move it away"
            ) from error
    return pa.concat_tables(tables)


def _released(table: pa.Table, questions: Mapping[tuple[str, int], str]) -> tuple[int, pa.Table]:
    """Return how many responses are to released dialogues, and those that go out."""
    dialogues = {name for name, _ in questions}
    names = ("run", "dialogue_id", "turn", "question")
    rows = list(zip(*(table[name].to_pylist() for name in names), strict=True))
    other = {
        (run, name) for run, name, turn, question in rows if questions.get((name, turn)) != question
    }
    kept = pa.array([(run, name) not in other for run, name, _, _ in rows], pa.bool_())
    return sum(name in dialogues for _, name, _, _ in rows), table.filter(kept)
