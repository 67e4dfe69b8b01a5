"""Probes of amounts: pictures at once, the smallest and the largest side, tokens by size."""

from collections.abc import Awaitable, Callable, Sequence

from benchwright.asking.doctor.line import Line
from benchwright.asking.eyesight.attempt import is_answered, message_of
from benchwright.asking.eyesight.drawing import asked_colour, names
from benchwright.asking.eyesight.sight import QUESTION, ROOM, SIDE, Sight
from benchwright.asking.findings import AtOnce, Measured, Sides
from benchwright.asking.replies import Reply
from benchwright.asking.requests import Request
from benchwright.asking.voters import PictureLimits

MOST_AT_ONCE = 9  # calls
MOST_SIZES = 1 + 3 + 6 + 2  # without a picture, small, large, not square
TELLING_SIDE = 56  # below it servers enlarge first, each in its own way

BOUND = 32  # pictures
SMALL_SIDE = 112
_SMALL = (1, 8, 14, 28, 56)
_LARGE = (512, 1024, 2048, 4096, 8192)
_OBLONG = ((640, 480), (1000, 600))
DEAR = 20_000  # tokens of a picture that a probe is not worth


async def probe_at_once(line: Line, sight: Sight) -> AtOnce:
    """Double the pictures of a call until one is refused, then halve the gap."""
    bound = min(line.voter.pictures.at_once or BOUND, BOUND)
    first, last = await line.picture("white", SMALL_SIDE), await line.picture("blue", SMALL_SIDE)
    question = asked_colour("the last of these pictures")
    limits = line.voter.pictures.model_copy(update={"at_once": None})

    async def ask(count: int) -> Reply:
        parts = [first] * (count - 1) + [last]
        return await line.ask(Request.of(*parts, question, max_tokens=ROOM), pictures=limits)

    best, reply, refusal = 1, None, None
    refused = bound + 1
    while best < refused - 1:
        count = min(2 * best, bound) if refusal is None else (best + refused) // 2
        now = await ask(count)
        if is_answered(now):
            best, reply = count, now
        else:
            refused, refusal = count, now
    is_seen = reply is not None and names(reply.text, "blue")
    return AtOnce(
        most=best,
        bound=bound,
        last_is_seen=is_seen if sight.verdict == "sees" and reply is not None else None,
        message=None if refusal is None else message_of(refusal),
    )


async def probe_sizes(line: Line) -> tuple[Sides, tuple[Measured, ...]]:
    """Send squares from one pixel on, and note the tokens that each size adds to the prompt."""
    limits = PictureLimits(max_side=_LARGE[-1], min_side=1, format="png")
    file = line.voter.pictures
    alone = await line.ask(Request.of(QUESTION, max_tokens=ROOM))
    measured: list[Measured] = []

    async def send(width: int, height: int) -> Reply:
        part = await line.picture("green", width, height)
        reply = await line.ask(Request.of(part, QUESTION, max_tokens=ROOM), pictures=limits)
        if is_answered(reply) and alone.usage.prompt and reply.usage.prompt:
            tokens = reply.usage.prompt - alone.usage.prompt
            measured.append(Measured(width=width, height=height, tokens=tokens))
        return reply

    smallest, refused_small, why_small = await _smallest(_with(_SMALL, file.min_side), send)
    for width, height in _OBLONG:
        await send(width, height)
    largest, refused_large, too_dear, why_large = SIDE, None, None, None
    for side in _with(_LARGE, file.max_side):
        if _foreseen(measured, side) > DEAR:
            too_dear = side
            break
        reply = await send(side, side)
        if not is_answered(reply):
            refused_large, why_large = side, message_of(reply)
            break
        largest = side
    sides = Sides(
        smallest=smallest,
        largest=largest,
        refused_small=refused_small,
        refused_large=refused_large,
        too_dear=too_dear,
        message="; ".join(why for why in (why_small, why_large) if why) or None,
    )
    return sides, tuple(sorted(measured, key=lambda one: (_area(one), one.width)))


def _with(ladder: Sequence[int], own: int) -> list[int]:
    """Return the sides to try: the ladder, and what the file says where it lies within."""
    return sorted({*ladder, own}) if ladder[0] <= own <= ladder[-1] else list(ladder)


def _foreseen(measured: Sequence[Measured], side: int) -> float:
    """Return the tokens of a square of this side, if they grow as its area does."""
    told = [one for one in measured if min(one.width, one.height) >= TELLING_SIDE]
    largest = max(told, key=_area, default=None)
    return 0.0 if largest is None else largest.tokens * side**2 / _area(largest)


def _area(measured: Measured) -> int:
    return measured.width * measured.height


async def _smallest(
    ladder: Sequence[int], send: Callable[[int, int], Awaitable[Reply]]
) -> tuple[int, int | None, str | None]:
    """Return the smallest side taken, the next that was refused, and what was said of it."""
    sides = [*ladder, SIDE]  # the last is known to be taken
    low, high, why = -1, len(ladder), None
    while high - low > 1:
        middle = (low + high) // 2
        reply = await send(sides[middle], sides[middle])
        if is_answered(reply):
            high = middle
        else:
            low, why = middle, message_of(reply)
    return sides[high], sides[low] if low >= 0 else None, why
