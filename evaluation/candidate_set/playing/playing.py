"""One sample, put to a model and read."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from benchwright.asking.box_reading import read_boxes
from benchwright.asking.estimates import Planned
from benchwright.asking.questions import RAISE, Asks
from benchwright.asking.replies import Reply
from benchwright.asking.requests import Request
from benchwright.asking.voters import Voter
from benchwright.boxes import Box
from benchwright.records import Build, Grounding
from evaluation.candidate_set.playing.asking import Asked, HowAsked
from evaluation.candidate_set.playing.selecting import read_selection

PLAYER = "player"
_NONE_CAME = frozenset(("failed", "rejected"))
_NO_ANSWER = frozenset(("none", "declined", "unread"))


def is_failed(one: Grounding) -> bool:
    """Tell whether no answer came: the server failed, or would not take the request."""
    return one.status in _NONE_CAME


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """What an answer gives: boxes in pixels of the upright picture, ids where it selects."""

    boxes: tuple[Box, ...]
    chosen: tuple[str, ...]
    read_by: str


async def ground(asked: Asked, asks: Asks, how: HowAsked, *, run: str) -> Grounding:
    """Return what a model answers to a sample.

    An answer that was cut before it gave anything gets room once. Raises what ``Asks.ask`` raises.
    """
    replies = [await asks.ask(asked.request)]
    found = _found(asked, replies[-1], how)
    if replies[-1].status == "truncated" and found.read_by in _NO_ANSWER:
        replies.append(await asks.ask(_raised(asked.request, asks.voter)))
        found = _found(asked, replies[-1], how)
    last, sample = replies[-1], asked.sample
    return Grounding(
        run=run,
        model=asks.voter.name,
        dialogue_id=sample.dialogue_id,
        turn=sample.turn,
        image_id=sample.image_id,
        status=last.status,
        text=last.text or last.refusal or "",
        boxes=found.boxes,
        chosen=found.chosen,
        read_by=found.read_by,
        builds=_builds(replies, asks.voter),
    )


def foresee(asked: Asked, voter: Voter) -> Iterator[Planned]:
    """Yield the calls that a sample takes: one, and one more where its answer is cut."""
    sizes = (asked.sent.upright,)
    yield Planned(request=asked.request, sizes=sizes, kind="single")
    yield Planned(request=_raised(asked.request, voter), sizes=sizes, kind="possible")


def _found(asked: Asked, reply: Reply, how: HowAsked) -> Found:
    if reply.status in _NONE_CAME:
        return Found(boxes=(), chosen=(), read_by=reply.status)
    if reply.status == "refused":
        return Found(boxes=(), chosen=(), read_by="declined")
    if not how.is_given:
        read = read_boxes(reply.text, how.unit, asked.sent)
        return Found(boxes=read.boxes, chosen=(), read_by=read.read_by)
    selected = read_selection(reply.text, asked.listed)
    chosen = [asked.given[at] for at in selected.places]
    return Found(
        boxes=tuple(box.bbox for box in chosen),
        chosen=tuple(box.box_id for box in chosen),
        read_by=selected.read_by,
    )


def _raised(request: Request, voter: Voter) -> Request:
    return request.with_cap(RAISE * voter.cap_for(request.max_tokens))


def _builds(replies: Sequence[Reply], voter: Voter) -> tuple[Build, ...]:
    counts = Counter((reply.model, reply.build) for reply in replies if reply.status != "failed")
    return tuple(
        Build(part=PLAYER, voter=voter.name, model=model, build=build, answers=counts[model, build])
        for model, build in sorted(counts, key=lambda key: (key[0] or "", key[1] or ""))
    )
