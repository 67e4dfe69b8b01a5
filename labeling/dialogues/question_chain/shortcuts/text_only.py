"""A model guesses at the true option from the text alone: what it gets right, the picture is not
needed for (the blindfold baseline of V-REX).

Of questions some are found by good sense, which is what planning asks for; of answers more than
chance means that the wrong ones are not plausible.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass

import pydantic

from benchwright.asking.estimates import Estimate
from benchwright.asking.jobs import Job, JobSettings, ask_jobs, estimate_jobs
from benchwright.asking.requests import Request
from benchwright.asking.session import Spending
from benchwright.asking.voters import Voter
from benchwright.progress import Progress, no_progress
from benchwright.workspace import Workspace
from labeling.dialogues.question_chain.shortcuts.chance import Against, against
from labeling.dialogues.question_chain.shortcuts.choices import KINDS, Choice, Kind

_ROOM = 100  # tokens
RETRIES = 1  # further attempts where a guess is none


class SaidOption(pydantic.BaseModel):
    """The number of an option, from 1."""

    model_config = pydantic.ConfigDict(extra="forbid", strict=True)

    option: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Guesses:
    """What one voter guessed of the choices of a kind; ``against`` is of those that it answered.

    ``unanswered`` were declined or could not be read; ``failed`` of them got no answer from the
    server, so that the same command run again goes on.
    """

    voter: str
    kind: Kind
    against: Against
    unanswered: int
    failed: int


def guess_blind(
    workspace: Workspace,
    voters: Sequence[Voter],
    choices: Sequence[Choice],
    spending: Spending,
    settings: JobSettings,
    *,
    progress: Progress = no_progress,
) -> list[Guesses]:
    """Return what each voter guesses without the picture, by kind; raises as ``ask_jobs`` does."""
    asked = _jobs(voters, choices)
    jobs = [job for _, job in asked]
    outcomes = ask_jobs(workspace, voters, spending, jobs, settings, progress=progress)
    found = []
    for voter in voters:
        for kind in KINDS:
            answered = [
                (choice, outcome)
                for (choice, _), outcome in zip(asked, outcomes, strict=True)
                if outcome.voter == voter.name and choice.kind == kind
            ]
            read = [
                (choice, outcome.value.option)
                for choice, outcome in answered
                if outcome.value is not None
            ]
            hits = sum(option - 1 == choice.truth for choice, option in read)
            chances = [choice.chance for choice, _ in read]
            found.append(
                Guesses(
                    voter=voter.name,
                    kind=kind,
                    against=against(hits, chances, is_one_sided=True),
                    unanswered=len(answered) - len(read),
                    failed=sum(outcome.is_failed for _, outcome in answered),
                )
            )
    return found


def guess_settings(max_retries: int = RETRIES, *, batch: bool = False) -> JobSettings:
    """Return how models are asked: without a look first, for no picture is shown."""
    return JobSettings(max_retries=max_retries, batch=batch, probe=False)


def guess_estimates(
    workspace: Workspace,
    voters: Sequence[Voter],
    choices: Sequence[Choice],
    spending: Spending,
    settings: JobSettings,
) -> list[Estimate]:
    """Return for each voter what ``guess_blind`` would take, without asking."""
    jobs = [job for _, job in _jobs(voters, choices)]
    return estimate_jobs(workspace, voters, spending, jobs, settings)


def _jobs(
    voters: Sequence[Voter], choices: Sequence[Choice]
) -> list[tuple[Choice, Job[SaidOption]]]:
    return [(choice, _job(voter, choice)) for voter in voters for choice in choices]


def _job(voter: Voter, choice: Choice) -> Job[SaidOption]:
    text = _text(choice)

    def request(faults: Sequence[str]) -> Request:
        again = f"\n\nYour answer before this one: {faults[-1]}." if faults else ""
        return Request.of(f"{text}{again}", max_tokens=_ROOM, temperature=0)

    def fault(said: SaidOption) -> str | None:
        most = len(choice.options)
        return None if 1 <= said.option <= most else f"{said.option} is none of 1 to {most}"

    return Job(
        name=f"{choice.chain_id}/{choice.step}/{choice.kind}/{voter.name}",
        voter=voter.name,
        form=SaidOption,
        request=request,
        fault=fault,
    )


def _text(choice: Choice) -> str:
    wanted = (
        "Which of these is the next thing to ask, so as to get nearer to the answer?"
        if choice.asked is None
        else f"The next thing asked is {_quoted(choice.asked)} Which of these is the answer?"
    )
    before = "\n".join(
        f"- {_quoted(asked)} - {_quoted(answer)}" for asked, answer in choice.history
    )
    known = f"Asked and answered so far:\n{before}" if before else "Nothing was asked so far."
    options = "\n".join(f"{at}. {_quoted(one)}" for at, one in enumerate(choice.options, 1))
    return f"""\
There is a picture that you are not shown. Somebody answers a question about it by asking smaller
ones, one after the other. The question: {_quoted(choice.question)}
{known}
{wanted} One of them is right. Choose the one that is likeliest as far as the words tell, and guess
where they tell nothing; "option" is its number.

Options:
{options}"""


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)
