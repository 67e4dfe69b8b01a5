"""What the screens ask of the App server: load a task, judge it, take that back, check a draft.

Each operator takes the JSON that a screen sent and returns JSON; what it refuses is
``{"error": one line}``. FiftyOne runs them, and it is not imported here.
"""

import json
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, Protocol, TypeVar, runtime_checkable

import pydantic
from pydantic import ConfigDict, Field

from benchwright.errors import BenchwrightError, UsageError
from benchwright.plain_text import excerpt
from benchwright.workspace import Workspace
from labeling.audits.app import judging
from labeling.audits.app.environment import Drafter
from labeling.audits.app.reading import task_key
from labeling.audits.app.stored import TASKS, StoredAudit, stored_audit
from labeling.audits.app.within_view import Stages, neighbours
from labeling.audits.tasks.kinds import kind_of
from labeling.audits.tasks.names import AuditName
from labeling.audits.tasks.task import Slot

if TYPE_CHECKING:
    from pymongo.database import Database

    from benchwright.asking.voters import Voter

_MOST_TRIED = 100  # drafts of one task
_LONGEST = 100_000  # characters of a text that a screen sends
Json = Mapping[str, Any]
Text = Annotated[str, Field(max_length=_LONGEST)]
P = TypeVar("P", bound="OfSample")


@dataclass(frozen=True, slots=True, kw_only=True)
class Desk:
    """Where an auditor works: one audit of a workspace, in the App's database.

    ``view`` are the stages of what the App shows of it; none show all of it.
    """

    workspace: Workspace
    auditor: str
    audit: StoredAudit
    view: Stages


@runtime_checkable
class Redrafting(Protocol):
    """A kind of audit whose drafts a model can write anew."""

    def redraft(
        self, workspace: Workspace, shown: Json, voter: "Voter", tried: Sequence[str]
    ) -> Json:
        """Return another draft than those ``tried``, written by a model."""


class OfSample(pydantic.BaseModel):
    """What names a task: the id of its sample."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    sample_id: Text


class Judgement(OfSample):
    """A decision as a screen sends it; the fields are those of ``Slot``."""

    verdict: Literal["confirmed", "corrected", "rejected", "unsure"]
    value: Text | None = None
    text: Text | None = None
    failed: tuple[Text, ...] = ()
    boxes: tuple[Text, ...] = ()
    note: Text | None = None
    seconds: Annotated[float, Field(ge=0, allow_inf_nan=False)] | None = None

    def slot(self, auditor: str) -> Slot:
        """Return it as the decision of an auditor, made now."""
        said = {name: value for name, value in self if name != "sample_id"}
        return Slot(**said, auditor=auditor, at=judging.now())


class Wanted(OfSample):
    """Another draft than those that were tried already."""

    tried: Annotated[tuple[Text, ...], Field(max_length=_MOST_TRIED)] = ()


class Draft(OfSample):
    """A draft that is being edited."""

    draft: dict[str, Any]


def load(desk: Desk, params: Json) -> Json:
    """Return a task as its screen shows it, and how far the audit is."""
    sample_id = _read(OfSample, params).sample_id
    loaded = judging.load(desk.audit, sample_id, desk.auditor, in_order=not desk.view)
    if desk.view:
        found = neighbours(desk.audit, desk.auditor, loaded.sample_id, desk.view)
        loaded = replace(loaded, previous=found.previous, next=found.next)
    return asdict(loaded) | {
        "auditor": desk.auditor,
        "blind": desk.audit.blind,
        "filepath": _sample(desk, loaded.sample_id)["filepath"],
        "images_root": desk.audit.info["images"],
        "progress": _progress(desk),
    }


def judge(desk: Desk, params: Json) -> Json:
    """Store a decision, on the disk when this returns; return what comes next."""
    said = _read(Judgement, params)
    slot = said.slot(desk.auditor)
    sample = _sample(desk, said.sample_id)
    kind = kind_of(sample["kind"])
    refusal = kind.refusal(desk.workspace, json.loads(sample["task"]), slot)
    if refusal is not None:
        raise UsageError(refusal)
    _check_decisions(desk, sample, slot)
    following = _next(desk, sample)  # before it is stored, for it may leave the view by that
    judging.judge(desk.audit, said.sample_id, slot)
    return {"next": following, "progress": _progress(desk)}


def undo(desk: Desk, _: Json) -> Json:
    """Withdraw the auditor's last decision and return its sample."""
    sample_id = judging.undo(desk.audit, desk.auditor)
    if sample_id is None:
        raise UsageError(f"there is no decision of {desk.auditor} here to take back")
    return {"sample_id": sample_id}


def check(desk: Desk, params: Json) -> Json:
    """Return what the rules say of a draft."""
    said = _read(Draft, params)
    sample = _sample(desk, said.sample_id)
    return kind_of(sample["kind"]).check(desk.workspace, json.loads(sample["task"]), said.draft)


def redraft(desk: Desk, params: Json) -> Json:
    """Return another draft, written by a model."""
    said = _read(Wanted, params)
    sample = _sample(desk, said.sample_id)
    kind = kind_of(sample["kind"])
    if not isinstance(kind, Redrafting):
        raise UsageError(f"nothing is drafted in audits of {sample['kind']}")
    drafter = Drafter.of_environment()
    if drafter is None:
        raise UsageError(
            "no model was named for another draft; write the wording yourself, or open the audit"
            " with --voters FILE"
        )
    shown = json.loads(sample["task"])
    return {"draft": kind.redraft(desk.workspace, shown, drafter.voter(), said.tried)}


OPERATORS: Mapping[str, Callable[[Desk, Json], Json]] = {
    "load": load,
    "judge": judge,
    "undo": undo,
    "check": check,
    "redraft": redraft,
}


def run(
    name: str,
    database: "Database[dict[str, Any]]",
    dataset: str | None,
    params: Json,
    view: Stages = (),
) -> Json:
    """Run an operator on a dataset for the auditor whom the environment names.

    ``view`` are the stages, of MongoDB's, that make what the App shows of the dataset.
    What a user can meet comes back as ``{"error": one line}``; a bug keeps its traceback.
    """
    from pymongo.errors import PyMongoError  # noqa: PLC0415  # of an extra

    try:
        return OPERATORS[name](_desk(database, dataset, view), params)
    except BenchwrightError as error:
        return {"error": " ".join(str(error).split())}
    except PyMongoError as error:
        return {
            "error": f"the database does not answer ({excerpt(str(error))}); what you decided may"
            " be stored or not: load the page again and look, before you go on"
        }


def _desk(database: "Database[dict[str, Any]]", dataset: str | None, view: Stages) -> Desk:
    auditor = os.environ.get("BENCHWRIGHT_AUDITOR", "")
    folder = os.environ.get("BENCHWRIGHT_WORKSPACE", "")
    opened = os.environ.get("BENCHWRIGHT_DATASET", "")
    if not auditor or not folder or not opened:
        raise UsageError("the App does not know the auditor; start it with review-labels open")
    if dataset != opened:
        raise UsageError(
            f"this App was opened for the audit {opened}, not for {excerpt(dataset or 'none')}; go"
            " back to it by the link that review-labels open printed"
        )
    audit = stored_audit(database, opened)
    return Desk(workspace=Workspace(Path(folder)), auditor=auditor, audit=audit, view=view)


def _read(kind: type[P], params: Json) -> P:
    try:
        return kind.model_validate(dict(params))
    except pydantic.ValidationError as error:
        first = error.errors()[0]
        where = ".".join(map(str, first["loc"]))
        raise UsageError(f"the screen sent what is no decision: {where} {first['msg']}") from error


def _sample(desk: Desk, sample_id: str) -> Json:
    return judging.stored_sample(desk.audit, sample_id)


def _next(desk: Desk, sample: Json) -> str | None:
    if desk.view:
        return neighbours(desk.audit, desk.auditor, str(sample["_id"]), desk.view).next
    return judging.next_task(desk.audit, desk.auditor, after=sample["rank"])


def _progress(desk: Desk) -> Json:
    return asdict(judging.progress(desk.audit, desk.auditor))


def _check_decisions(desk: Desk, sample: Json, slot: Slot) -> None:
    """Refuse now what could not become decisions later."""
    key = desk.audit.database[TASKS].find_one({"_id": f"{desk.audit.name}/{sample['task_id']}"})
    kind: AuditName = sample["kind"]
    if key is None:
        raise UsageError(f"{sample['task_id']} is no longer a task here; open the audit again")
    try:
        kind_of(kind).decisions(task_key(key), slot)
    except ValueError as error:
        raise UsageError(f"this cannot be stored: {error}") from error
