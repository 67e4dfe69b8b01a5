"""One false description to be made: the request for it, and what is wrong with an answer."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from benchwright.asking.jobs import Job
from benchwright.asking.requests import Request
from benchwright.asking.voters import Voter
from benchwright.plain_text import excerpt
from benchwright.records import Described, Falsified, PlannedDialogue
from labeling.dialogues.false_premise.describing.spelling import tidied, why_no_phrase
from labeling.dialogues.false_premise.describing.targets import Target
from labeling.dialogues.false_premise.falsifying.draft import draft_of
from labeling.dialogues.false_premise.rules.changes import changes_between, content
from labeling.dialogues.false_premise.rules.nouns import singular
from labeling.dialogues.false_premise.rules.turns import Schedule
from labeling.dialogues.false_premise.substituting import FalseDescription, substitution_request

AFFIRMED = "something in the picture is rightly described by it, as voters see it"


@dataclass(frozen=True, slots=True, kw_only=True)
class Substitution:
    """A false description that is wanted of a dialogue; ``variant`` counts from 1.

    ``true_description`` is that of ``described``. ``told`` are the descriptions of earlier variants
    that the model is told of, ``others`` those whose words it may not put in; ``affirmed`` are
    descriptions that voters found to be true.
    """

    target: Target
    plan: PlannedDialogue
    described: Described
    true_description: str
    schedule: Schedule
    variant: int
    voter: Voter
    told: tuple[str, ...] = ()
    others: tuple[str, ...] = ()
    affirmed: Collection[str] = ()

    def job(self) -> Job[FalseDescription]:
        """Return the job that makes it."""
        return Job(
            name=f"{self.plan.dialogue_id}/{self.variant}",
            voter=self.voter.name,
            form=FalseDescription,
            request=self._request,
            fault=self._fault,
            sizes=(self.target.size,),
        )

    def row(
        self, false_description: str | None, faults: Sequence[str] = (), *, is_failed: bool = False
    ) -> Falsified:
        """Return what became of it; which descriptions were refused is read off the faults."""
        refusals = {self._refusal(text): text for text in self.affirmed}
        refused = dict.fromkeys(refusals[fault] for fault in faults if fault in refusals)
        return Falsified(
            dialogue_id=self.plan.dialogue_id,
            variant=self.variant,
            false_description=false_description,
            model=self.voter.model,
            faults=tuple(faults),
            refused=tuple(refused),
            is_failed=is_failed,
        )

    def _request(self, faults: Sequence[str]) -> Request:
        return substitution_request(
            self.target.picture,
            self.true_description,
            self.plan.premise_class,
            others=self.told,
            faults=faults,
        )

    def _fault(self, answer: FalseDescription) -> str | None:
        false = tidied(answer.false_description)
        reasons = self._broken(false)
        if reasons:
            return f"{excerpt(false)}: {'; '.join(reasons)}"
        return self._refusal(false) if false in self.affirmed else None

    def _broken(self, false: str) -> list[str]:
        unfit = why_no_phrase(false) if false else "is empty"
        if unfit is not None:
            return [f"the false description {unfit}"]
        draft = draft_of(self.plan, self.described, self.row(false), self.schedule)
        broken = [check.reason for check in draft.checks if check.reason is not None]
        put_in = self._put_in(false)
        alike = [
            f"it puts in the same words as {other}"
            for other in self.others
            if self._put_in(other) == put_in
        ]
        return list(dict.fromkeys(broken)) or alike

    def _put_in(self, false: str) -> frozenset[str]:
        """Return the words, in the singular, that an edit puts into the true description."""
        is_identity = self.plan.premise_class == "identity"
        found = changes_between(self.true_description, false, with_pronouns=not is_identity)
        return frozenset(singular(word) for one in found for word in content(one.after))

    def _refusal(self, false: str) -> str:
        return f"{excerpt(false)}: {AFFIRMED}"
