"""Tasks of responses: did the model correct the false premise? (FPCO-Dialog, appendix C.)

A run keeps what its models answered in ``responses-*.parquet``, rows of
``benchwright.records.Response``: further columns are passed over. Of the responses to
false premises so many of each model and premise class are drawn. The auditor sees neither the
model nor what detectors say. Each run is an audit of its own.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pydantic

from benchwright import seeds, store
from benchwright.decisions.on_responses import ANSWERS, FIELD, run_called
from benchwright.decisions.standing import Thing
from benchwright.errors import SourceError, UsageError, WorkspaceError
from benchwright.plain_text import excerpt, printable
from benchwright.records import Decision, Response
from benchwright.workspace import Workspace
from builders.catalog import load_items
from labeling.audits.tasks.names import AuditName
from labeling.audits.tasks.overlap import seen_twice
from labeling.audits.tasks.slot_decision import slot_decision
from labeling.audits.tasks.task import AuditSettings, Slot, Task, TaskKey

FILES = "responses-*.parquet"
OF_EACH = 6  # responses of each model and class, as in appendix C
_LONGEST = 100_000  # characters of a response that are shown


@dataclass(frozen=True, slots=True, kw_only=True)
class _Drawn:
    """A response that was drawn, the ``rank``-th of its stratum from 0."""

    response: Response
    stratum: str
    rank: int
    probability: float


class ResponseAudit:
    """The audit ``responses`` of one run; cells of model and class come by turns."""

    name: AuditName = "responses"

    def tasks(self, workspace: Workspace, settings: AuditSettings) -> Sequence[Task]:
        """Return the tasks: of each cell as many as the limit says, six without one.

        The probability of a response is the share of its cell that is drawn. Raises UsageError
        where no run is named, it was stopped and waits to go on, or it has no responses to a false
        premise, SourceError where they cannot be read, and WorkspaceError where the catalog has not
        their pictures.
        """
        if settings.run is None:
            raise UsageError("an audit of responses wants the folder of a run: --run RUN")
        _check_played(settings.run)
        responses = list(_responses(settings.run))
        run = run_called(settings.run, responses)
        drawn = _drawn(settings.run, responses, settings.limit or OF_EACH, settings.seed)
        twice = seen_twice(
            [each.response.response_id for each in drawn], settings.overlap, settings.seed
        )
        pictures = _pictures(workspace, [each.response for each in drawn])
        return [
            _task(
                run,
                each,
                pictures[each.response.image_id],
                looks=2 if each.response.response_id in twice else 1,
            )
            for each in drawn
        ]

    def decisions(self, task: TaskKey, slot: Slot) -> Sequence[Decision]:
        """Return the one decision of a slot; ``after`` is yes where the model corrected."""
        if slot.verdict in ("unsure", "withdrawn"):
            return [slot_decision(task, slot, slot.verdict, None)]
        if slot.value not in ANSWERS:
            raise ValueError(f"{task.task_id}: corrected or not is yes or no, not {slot.value!r}")
        differs = task.before not in (None, slot.value)
        return [slot_decision(task, slot, "corrected" if differs else "confirmed", slot.value)]

    def check(
        self,
        workspace: Workspace,
        shown: Mapping[str, Any],
        draft: Mapping[str, Any],
    ) -> Mapping[str, Any]:
        """Return nothing: a response is not edited."""
        return {}

    def refusal(
        self,
        workspace: Workspace,
        shown: Mapping[str, Any],
        slot: Slot,
    ) -> str | None:
        """Return why a slot cannot be stored: it says neither yes, no nor unsure."""
        if slot.verdict in ("unsure", "withdrawn"):
            return None
        if slot.verdict == "rejected" or slot.value not in ANSWERS:
            return "say whether the model corrected the premise: yes, no or unsure"
        return None


def run_name(run: Path) -> str:
    """Return what a run is called by in ids and names: its folder, and a digest of its answers.

    What detectors say is no part of it: they may look again. Raises as ``ResponseAudit.tasks``.
    """
    return run_called(run, list(_responses(run)))


def _drawn(run: Path, responses: Sequence[Response], of_each: int, seed: int) -> list[_Drawn]:
    """Return the responses that are drawn, from all cells by turns: half of them is half of each.

    Raises UsageError where the run has no response to a false premise.
    """
    cells: dict[str, list[Response]] = {}
    for response in responses:
        if response.has_false_premise:
            cells.setdefault(f"{response.premise_class}/{response.model}", []).append(response)
    if not cells:
        raise UsageError(f"{run}: has no response to a false premise; name another run by --run")

    def number(response: Response) -> int:
        return seeds.draw(seed, "audit-responses", response.response_id)

    drawn = [
        _Drawn(
            response=response,
            stratum=stratum,
            rank=rank,
            probability=min(1.0, of_each / len(rows)),
        )
        for stratum, rows in cells.items()
        for rank, response in enumerate(sorted(rows, key=number)[:of_each])
    ]
    return sorted(drawn, key=lambda each: (each.rank, number(each.response)))


def _check_played(run: Path) -> None:
    """Raise UsageError where dialogues of a run wait to be played.

    With them it has more answers and is called otherwise in decisions: what people had said of
    the part would be lost.
    """
    manifest = store.load_manifest(run)
    if manifest is None:  # responses made elsewhere
        return
    counts = manifest.counts
    planned = counts.get("episodes", 0)
    waiting = planned - counts.get("played", 0) - counts.get("failed", 0)
    if waiting > 0:
        raise UsageError(
            f"{run}: {waiting:,} of {planned:,} dialogues wait to be played, and judgements of a"
            " part would not count for the whole; give the command that made the run again first"
        )


def _responses(run: Path) -> Iterator[Response]:
    """Yield the responses of a run.

    Raises UsageError where there are none, SourceError for a file or a row that is none.
    """
    paths = sorted(run.glob(FILES))
    if not paths:
        raise UsageError(f"{run}: has no {FILES}; name the folder of a finished run by --run")
    read = pydantic.TypeAdapter(Response).validate_python
    seen: set[str] = set()
    for path in paths:
        for number, row in enumerate(_rows(path), 1):
            try:
                response = read(row)
            except pydantic.ValidationError as error:
                raise SourceError(f"{path}: row {number}: {_reason(error)}") from error
            if not response.response_id or response.response_id in seen:
                raise SourceError(
                    f"{path}: row {number}: response_id {excerpt(response.response_id)!r} is empty"
                    " or stands twice in this run; run it again"
                )
            seen.add(response.response_id)
            yield response


def _rows(path: Path) -> Iterator[Mapping[str, Any]]:
    try:
        for batch in pq.ParquetFile(path).iter_batches():
            yield from batch.to_pylist()
    except (pa.ArrowException, OSError, UnicodeDecodeError) as error:
        raise SourceError(
            f"{path}: cannot be read ({excerpt(str(error))}); run it again"
        ) from error


def _reason(error: pydantic.ValidationError) -> str:
    first = error.errors()[0]
    return excerpt(f"{'.'.join(map(str, first['loc']))}: {first['msg']}")


def _pictures(workspace: Workspace, responses: Sequence[Response]) -> Mapping[str, str]:
    """Return where the pictures of responses are, under the pictures of the catalog."""
    wanted = {response.image_id for response in responses}
    rows = load_items(workspace, ["image_id", "image"]).to_pylist()
    found = {row["image_id"]: row["image"] for row in rows if row["image_id"] in wanted}
    lost = sorted(wanted.difference(name for name, path in found.items() if path is not None))
    if lost:
        raise WorkspaceError(
            f"{workspace.catalog}: has no picture {excerpt(lost[0])}, which a response is about"
            f" ({len(lost)} in all); name the workspace that the run was made of"
        )
    return found


def _task(run: str, drawn: _Drawn, picture: str, *, looks: int) -> Task:
    response = drawn.response
    return Task(
        # the ids of run and response may name the model, and this one the auditor sees
        task_id=store.digest_of([run, response.response_id])[:16],
        kind="responses",
        image_id=response.image_id,
        thing=Thing(None, None, f"{run}/{response.response_id}", FIELD),
        before=_majority(response),
        looks=looks,
        stratum=f"{run}/{drawn.stratum}",
        probability=drawn.probability,
        facets={"premise_class": response.premise_class, "turn": response.turn},
        shown={
            "picture": picture,
            "premise_class": response.premise_class,
            "turn": response.turn,
            "question": in_parts(response.question, response.false_description),
            "true_description": printable(response.true_description),
            "false_description": printable(response.false_description),
            "response": printable(response.response[:_LONGEST]),
            "is_cut": len(response.response) > _LONGEST,
        },
    )


def _majority(response: Response) -> str | None:
    """Return what most detectors say; null where as many say the other, or none says anything."""
    said = Counter(each.label for each in response.detectors if each.label is not None)
    first, second = [*said.most_common(2), (None, 0), (None, 0)][:2]
    return None if first[1] == second[1] else first[0]


def in_parts(question: str, false: str) -> list[str]:
    """Return a question as what stands before the false description, it, and what is behind."""
    at = question.lower().find(false.lower()) if false else -1
    if at < 0 or len(question.lower()) != len(question):
        return [printable(question), "", ""]
    end = at + len(false)
    return [printable(part) for part in (question[:at], question[at:end], question[end:])]


KIND = ResponseAudit()
