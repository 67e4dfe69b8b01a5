"""Whether what a release states of its samples follows from what else it holds.

Nothing is taken on trust that can be worked out: whether an episode can be solved from the labels,
the asked questions of a false premise from its descriptions, a candidate set from the marks.
"""

from collections.abc import Iterator

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from benchwright.feasible import board_of
from benchwright.knowledge import NO, UNKNOWN, YES, Value
from benchwright.records import CandidateSet, Episode, FalsePremise, QuestionChain
from exports.verifying.finding import Finding, finding
from exports.verifying.released import Released
from galleries.episodes import Solution
from labeling.dialogues.candidate_set.deciding import held_by_most
from labeling.dialogues.false_premise.rebuilding import rebuild
from labeling.dialogues.question_chain.rules.checking import failures

_CODES = {"yes": YES, "no": NO, "unknown": UNKNOWN}


def check_episodes(release: Released) -> Finding:
    """Work out similarities, telling values, identifiability and par of each episode anew."""
    configs = [name for name in release.galleries if release.shows(name)]
    count = sum(release.lock.configs[name].rows for name in configs)
    if not configs or not release.has("labels"):
        return finding("episodes", "none that released labels could solve", [])
    known = _Known(release)
    faults = (
        f"{config} {episode.episode_id}: {name} does not follow from the labels"
        for config in configs
        for episode in release.records(config, Episode)
        for name in known.other_fields(episode)
    )
    return finding("episodes", f"{count:,} solved anew from the released labels", faults)


class _Known:
    """What the labels of a release say, by picture."""

    def __init__(self, release: Released) -> None:
        columns = ("type", "value", "exclusive", "complete", "askable")
        rows = release.table("vocabulary", columns).to_pylist()
        self._values = tuple(sorted(Value(**row) for row in rows))
        labels = release.table("labels", ("image_id", "type", "value", "answer"))
        ids = labels.column("image_id").unique()
        self._row_of = {name: row for row, name in enumerate(ids.to_pylist())}
        self._answers = np.zeros((len(ids), len(self._values)), np.int8)
        pairs = pa.array([f"{one.type}\0{one.value}" for one in self._values])
        joined = pc.binary_join_element_wise(labels.column("type"), labels.column("value"), "\0")
        self._answers[_places(labels.column("image_id"), ids), _places(joined, pairs)] = np.array(
            list(_CODES.values()), np.int8
        )[_places(labels.column("answer"), pa.array(list(_CODES)))]

    def other_fields(self, episode: Episode) -> Iterator[str]:
        """Yield the fields of an episode that are not what the labels say."""
        answers = self._answers[[self._row_of[name] for name in episode.image_ids]]
        place = episode.target_index - 1
        solution = Solution.of(board_of(answers, self._values, place))
        for name in Solution.__slots__:
            if getattr(solution, name) != getattr(episode, name):
                yield name
        own = answers[place] == YES
        shared = (answers[:, own] == YES).sum(axis=1) / max(1, own.sum())
        if shared.tolist() != list(episode.similarities):
            yield "similarities"


def _places(column: pa.ChunkedArray, among: pa.Array) -> np.ndarray:
    """Return the place of each value among others, all of which are there."""
    places: np.ndarray = pc.index_in(column, value_set=among).to_numpy()
    return places


def check_dialogues(release: Released) -> Finding:
    """Make the questions of false premises, and the candidate sets, anew; check chains by rule."""
    kinds = {
        "false-premise": _false_premises,
        "candidate-set": _candidate_sets,
        "question-chain": _chains,
    }
    there = [name for name in kinds if release.has(name) and release.shows(name)]
    count = sum(release.lock.configs[name].rows for name in there)
    faults = (fault for name in there for fault in kinds[name](release))
    looked_at = f"{count:,} records made anew from their parts" if there else "none to make anew"
    return finding("dialogues", looked_at, faults)


def _false_premises(release: Released) -> Iterator[str]:
    for record in release.records("false-premise", FalsePremise):
        where = f"false-premise {record.dialogue_id}"
        made = rebuild(record, record.false_description)
        if made.turns != record.turns or made.edit != record.edit:
            yield f"{where}: its questions are not those of its descriptions"
        for check in made.checks:
            if not check.passed:
                yield f"{where}: {check.name}: {check.reason}"


def _candidate_sets(release: Released) -> Iterator[str]:
    for record in release.records("candidate-set", CandidateSet):
        where = f"candidate-set {record.dialogue_id}/{record.turn}"
        if held_by_most([mark.box_ids for mark in record.marks]) != record.candidate_ids:
            yield f"{where}: its candidates are not those that most annotators marked"
        if (record.kind == "single") != (len(record.candidate_ids) == 1):
            yield f"{where}: {len(record.candidate_ids)} candidates are called {record.kind}"


def _chains(release: Released) -> Iterator[str]:
    for record in release.records("question-chain", QuestionChain):
        for check in failures(record):
            yield f"question-chain {record.chain_id}: {check.name}: {check.reason}"
