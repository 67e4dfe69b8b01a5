"""One dialogue as it is played: all turns in order, then the detectors on each answer."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from benchwright.asking.questions import Asks
from benchwright.asking.replies import Reply
from benchwright.asking.requests import PicturePart
from benchwright.asking.rounds import together
from benchwright.records import Build, FalsePremise, PlayedResponse, PremiseTurn
from evaluation.false_premise.playing.answering import answer, answer_request
from evaluation.false_premise.playing.detecting import PART, Detected, detect
from evaluation.false_premise.playing.detector_prompt import to_read


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """A dialogue, or a variant of one, with the picture that it is about."""

    dialogue: FalsePremise
    picture: PicturePart


@dataclass(frozen=True, slots=True, kw_only=True)
class Played:
    """The responses of a dialogue, in the order of its turns.

    ``is_failed`` tells that an answer of the model or of a detector is missing.
    """

    responses: tuple[PlayedResponse, ...]
    is_failed: bool

    def builds(self) -> list[Build]:
        """Return what answered, once for each response."""
        return [build for response in self.responses for build in response.builds]


async def play(
    item: Item, player: Asks, detectors: Sequence[Asks], *, run: str, sample: int
) -> Played:
    """Return a dialogue as it was played (FPCO-Dialog, section 4.2; definitions 17 and 18).

    It hangs on what is answered and on nothing else, so that it can be played again from stored
    answers. A turn without an answer ends it. Raises what ``Asks.ask`` does, and one Unasked for
    all labels that are missing.
    """
    turns = item.dialogue.turns
    answered: list[tuple[str, Reply]] = []
    for _ in turns:
        said = [text for text, _ in answered]
        found = await answer(player, answer_request(item.picture, turns, said, sample))
        if found.text is None:
            break
        answered.append((found.text, found.reply))
    detected = await _detected(item.dialogue, [text for text, _ in answered], detectors)
    responses = [
        _response(item.dialogue, turn, run, player.voter.name, text, reply, labels)
        for turn, (text, reply), labels in zip(turns, answered, detected, strict=False)
    ]
    is_whole = len(answered) == len(turns)
    is_failed = not is_whole or any(one.is_failed for labels in detected for one in labels)
    return Played(responses=tuple(responses), is_failed=is_failed)


async def _detected(
    dialogue: FalsePremise, answers: Sequence[str], detectors: Sequence[Asks]
) -> list[list[Detected]]:
    """Return what each detector makes of each answer, in their orders."""
    cases = [
        to_read(dialogue, turn, text) for turn, text in zip(dialogue.turns, answers, strict=False)
    ]

    works = (detect(asks, case) for case in cases for asks in detectors)
    labels = iter(await together(works))
    return [[next(labels) for _ in detectors] for _ in cases]


def _response(
    dialogue: FalsePremise,
    turn: PremiseTurn,
    run: str,
    model: str,
    text: str,
    reply: Reply,
    detected: Sequence[Detected],
) -> PlayedResponse:
    return PlayedResponse(
        response_id=f"{run}/{dialogue.dialogue_id}/{turn.index}",
        run=run,
        model=model,
        image_id=dialogue.image_id,
        dialogue_id=dialogue.dialogue_id,
        turn=turn.index,
        premise_class=dialogue.premise_class,
        has_false_premise=turn.has_false_premise,
        question=turn.asked_question,
        true_description=dialogue.true_description,
        false_description=dialogue.false_description,
        response=text,
        detectors=tuple(one.label for one in detected),
        status=reply.status,
        builds=_builds(model, reply, detected),
    )


def _builds(model: str, reply: Reply, detected: Sequence[Detected]) -> tuple[Build, ...]:
    heard = Counter({("player", model, reply.model, reply.build): 1})
    heard.update((PART, one.label.name, one.reply.model, one.reply.build) for one in detected)
    return tuple(
        Build(part=part, voter=voter, model=served, build=build, answers=count)
        for (part, voter, served, build), count in heard.items()
    )
