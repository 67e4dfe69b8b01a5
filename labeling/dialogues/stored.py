"""Where dialogues are kept: drafts as machines or sources made them, and what people make of them.

``dialogues/KIND/drafts`` is a stage of its own. ``dialogues/KIND`` is a pure function of the
drafts and of the decisions that stand: dialogues.parquet holds what people let stand,
withheld.parquet the rest. A kind says what its records become in a module of its own,
``labeling/dialogues/<kind>/deciding.py``, by a function ``decided`` (see ``Decide``) and,
where records hang on each other, another (``DecideTogether``).
"""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from importlib import import_module
from pathlib import Path
from typing import Any, Generic, Literal, Protocol, TypeVar, cast, get_args, overload

from benchwright import store
from benchwright.decisions.journal import read_journal
from benchwright.decisions.standing import standing
from benchwright.errors import WorkspaceError
from benchwright.records import CandidateSet, Decision, FalsePremise, QuestionChain
from benchwright.rows import content_digest, from_table, to_table
from benchwright.workspace import Workspace

DialogueKind = Literal["false-premise", "candidate-set", "question-chain"]
DIALOGUE_KINDS: tuple[DialogueKind, ...] = get_args(DialogueKind)
ByField = Mapping[str, Mapping[str, Decision]]  # decisions that stand, by field and auditor
UNDECIDED = "undecided"  # why a record is withheld until a further auditor has looked

R = TypeVar("R")

_RECORDS: Mapping[DialogueKind, type[Any]] = {
    "false-premise": FalsePremise,
    "candidate-set": CandidateSet,
    "question-chain": QuestionChain,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Decided(Generic[R]):
    """A record as it is after people's decisions; ``withheld`` is null when it stands.

    Else it is a short reason, the same for all records that it holds for, such as ``rejected`` or
    ``not judged yet``: the manifest counts the reasons.
    """

    record: R
    withheld: str | None = None


class Decide(Protocol):
    """The function ``decided`` of ``labeling.dialogues.<kind>.deciding``; it is pure."""

    def __call__(self, record: Any, decisions: ByField) -> Decided[Any]:
        """Return what a draft becomes by the decisions about it; there may be none."""


class DecideTogether(Protocol):
    """The function ``whole_dialogues`` of such a module, where records hang on each other."""

    def __call__(self, decided: Sequence[Decided[Any]], /) -> Sequence[Decided[Any]]:
        """Return what becomes of all drafts, in their order, given what becomes of each."""


def dialogues_folder(workspace: Workspace, kind: DialogueKind) -> Path:
    """Return the folder of what stands after people's decisions."""
    return workspace.root / "dialogues" / kind


def drafts_folder(workspace: Workspace, kind: DialogueKind) -> Path:
    """Return the folder of what machines or sources made."""
    return dialogues_folder(workspace, kind) / "drafts"


def record_id_of(record: FalsePremise | CandidateSet | QuestionChain) -> str:
    """Return the ``record_id`` by which decisions name a record."""
    match record:
        case FalsePremise():
            return record.dialogue_id
        case CandidateSet():
            return f"{record.dialogue_id}/{record.turn}"
        case QuestionChain():
            return record.chain_id


def record_digest(record: FalsePremise | CandidateSet | QuestionChain) -> str:
    """Return 16 hex digits of the content of a record: ``before`` of the decisions about it."""
    return content_digest([to_table([record], type(record))])[:16]


def how_to_draft(kind: DialogueKind) -> str:
    """Return what a user is to do where there are no drafts of a kind; errors end with it."""
    if kind == "candidate-set":
        return "run build-dialogues candidate-set draft first (a run that was stopped goes on)"
    if kind == "question-chain":
        return (
            "run build-dialogues question-chain run FILES, or run --voters FILE, first (a run that"
            " was stopped goes on)"
        )
    return (
        "run build-dialogues false-premise run --voters FILE first (a run that was stopped goes on)"
    )


def write_drafts(
    workspace: Workspace,
    kind: DialogueKind,
    records: Iterable[Any],
    plan: store.Plan,
    *,
    counts: Mapping[str, int] | None = None,
    reasons: Mapping[str, int] | None = None,
) -> store.Manifest:
    """Write drafts/drafts.parquet and its manifest, in the order of the ids of the records.

    The stage of ``plan`` is ``dialogues/KIND/drafts``; ``counts`` and ``reasons`` are those of the
    manifest, beside the number of drafts. Raises ValueError when two records have one id.
    """
    rows = sorted(records, key=_order)
    ids = [record_id_of(row) for row in rows]
    if len(set(ids)) < len(ids):
        twice = sorted(name for name, times in Counter(ids).items() if times > 1)
        raise ValueError(f"drafts of one id: {', '.join(twice[:5])}")
    folder = drafts_folder(workspace, kind)
    with store.writing(folder, plan, configs={"drafts": "drafts.parquet"}) as out:
        out.table("drafts", to_table(rows, _RECORDS[kind]))
        out.counts.update(drafts=len(rows), **(counts or {}))
        out.reasons.update(reasons or {})
    return _required_drafts(workspace, kind)


@overload
def read_drafts(workspace: Workspace, kind: Literal["false-premise"]) -> list[FalsePremise]: ...
@overload
def read_drafts(workspace: Workspace, kind: Literal["candidate-set"]) -> list[CandidateSet]: ...
@overload
def read_drafts(workspace: Workspace, kind: Literal["question-chain"]) -> list[QuestionChain]: ...
def read_drafts(workspace: Workspace, kind: DialogueKind) -> Sequence[Any]:
    """Return the drafts, in the order of their ids.

    Raises WorkspaceError, with what to do, when there are none, and CorruptShard.
    """
    _required_drafts(workspace, kind)
    return _read(drafts_folder(workspace, kind), kind, "drafts")


@overload
def read_dialogues(workspace: Workspace, kind: Literal["false-premise"]) -> list[FalsePremise]: ...
@overload
def read_dialogues(workspace: Workspace, kind: Literal["candidate-set"]) -> list[CandidateSet]: ...
@overload
def read_dialogues(
    workspace: Workspace, kind: Literal["question-chain"]
) -> list[QuestionChain]: ...
def read_dialogues(workspace: Workspace, kind: DialogueKind) -> Sequence[Any]:
    """Return the dialogues that people let stand, in the order of their ids.

    Raises WorkspaceError, with the command to run, when nothing was decided, and CorruptShard.
    """
    store.require(dialogues_folder(workspace, kind), "review-labels sync")
    return _read(dialogues_folder(workspace, kind), kind, "dialogues")


def decide_dialogues(workspace: Workspace, kind: DialogueKind) -> store.Manifest:
    """Write dialogues.parquet and withheld.parquet from the drafts and the decisions that stand.

    Without decisions nothing stands. What was made of the same drafts and decisions is left as it
    is. Raises WorkspaceError, with what to do, when there are no drafts.
    """
    made = _required_drafts(workspace, kind)
    drafts = _read(drafts_folder(workspace, kind), kind, "drafts")
    of_record = decisions_of(
        read_journal(workspace).decisions, {record_id_of(draft) for draft in drafts}
    )
    said = [
        asdict(decision)
        for _, by_field in sorted(of_record.items())
        for _, by_auditor in sorted(by_field.items())
        for _, decision in sorted(by_auditor.items())
    ]
    plan = store.Plan(
        stage=f"dialogues/{kind}",
        inputs={"drafts": made.digest(), "decisions": store.digest_of(said)},
        settings={},
    )
    folder = dialogues_folder(workspace, kind)
    standing_there = store.finished(folder, plan)
    if standing_there is not None:
        return standing_there
    outcome = _Outcome.of(_decide_all(kind, drafts, of_record))
    configs = {"dialogues": "dialogues.parquet", "withheld": "withheld.parquet"}
    with store.writing(folder, plan, configs=configs) as out:
        out.table("dialogues", to_table(outcome.stand, _RECORDS[kind]))
        out.table("withheld", to_table(outcome.withheld, _RECORDS[kind]))
        out.counts.update(dialogues=len(outcome.stand), withheld=len(outcome.withheld))
        out.reasons.update(sorted(outcome.reasons.items()))
    return store.require(folder, "review-labels sync")


@dataclass(slots=True)
class _Outcome:
    """The records of all drafts, apart by whether they stand."""

    stand: list[Any] = field(default_factory=list)
    withheld: list[Any] = field(default_factory=list)
    reasons: Counter[str] = field(default_factory=Counter)

    @classmethod
    def of(cls, found: Iterable[Decided[Any]]) -> "_Outcome":
        outcome = cls()
        for each in found:
            if each.withheld is None:
                outcome.stand.append(each.record)
            else:
                outcome.withheld.append(each.record)
                outcome.reasons[each.withheld] += 1
        return outcome


def decisions_of(
    decisions: Iterable[Decision], record_ids: Collection[str]
) -> Mapping[str, ByField]:
    """Return the decisions that stand about some records, by record, field and auditor."""
    chosen = [one for one in decisions if one.record_id in record_ids]
    found: dict[str, dict[str, Mapping[str, Decision]]] = {}
    for thing, by_auditor in standing(chosen).items():
        found.setdefault(cast("str", thing.record_id), {})[thing.field] = by_auditor
    return found


def undecided_records(
    workspace: Workspace, kind: DialogueKind, decisions: Iterable[Decision]
) -> list[str]:
    """Return the ids of the drafts that are withheld as ``undecided`` by some decisions, sorted.

    There are none where there are no drafts. Raises CorruptShard.
    """
    if store.load_manifest(drafts_folder(workspace, kind)) is None:
        return []
    drafts = {
        record_id_of(draft): draft
        for draft in _read(drafts_folder(workspace, kind), kind, "drafts")
    }
    of_record = decisions_of(decisions, drafts.keys())
    disputable = sorted(
        name
        for name, by_field in of_record.items()
        if any(len(by_auditor) > 1 for by_auditor in by_field.values())
    )
    found = _decide_all(kind, [drafts[name] for name in disputable], of_record)
    return [
        name for name, each in zip(disputable, found, strict=True) if each.withheld == UNDECIDED
    ]


def _decide_all(
    kind: DialogueKind, drafts: Sequence[Any], of_record: Mapping[str, ByField]
) -> Sequence[Decided[Any]]:
    module = import_module(f"labeling.dialogues.{kind.replace('-', '_')}.deciding")
    decide = cast("Decide", module.decided)
    found = [decide(draft, of_record.get(record_id_of(draft), {})) for draft in drafts]
    together: DecideTogether | None = getattr(module, "whole_dialogues", None)
    return found if together is None else together(found)


def _read(folder: Path, kind: DialogueKind, name: str) -> list[Any]:
    return list(from_table(store.read_table(folder, f"{name}.parquet"), _RECORDS[kind]))


def _required_drafts(workspace: Workspace, kind: DialogueKind) -> store.Manifest:
    folder = drafts_folder(workspace, kind)
    made = store.load_manifest(folder)
    if made is None:
        raise WorkspaceError(f"{folder}: nothing finished here; {how_to_draft(kind)}")
    return made


def _order(record: Any) -> tuple[str, int]:
    """Return the place of a record: turns of a candidate set by number, not by digits."""
    if isinstance(record, CandidateSet):
        return record.dialogue_id, record.turn
    return record_id_of(record), 0
