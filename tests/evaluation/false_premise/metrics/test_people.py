"""People's judgements of a sample of responses, beside those of detectors."""

from collections.abc import Mapping

import pytest

from benchwright.decisions.on_responses import JudgedResponse
from evaluation.false_premise.metrics.corrections import Corrections
from evaluation.false_premise.metrics.people import PeopleSay, people_say
from stand_ins.corrections import corrections, dialogue

ASKED = [dialogue(number) for number in range(6)]
ASKED += [dialogue(6 + number, "location") for number in range(6)]


def both_say_yes_until(last: int) -> Corrections:
    """Detectors read a correction up to a turn of an identity, and none of a place."""
    return corrections(
        ASKED,
        lambda one, turn, _: "yes" if turn <= last and one.premise_class == "identity" else "no",
    )


def judged(*said: str, answer: str | None = None, is_drawn: bool = True) -> JudgedResponse:
    by_person = dict(zip(("ana", "bo"), said, strict=False))
    told = answer or (said[0] if len(set(said)) == 1 else None)
    return JudgedResponse(by_person=by_person, answer=told, is_drawn=is_drawn)


def says(judged: Mapping[tuple[str, int], JudgedResponse], last: int = 6) -> PeopleSay:
    found = people_say(both_say_yes_until(last), judged, seed=0)
    assert found is not None
    return found


def pair(found: PeopleSay, first: str, second: str, scope: str = "all") -> tuple[int, float | None]:
    (each,) = (
        each
        for each in found.agreement
        if (each.scope, each.first, each.second) == (scope, first, second)
    )
    return each.judged, each.kappa.value


def test_nobody_judged_a_false_premise() -> None:
    assert people_say(both_say_yes_until(6), {}, 0) is None
    # a true premise, a dialogue that is not whole, and a response that nobody could tell
    said = {("fp-0000", 2): judged("no"), ("fp-9999", 5): judged("no"), ("fp-0001", 5): judged()}
    assert people_say(both_say_yes_until(6), said, 0) is None


def test_each_pair_is_compared_on_what_both_judged() -> None:
    found = says(
        {
            ("fp-0000", 4): judged("yes", "yes"),
            ("fp-0001", 5): judged("yes", "no"),
            ("fp-0002", 9): judged("no"),
            ("fp-0007", 4): judged("no", "no"),
            ("fp-0008", 4): judged("yes", answer="no"),  # settled otherwise by a third
        }
    )
    assert (found.people, found.responses) == (("person 1", "person 2"), 5)
    # yes yes, yes no, no no
    assert pair(found, "person 1", "person 2") == (3, pytest.approx(0.4))
    # yes yes, yes yes, no no, no no, yes no
    assert pair(found, "person 1", "ear") == (5, pytest.approx(1 - (1 / 5) / (13 / 25)))
    assert pair(found, "ear", "nose") == (5, 1)
    assert pair(found, "person 1", "ear", "location") == (2, 0)
    assert pair(found, "person 1", "person 2", "location") == (1, None)
    assert len(found.agreement) == 6 * 3


def test_what_people_say_corrects_what_detectors_say() -> None:
    """Detectors take three turns of each identity for corrections, people never two of these."""
    said = {
        (one.dialogue_id, turn): judged("yes" if turn == 4 and number < 6 else "no")
        for number, one in enumerate(ASKED)
        for turn in range(4, 11)
    }
    everything, identity, location = says(said).corrected
    assert (everything.scope, everything.judged) == ("all", 84)
    assert everything.found is not None
    assert everything.found.predicted == pytest.approx(3 / 14)
    # all was judged: people alone count, whatever the detectors say
    assert everything.found.corrected.share == pytest.approx(1 / 14)
    assert identity.found is not None
    assert identity.found.corrected.share == pytest.approx(1 / 7)
    assert location.found is not None
    assert location.found.corrected.share == 0


def test_only_what_a_plan_drew_and_people_settled_corrects() -> None:
    found = says(
        {
            ("fp-0000", 4): judged("yes"),
            ("fp-0001", 4): judged("yes", is_drawn=False),
            ("fp-0002", 4): judged("yes", "no"),
        }
    )
    everything, identity, location = found.corrected
    assert (everything.judged, identity.judged, location.judged) == (1, 1, 0)
    assert identity.found is not None
    assert (everything.found, location.found) == (None, None)  # of a class nobody judged any
