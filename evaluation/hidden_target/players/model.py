"""The player that is measured: a model behind a server."""

from collections.abc import Sequence

from benchwright.asking.questions import RAISE, Asks
from benchwright.asking.reading.reasoning import without_reasoning
from benchwright.asking.replies import Reply
from benchwright.asking.requests import Request
from benchwright.asking.voters import Voter
from benchwright.errors import UsageError
from benchwright.records import Turn, Upload
from evaluation.hidden_target.game import Game
from evaluation.hidden_target.parts import PartFailed, Said
from evaluation.hidden_target.players.conversation import conversation
from evaluation.releases.galleries import Term

MAX_TOKENS = 512  # of a reply: room for a model that weighs the pictures before it asks
_NONE_CAME = ("failed", "rejected")


class ModelPlayer:
    """Plays by asking ``asks``, which is shown the whole game so far each time.

    The first ``sample`` is played at temperature 0, further ones at 1; what the voter's file says
    of temperature wins.
    """

    def __init__(
        self,
        asks: Asks,
        terms: Sequence[Term],
        *,
        max_tokens: int = MAX_TOKENS,
        sample: int = 0,
    ) -> None:
        self._asks, self._terms = asks, terms
        self._max_tokens, self._sample = max_tokens, sample

    @property
    def name(self) -> str:
        """The name of the voter."""
        return self._asks.voter.name

    async def receive(self, game: Game, uploads: Sequence[Upload]) -> Said:
        """Say something to the batch after ``uploads``.

        A reply that was cut in the middle of its reasoning gets room once.

        Raises PartFailed, and what ``Asks.ask`` raises.
        """
        request = self.request(game, uploads, ())
        reply = await self._ask(request)
        if reply.status == "truncated" and not without_reasoning(reply.text):
            return _said(reply, await self._ask(self._raised(request)))
        return _said(reply)

    async def speak(self, game: Game, uploads: Sequence[Upload], turns: Sequence[Turn]) -> Said:
        """Ask the next question, or guess.

        A reply that was cut gets room once: what it asks stands at its end.

        Raises PartFailed, and what ``Asks.ask`` raises.
        """
        request = self.request(game, uploads, turns)
        reply = await self._ask(request)
        if reply.status == "truncated":
            return _said(reply, await self._ask(self._raised(request)))
        return _said(reply)

    def request(self, game: Game, uploads: Sequence[Upload], turns: Sequence[Turn]) -> Request:
        """Return what the model is asked after these uploads and turns."""
        return Request(
            messages=conversation(game, self._terms, uploads, turns),
            max_tokens=self._max_tokens,
            parameters={"temperature": 0 if self._sample == 0 else 1},
            sample=self._sample,
        )

    def _raised(self, request: Request) -> Request:
        return request.with_cap(RAISE * self._asks.voter.cap_for(request.max_tokens))

    async def _ask(self, request: Request) -> Reply:
        reply = await self._asks.ask(request)
        if reply.status in _NONE_CAME:
            raise PartFailed("player", reply)
        return reply


def _said(*replies: Reply) -> Said:
    return Said(text=replies[-1].text, status=replies[-1].status, replies=replies)


def check_pictures_at_once(voter: Voter, smallest: int, largest: int) -> None:
    """Raise UsageError where a voter takes fewer pictures in one call than a game may show it.

    A call holds all pictures shown so far: the server remembers none. ``smallest`` and ``largest``
    are how many pictures the galleries have.
    """
    most = voter.pictures.at_once
    if most is not None and most < largest:
        smaller = ""
        if most >= smallest:  # else nobody would build such
            smaller = f", or play galleries of at most {most} (build-galleries --size {most})"
        raise UsageError(
            f"{voter.name}: takes {most} pictures at once (pictures.at_once), and the largest"
            f" gallery shows {largest}; raise the limit of the server and at_once{smaller}"
        )
