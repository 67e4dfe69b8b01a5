"""The calls that an episode may take of a voter, before anybody is asked."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache

from benchwright.asking.estimates import Kind, Planned
from benchwright.asking.questions import with_form
from benchwright.asking.requests import Request
from benchwright.asking.tokens import Size
from benchwright.asking.voters import Voter
from benchwright.records import Turn, Upload
from benchwright.reference_questioner import inquiry
from evaluation.hidden_target.detector.prompt import Verdict, verdict_request
from evaluation.hidden_target.game import Game, Rules
from evaluation.hidden_target.looking import asked_of
from evaluation.hidden_target.parts import Question
from evaluation.hidden_target.players.conversation import conversation
from evaluation.hidden_target.players.model import MAX_TOKENS
from evaluation.hidden_target.running.cast import ZOOMS, Cast
from evaluation.hidden_target.wording import forbidden, question_texts
from evaluation.releases.galleries import Term

_SEEN = "I have seen these pictures."
_ZOOMED = 256  # tokens of an answer that may be a call of the zoom


@dataclass(frozen=True, slots=True, kw_only=True)
class Foresight:
    """What is assumed of episodes to come: all questions are as long as the longest template.

    In the middle case a player takes as many turns as the reference questioner, by the labels and
    without noise. ``sizes`` are width and height of the pictures, in pixels, by the hash of their
    bytes.
    """

    cast: Cast
    terms: tuple[Term, ...]
    rules: Rules
    sizes: Mapping[str, Size]
    question: str

    def calls(self, game: Game, voter: str) -> Iterator[Planned]:
        """Yield the calls that an episode takes of a voter, those that must be and may be."""
        parts = self.cast.parts_of(voter)
        turns, usual = self.rules.turns, self._usual_turns(game)
        question = Question(text=self.question, count=1, asked=(), mapped_by="none")
        if "player" in parts:
            yield from self._of_player(game, usual)
        if "detector" in parts:
            yield from self._of_detector(usual)
        for part, requests in (("oracle", _of_oracle), ("verifier", _of_verifier)):
            if part in parts:
                for request, is_usual in requests(game, question):
                    planned = self._planned(request, "possibly_yes_no")
                    yield replace(planned, times=turns, usual=usual if is_usual else 0)

    def _usual_turns(self, game: Game) -> int:
        asked = inquiry(game.gallery.board, one_of_a_type=True).asked
        return min(len(asked), self.rules.turns)

    def _of_player(self, game: Game, usual: int) -> Iterator[Planned]:
        """Yield an answer to each batch but the last, then one guess, then what may be asked."""
        uploads = tuple(
            Upload(batch=number, text=_SEEN, kind="acknowledged")
            for number in range(1, len(game.batches))
        )
        turns = _turns(self.question, self.rules.turns)
        messages = conversation(game, self.terms, uploads, turns)
        for said in range(len(uploads) + len(turns) + 1):
            # each request begins with the one before it
            request = Request(messages=messages[: 2 * said + 1], max_tokens=MAX_TOKENS)
            taken = said - len(uploads)
            kind: Kind = "yes_no" if taken <= 0 else "possibly_yes_no"
            yield replace(self._planned(request, kind), usual=int(taken <= usual))

    def _of_detector(self, usual: int) -> Iterator[Planned]:
        assert isinstance(self.cast.detector, Voter)  # noqa: S101  # else it is asked nothing
        requests = _verdict_requests(
            self.question,
            self.rules,
            forbidden(self.terms, self.rules.noun),
            self.cast.detector.structured,
        )
        for count, request in enumerate(requests):
            yield replace(self._planned(request, "possibly_structured"), usual=int(count < usual))

    def _planned(self, request: Request, kind: Kind) -> Planned:
        sizes = tuple(self.sizes[picture.sha256] for picture in request.pictures())
        return Planned(request=request, sizes=sizes, kind=kind)


def _of_oracle(game: Game, question: Question) -> Iterator[tuple[Request, bool]]:
    """Yield what it is asked in a turn; whether without a zoom, which is the middle case."""
    target = game.gallery.target
    for zooms in range(ZOOMS + 1):
        parts = [game.shown(target).part] * zooms
        yield asked_of(game, question, target, *parts).with_cap(_ZOOMED), zooms == 0


def _of_verifier(game: Game, question: Question) -> Iterator[tuple[Request, bool]]:
    """Yield what it is asked in a turn, of each picture."""
    for number in range(1, len(game.gallery) + 1):
        yield asked_of(game, question, number), True


def longest_question(terms: tuple[Term, ...], noun: str) -> str:
    """Return the longest of the questions for the values of a vocabulary, '' where it has none."""
    texts = question_texts(terms, noun).values()
    return max(texts, key=lambda text: (len(text), text), default="")


@lru_cache(maxsize=8)  # they are alike in all episodes
def _verdict_requests(
    question: str, rules: Rules, never: tuple[str, ...], structured: str
) -> tuple[Request, ...]:
    """Return what the detector is asked in each turn that there may be."""
    turns = _turns(question, rules.turns)
    requests = (
        verdict_request(
            question, turns[:count], noun=rules.noun, forbidden=never, is_contradicted=False
        )
        for count in range(len(turns))
    )
    return tuple(with_form(request, structured, Verdict) for request in requests)


@lru_cache(maxsize=8)
def _turns(question: str, count: int) -> tuple[Turn, ...]:
    return tuple(
        Turn(
            turn=number,
            status="ok",
            text=question,
            question=question,
            read_by="",
            asked=(),
            mapped_by="none",
            told="unsure",
            reason=None,
            judged_by=None,
            truth="unsure",
            noise=None,
            fits="",
            feasible=(),
        )
        for number in range(1, count + 1)
    )
