"""The calls that an episode may take of a voter, before anybody is asked."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from benchwright.asking.estimates import Kind, Planned
from benchwright.asking.questions import RAISE, with_form
from benchwright.asking.requests import Request
from benchwright.asking.tokens import Size
from benchwright.asking.voters import Voter
from benchwright.run_records import Turn, Upload
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

    ``sizes`` are width and height of the pictures, in pixels, by the hash of their bytes.
    """

    cast: Cast
    terms: tuple[Term, ...]
    rules: Rules
    sizes: Mapping[str, Size]
    question: str

    def calls(self, game: Game, voter: str) -> Iterator[Planned]:
        """Yield the calls that an episode takes of a voter, those that must be and may be."""
        parts = self.cast.parts_of(voter)
        if "player" in parts:
            yield from self._of_player(game)
        question = Question(text=self.question, count=1, asked=(), mapped_by="none")
        for turns in self._turns():
            if "detector" in parts:
                yield from self._of_detector(turns)
            if "oracle" in parts:
                yield from self._of_oracle(game, question)
            if "verifier" in parts:
                yield from self._of_verifier(game, question)

    def _turns(self) -> Iterator[tuple[Turn, ...]]:
        """Yield the turns before each turn that there may be."""
        for count in range(self.rules.turns):
            yield _turns(self.question, count)

    def _of_player(self, game: Game) -> Iterator[Planned]:
        """Yield an answer to each batch but the last, then one guess, then what may be asked."""
        uploads = tuple(
            Upload(batch=number, text=_SEEN, kind="acknowledged")
            for number in range(1, len(game.batches))
        )
        for count in range(len(uploads)):
            yield self._spoken(game, uploads[:count], (), "single")
        for count in range(self.rules.turns + 1):
            turns = _turns(self.question, count)
            yield self._spoken(game, uploads, turns, "possible" if count else "single")

    def _spoken(
        self, game: Game, uploads: tuple[Upload, ...], turns: tuple[Turn, ...], kind: Kind
    ) -> Planned:
        messages = conversation(game, self.terms, uploads, turns)
        return self._planned(Request(messages=messages, max_tokens=MAX_TOKENS), kind)

    def _of_detector(self, turns: tuple[Turn, ...]) -> Iterator[Planned]:
        request = verdict_request(
            self.question,
            turns,
            noun=self.rules.noun,
            forbidden=forbidden(self.terms, self.rules.noun),
            is_contradicted=False,
        )
        if isinstance(self.cast.detector, Voter):
            request = with_form(request, self.cast.detector.structured, Verdict)
        yield self._planned(request, "possibly_structured")

    def _of_oracle(self, game: Game, question: Question) -> Iterator[Planned]:
        target = game.gallery.target
        for zooms in range(ZOOMS + 1):
            parts = [game.shown(target).part] * zooms
            request = asked_of(game, question, target, *parts).with_cap(_ZOOMED)
            yield self._planned(request, "possible")

    def _of_verifier(self, game: Game, question: Question) -> Iterator[Planned]:
        for number in range(1, len(game.gallery) + 1):
            request = asked_of(game, question, number)
            yield self._planned(request, "possible")
            yield self._planned(request.with_cap(RAISE * request.max_tokens), "possible")

    def _planned(self, request: Request, kind: Kind) -> Planned:
        sizes = tuple(self.sizes[picture.sha256] for picture in request.pictures())
        return Planned(request=request, sizes=sizes, kind=kind)


def longest_question(terms: tuple[Term, ...], noun: str) -> str:
    """Return the longest of the questions for the values of a vocabulary, '' where it has none."""
    texts = question_texts(terms, noun).values()
    return max(texts, key=lambda text: (len(text), text), default="")


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
