"""The decisions on responses of a run: whether a model corrected its question.

The audit ``responses`` makes them (FPCO-Dialog, appendix C); they name a response by the run and
its answers, so that a run that is played anew is another one.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from benchwright import store
from benchwright.decisions.standing import asked_of, outcome, standing
from benchwright.records import Decision, Response

FIELD = "corrected"
ANSWERS = ("yes", "no")
_NAME = 40  # characters of a folder's name that a run is called by
_PLANNED = 2  # people who see a response at most, before anybody knows what they say


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgedResponse:
    """What people say of one response: yes where the model corrected, else no.

    ``by_person`` are the answers of the first two who looked: a third look is taken where these
    differ, which says nothing of how often people do. ``answer`` is what all hold together, null
    where they cannot tell or nobody has settled it. ``is_drawn`` tells that a plan drew it.
    """

    by_person: Mapping[str, str]
    answer: str | None
    is_drawn: bool


def run_called(folder: Path, responses: Sequence[Response]) -> str:
    """Return what a run is called by in decisions: its folder, and a digest of its answers.

    What detectors say is no part of it: they may look again.
    """
    said = sorted(
        [each.response_id, each.model, each.question, each.response] for each in responses
    )
    name = re.sub(r"[^a-z0-9]+", "-", folder.resolve().name.lower())[:_NAME].strip("-")
    return f"{name or 'run'}-{store.digest_of(said)[:8]}"


def judged_responses(decisions: Iterable[Decision], run: str) -> Mapping[str, JudgedResponse]:
    """Return what people say of the responses of a run, by response_id.

    ``run`` is what ``run_called`` returns. Decisions that nobody can tell by are in no figure.
    """
    prefix = f"{run}/"
    ours = [
        each
        for each in decisions
        if each.field == FIELD and (each.record_id or "").startswith(prefix)
    ]
    looked: dict[str, dict[str, datetime]] = {}
    for each in ours:
        first, at = looked.setdefault(each.record_id or "", {}), datetime.fromisoformat(each.at)
        first[each.auditor] = min(at, first.get(each.auditor, at))
    found = {}
    for thing, by_person in standing(ours).items():
        held, name = asked_of(by_person), thing.record_id or ""
        earliest = sorted(looked[name], key=lambda person: (looked[name][person], person))
        answer = outcome(held)[0]
        found[name.removeprefix(prefix)] = JudgedResponse(
            by_person={
                person: said
                for person in sorted(earliest[:_PLANNED])
                if person in held and (said := held[person].after) in ANSWERS
            },
            answer=answer if answer in ANSWERS else None,
            is_drawn=all(each.probability is not None for each in held.values()),
        )
    return found
