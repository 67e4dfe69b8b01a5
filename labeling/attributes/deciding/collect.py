"""Rows of votes become ballots, whatever their order and however they are cut into tables."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import get_args

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from benchwright.errors import WorkspaceError
from benchwright.knowledge import Value
from benchwright.plain_text import excerpt
from benchwright.records import Answer, VoteStatus
from labeling.attributes.deciding.ballots import Ballots, planned
from labeling.attributes.deciding.codes import (
    ABSTAINED,
    NOT_ASKED,
    VOTE_CODES,
    AnswerCodes,
    Ints,
    Longs,
)
from labeling.attributes.deciding.weights import Question

_MOST_QUESTIONS = 1 << 16
_STATUSES: tuple[str, ...] = get_args(VoteStatus)
_REMEDY = "run label-attributes ask again with --force: what was answered is not bought again"
_NONE = -1


@dataclass(slots=True)
class _Names:
    """Texts that were met, numbered in the order in which they came."""

    numbers: dict[str | None, int] = field(default_factory=dict)

    def number(self, column: pa.ChunkedArray) -> Longs:
        if not pa.types.is_dictionary(column.type):
            column = column.cast(pa.string()).dictionary_encode()
        encoded = column.unify_dictionaries().combine_chunks()
        numbers = self.numbers
        own = [numbers.setdefault(text, len(numbers)) for text in encoded.dictionary.to_pylist()]
        codes = encoded.indices
        if codes.null_count:
            own.append(numbers.setdefault(None, len(numbers)))
            codes = pc.fill_null(codes, len(own) - 1)
        found: Longs = np.array(own, np.int64)[codes.to_numpy(zero_copy_only=False)]
        return found

    def ranked(self) -> tuple[list[str | None], Longs]:
        """Return the texts in order (null first) and the rank of each number."""
        order = sorted(self.numbers, key=lambda text: (text is not None, text or ""))
        ranks = np.empty(len(order), np.int64)
        ranks[[self.numbers[text] for text in order]] = np.arange(len(order))
        return order, ranks


@dataclass(slots=True)
class _Rows:
    """What is kept of the rows of one table."""

    images: npt.NDArray[np.uint32]
    objects: npt.NDArray[np.uint32]
    columns: npt.NDArray[np.int32]
    questions: npt.NDArray[np.uint16]
    answers: AnswerCodes
    p_yes: npt.NDArray[np.float32] | None


def collect(
    votes: Iterable[pa.Table],
    values: Sequence[Value],
    questions: Sequence[Question],
    *,
    with_p_yes: bool = False,
    source: str = "the votes",
) -> Ballots:
    """Return the ballots of tables of votes; neither their order nor that of their rows matters.

    The columns are image_id, object_id, type, value, voter, template, view, answer, status and,
    where it is wanted, p_yes, which is taken where the status is ok. A vote counts when its status
    is ok and it says yes or no; failed is not asked yet; all else abstains. Votes on other values
    or by other questions are left out and counted. The same answer given twice counts once. Each
    value of an exclusive type of which a subject has any vote has a cell, since one that was not
    asked yet may win. Raises WorkspaceError, naming the vote and the ``source``, for two unlike
    answers to one question and for an answer or a status that is none.
    """
    values, questions = tuple(sorted(values)), planned(questions)
    if len(questions) >= _MOST_QUESTIONS:
        raise ValueError(f"more than {_MOST_QUESTIONS} questions")
    images, objects, left_out = _Names(), _Names(), 0
    kept = []
    for table in votes:
        rows, strange = _rows(table, images, objects, values, questions, with_p_yes, source)
        kept.append(rows)
        left_out += strange
    ballots, unlike = _placed(kept, images, objects, values, questions, left_out)
    if unlike is not None:
        raise _unlike(ballots, unlike, source)
    return ballots


def _rows(
    table: pa.Table,
    images: _Names,
    objects: _Names,
    values: Sequence[Value],
    questions: Sequence[Question],
    with_p_yes: bool,
    source: str,
) -> tuple[_Rows, int]:
    columns = _looked_up(
        table, ("type", "value"), {(value.type, value.value): at for at, value in enumerate(values)}
    )
    asked = _looked_up(
        table,
        ("voter", "template", "view"),
        {(each.voter, each.template, each.view): at for at, each in enumerate(questions)},
    )
    answers = _answers(table, source)
    known = (columns != _NONE) & (asked != _NONE)
    strange = len(known) - int(known.sum())
    chosen = slice(None) if not strange else known
    p_yes = None
    if with_p_yes:
        ok = pc.equal(table.column("status"), "ok")
        given = pc.if_else(ok, table.column("p_yes"), None)
        p_yes = given.cast(pa.float32()).to_numpy()[chosen]
    rows = _Rows(
        images=images.number(table.column("image_id")).astype(np.uint32)[chosen],
        objects=objects.number(table.column("object_id")).astype(np.uint32)[chosen],
        columns=columns.astype(np.int32)[chosen],
        questions=asked.astype(np.uint16)[chosen],
        answers=answers[chosen],
        p_yes=p_yes,
    )
    return rows, strange


def _looked_up(table: pa.Table, names: Sequence[str], places: dict[tuple[str, ...], int]) -> Longs:
    """Return the place that the texts of some columns have together, -1 where they have none."""
    codes, known, sizes = np.zeros(table.num_rows, np.int64), [], []
    for name in names:
        own = _Names()
        number = own.number(table.column(name))
        size = max(1, len(own.numbers))
        codes = codes * size + number
        known.append(own.numbers)
        sizes.append(size)
    lookup = np.full(sizes, _NONE, np.int64)
    for key, place in places.items():
        if all(text in numbers for text, numbers in zip(key, known, strict=True)):
            lookup[tuple(numbers[text] for text, numbers in zip(key, known, strict=True))] = place
    found: Longs = lookup.reshape(-1)[codes]
    return found


def _answers(table: pa.Table, source: str) -> AnswerCodes:
    statuses, said = _Names(), _Names()
    status = statuses.number(table.column("status"))
    answer = said.number(table.column("answer"))
    lookup = np.full(
        (max(1, len(statuses.numbers)), max(1, len(said.numbers))), ABSTAINED, np.uint8
    )
    for name, row in statuses.numbers.items():
        if name not in _STATUSES:
            raise _strange(table, "status", name, _STATUSES, source)
        if name == "failed":
            lookup[row] = NOT_ASKED
    for name, column in said.numbers.items():
        if name not in VOTE_CODES:
            raise _strange(table, "answer", name, get_args(Answer), source)
        if "ok" in statuses.numbers:
            lookup[statuses.numbers["ok"], column] = VOTE_CODES[name]
    found: AnswerCodes = lookup[status, answer]
    return found


def _strange(
    table: pa.Table, column: str, said: str | None, known: Sequence[str], source: str
) -> WorkspaceError:
    """Return the error that names the first vote which says in a column what no vote can say."""
    texts = table.column(column).cast(pa.string())
    vote = table.slice(texts.to_pylist().index(said), 1).to_pylist()[0]
    thing = "" if vote["object_id"] is None else f"/{vote['object_id']}"
    cell = excerpt(f"{vote['image_id']}{thing} {vote['type']}: {vote['value']}")
    return WorkspaceError(
        f"{source}: the vote of {vote['voter']} on {cell}, template {vote['template']}, view"
        f" {vote['view']}, has the {column} {said!r:.80} (wanted {', '.join(known)}); {_REMEDY}"
    )


def _placed(
    kept: Sequence[_Rows],
    images: _Names,
    objects: _Names,
    values: tuple[Value, ...],
    questions: tuple[Question, ...],
    left_out: int,
) -> tuple[Ballots, int | None]:
    """Return the ballots, and the first place among the answers that two unlike ones were given."""
    image_names, image_ranks = images.ranked()
    object_names, object_ranks = objects.ranked()
    wide, width = max(1, len(object_names)), max(1, len(values))
    # one array of numbers for each table, changed in place: with a copy of it at each step the
    # votes would take three times as much
    places = [image_ranks[rows.images] * wide + object_ranks[rows.objects] for rows in kept]
    subjects = _compacted(places, len(image_names) * wide)
    for numbers, rows in zip(places, kept, strict=True):
        numbers[:] = numbers * width + rows.columns
    present = _compacted(places, len(subjects) * width)
    cells = _completed(present, values)
    if len(cells) > len(present):
        moved = np.searchsorted(cells, present)
        for numbers in places:
            numbers[:] = moved[numbers]
    filled, unlike = _filled(kept, places, (len(questions), len(cells)))
    ballots = Ballots(
        image_ids=pa.array([image_names[at] for at in subjects // wide], pa.string()),
        object_ids=pa.array([object_names[at] for at in subjects % wide], pa.string()),
        values=values,
        questions=questions,
        subjects=(cells // width).astype(np.int32),
        columns=(cells % width).astype(np.int32),
        answers=filled.answers,
        p_yes=filled.p_yes,
        failed=filled.failed,
        left_out=left_out,
    )
    return ballots, unlike


def _unlike(ballots: Ballots, place: int, source: str) -> WorkspaceError:
    question, cell = divmod(place, len(ballots))
    asked = ballots.questions[question]
    return WorkspaceError(
        f"{source}: two unlike answers to one question: {excerpt(ballots.name(cell))}, voter"
        f" {asked.voter}, template {asked.template}, view {asked.view}; {_REMEDY}"
    )


@dataclass(slots=True)
class _Filled:
    """What ``Ballots`` says of each question and cell."""

    answers: AnswerCodes
    p_yes: npt.NDArray[np.float32] | None
    failed: Ints | None


def _filled(
    kept: Sequence[_Rows], places: Sequence[Longs], shape: tuple[int, int]
) -> tuple[_Filled, int | None]:
    """Return what is said, and the first place with two unlike answers.

    ``places`` are the cells of the rows, and become their places among the answers.
    """
    answers = np.zeros(shape, np.uint8)
    flat = answers.reshape(-1)
    p_yes = None
    if any(rows.p_yes is not None for rows in kept):
        p_yes = np.full(shape, np.nan, np.float32)
    for at, rows in zip(places, kept, strict=True):
        at[:] = at + rows.questions.astype(np.int64) * shape[1]
        given = rows.answers != NOT_ASKED
        flat[at[given]] = rows.answers[given]
        if p_yes is not None and rows.p_yes is not None:
            np.fmax.at(p_yes.reshape(-1), at, rows.p_yes)
    unlike = [
        at[(rows.answers != NOT_ASKED) & (flat[at] != rows.answers)]
        for at, rows in zip(places, kept, strict=True)
    ]
    first = min((int(some.min()) for some in unlike if len(some)), default=None)
    return _Filled(answers, p_yes, _failed(kept, places, answers)), first


def _failed(kept: Sequence[_Rows], places: Sequence[Longs], answers: AnswerCodes) -> Ints | None:
    """Return for each cell how many questions failed and were not answered otherwise."""
    flat = answers.reshape(-1)
    parts = [
        at[(rows.answers == NOT_ASKED) & (flat[at] == NOT_ASKED)]
        for at, rows in zip(places, kept, strict=True)
    ]
    if not sum(map(len, parts)):
        return None
    cells = np.unique(np.concatenate(parts)) % answers.shape[1]
    return np.bincount(cells, minlength=answers.shape[1]).astype(np.int32)


def _completed(cells: Longs, values: Sequence[Value]) -> Longs:
    """Return the cells with all of a subject's exclusive type as soon as one of it is there."""
    parts = [cells]
    columns = cells % max(1, len(values))
    for name in sorted({value.type for value in values if value.exclusive}):
        of_type = np.array([value.type == name for value in values])
        subjects = np.unique(cells[of_type[columns]] // len(values))
        parts.append((subjects[:, None] * len(values) + np.flatnonzero(of_type)).reshape(-1))
    return np.unique(np.concatenate(parts))


def _compacted(keys: Sequence[Longs], bound: int) -> Longs:
    """Return the keys that occur, ascending; put in the place of each given key its own there."""
    if bound <= 4 * sum(map(len, keys)) + 1024:  # a table of all possible keys is soon read
        occurs = np.zeros(bound, bool)
        for part in keys:
            occurs[part] = True
        rank = np.cumsum(occurs, dtype=np.int64) - 1
        for part in keys:
            part[:] = rank[part]
        return np.flatnonzero(occurs)
    found = np.unique(np.concatenate([np.unique(part) for part in keys]))
    for part in keys:
        part[:] = np.searchsorted(found, part)
    return found
