"""The jobs that draft distractors of a chain, and what became of each."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from benchwright.asking.ask import ShownPicture
from benchwright.asking.jobs import Job, Outcome
from benchwright.asking.requests import Request
from benchwright.asking.voters import Voter
from benchwright.plain_text import excerpt
from benchwright.records import ChainStep, QuestionChain
from labeling.dialogues.question_chain.distracting.dealing_out import (
    drawn_voters,
    shares_of,
)
from labeling.dialogues.question_chain.distracting.dropped import Dropped, Kind
from labeling.dialogues.question_chain.distracting.prompts import (
    answers_text,
    chain_text,
    step_text,
    with_faults,
)
from labeling.dialogues.question_chain.distracting.sifting import (
    Draft,
    SaidAnswers,
    SaidQuestion,
    SaidQuestions,
    Sifted,
    sift_answers,
    sift_questions,
)

_ROOM, _ROOM_EACH = 200, 120  # tokens of an answer, and for each thing that is wanted
UNREADABLE, UNANSWERED = "unreadable", "no answer came"

_Sift = Callable[[Any], Sifted]


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """How many are drafted: distractors of each step, distracting chains, wrong answers a step."""

    step: int = 3
    chains: int = 2
    wrong_answers: int = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class DraftJob:
    """A job, what it is for, and what was heard of each attempt.

    ``step`` counts from 1, null for a whole chain. ``heard`` is filled while the job is asked.
    """

    job: Job[Any]
    chain: QuestionChain
    kind: Kind
    step: int | None
    wanted: int
    voter: Voter
    sift: _Sift
    heard: dict[str, Sifted] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Drafted:
    """What came of a job: drafts that can stand, and what was dropped."""

    of: DraftJob
    drafts: tuple[Draft, ...]
    dropped: tuple[Dropped, ...]
    is_failed: bool


def is_ready(chain: QuestionChain) -> bool:
    """Tell whether a chain has steps, with questions and answers, to draft distractors for."""
    steps = chain.steps
    return len(steps) > 1 and all(one.question.strip() and one.answer.strip() for one in steps)


def draft_jobs(
    chain: QuestionChain, shown: ShownPicture, voters: Sequence[Voter], wanted: Wanted
) -> Iterator[DraftJob]:
    """Yield the jobs of a chain that ``is_ready``: of its steps, of whole chains, of its answers.

    The last step asks the chain's own question, so it needs wrong answers and no distractors.
    """
    for task in _tasks(chain, voters, wanted):
        make = _answers_job if task.kind == "answer" else _questions_job
        yield make(chain, shown, task)


def drafted(asked: DraftJob, outcome: Outcome[Any]) -> Drafted:
    """Return what came of a job.

    Where no attempt had enough, what was good in all of them is taken; of a whole chain nothing
    is, since its parts hang together.
    """
    value = outcome.value
    if value is not None:
        drafts = asked.sift(value).good
    elif asked.kind == "chain":
        drafts = ()
    else:
        drafts = asked.sift(_together(asked)).good
    return Drafted(
        of=asked,
        drafts=drafts,
        dropped=tuple(dict.fromkeys(_dropped(asked, outcome))),
        is_failed=outcome.is_failed,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Task:
    """What one voter is to draft; ``number`` is that of a step, or of a whole chain, from 1."""

    voter: Voter
    kind: Kind
    number: int
    wanted: int
    text: str


def _tasks(chain: QuestionChain, voters: Sequence[Voter], wanted: Wanted) -> Iterator[_Task]:
    name, last = chain.chain_id, len(chain.steps)
    for number in range(1, last):
        for share in shares_of(voters, wanted.step, "step", name, str(number)):
            text = step_text(chain, number, share.wanted)
            yield _Task(
                voter=share.voter, kind="step", number=number, wanted=share.wanted, text=text
            )
    for number, voter in enumerate(drawn_voters(voters, wanted.chains, "chain", name), 1):
        text = chain_text(chain, number)
        yield _Task(voter=voter, kind="chain", number=number, wanted=last - 1, text=text)
    if wanted.wrong_answers:
        for number in range(1, last + 1):
            (voter,) = drawn_voters(voters, 1, "answers", name, str(number))
            text = answers_text(chain, number, wanted.wrong_answers)
            yield _Task(
                voter=voter, kind="answer", number=number, wanted=wanted.wrong_answers, text=text
            )


def _questions_job(chain: QuestionChain, shown: ShownPicture, task: _Task) -> DraftJob:
    taken = _by_hand(chain.steps[task.number - 1]) if task.kind == "step" else []

    def sift(said: SaidQuestions) -> Sifted:
        if task.kind == "chain":  # its parts go on from each other: none fills the hole of another
            said = SaidQuestions(questions=said.questions[: task.wanted])
        return sift_questions(said, chain, task.wanted, taken)

    return _job(chain, shown, task, SaidQuestions, sift)


def _answers_job(chain: QuestionChain, shown: ShownPicture, task: _Task) -> DraftJob:
    step = chain.steps[task.number - 1]
    taken = [answer for answer in step.answer_options if answer != step.answer]

    def sift(said: SaidAnswers) -> Sifted:
        return sift_answers(said, step, task.wanted, taken)

    return _job(chain, shown, task, SaidAnswers, sift)


def _job(
    chain: QuestionChain, shown: ShownPicture, task: _Task, form: type[Any], sift: _Sift
) -> DraftJob:
    heard: dict[str, Sifted] = {}

    def request(faults: Sequence[str]) -> Request:
        text = with_faults(task.text, faults)
        room = _ROOM + _ROOM_EACH * task.wanted
        return Request.of(shown.part, text, max_tokens=room, temperature=0)

    def fault(said: Any) -> str | None:
        heard[repr(said)] = sifted = sift(said)
        return sifted.lack(task.wanted)

    return DraftJob(
        job=Job(
            name=f"{chain.chain_id}/{task.kind}/{task.number}/{task.voter.name}",
            voter=task.voter.name,
            form=form,
            request=request,
            fault=fault,
            sizes=(shown.size,),
        ),
        chain=chain,
        kind=task.kind,
        step=None if task.kind == "chain" else task.number,
        wanted=task.wanted,
        voter=task.voter,
        sift=sift,
        heard=heard,
    )


def _by_hand(step: ChainStep) -> list[str]:
    return [option.text for option in step.question_options if option.origin != "true"]


def _together(asked: DraftJob) -> SaidQuestions | SaidAnswers:
    """Return what was good in all attempts as one answer, in the order in which it came."""
    good = [draft for sifted in asked.heard.values() for draft in sifted.good]
    if asked.kind == "answer":
        return SaidAnswers(answers=[draft.text for draft in good])
    return SaidQuestions(
        questions=[SaidQuestion(question=one.text, answer=one.answer or "") for one in good]
    )


def _dropped(asked: DraftJob, outcome: Outcome[Any]) -> Iterator[Dropped]:
    for sifted in asked.heard.values():
        for bad in sifted.bad:
            yield _row(asked, bad.text, bad.fault, bad.reason)
    lacks = {sifted.lack(asked.wanted) for sifted in asked.heard.values()}
    for fault in outcome.faults:
        if fault not in lacks:
            what = UNANSWERED if outcome.is_failed else UNREADABLE
            yield _row(asked, None, what, excerpt(fault, 200))


def _row(asked: DraftJob, text: str | None, fault: str, reason: str) -> Dropped:
    return Dropped(
        chain_id=asked.chain.chain_id,
        kind=asked.kind,
        step=asked.step,
        voter=asked.voter.name,
        text=None if text is None else excerpt(text, 300),
        fault=fault,
        reason=reason,
    )
