"""Plays one episode: lets the parts speak in turn, keeps the rules, writes down what happens."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from benchwright.asking.replies import Reply
from benchwright.records import Build, Ended, Trajectory, Turn, Upload
from evaluation.hidden_target.feasible import feasible_after, is_answered
from evaluation.hidden_target.game import Game
from evaluation.hidden_target.mapping.mapper import Mapper
from evaluation.hidden_target.noise import NoiseSettings, noise_at, noisy_answer
from evaluation.hidden_target.parts import (
    Detector,
    Oracle,
    PartFailed,
    Player,
    Question,
    Said,
    SkipReason,
    Verifier,
)
from evaluation.hidden_target.reading.said import Asks, Guess, Nothing, read_said
from evaluation.hidden_target.reading.uploads import read_upload

_RULES = "rules"


@dataclass(frozen=True, slots=True, kw_only=True)
class Parts:
    """Who plays, and who judges, answers and checks; ``seed`` is that of the noise."""

    player: Player
    mapper: Mapper
    detector: Detector
    oracle: Oracle
    verifier: Verifier
    noise: NoiseSettings = field(default_factory=NoiseSettings)
    seed: int = 0


async def play(game: Game, parts: Parts, *, run: str, config: str) -> Trajectory:
    """Return an episode as it was played (AMIGO, section 3.1).

    It hangs on what the parts say and on nothing else, so that it can be played again from stored
    answers. A part whose model gave no answer ends it as ``failed``, with what was played so far.
    What ``Asks.ask`` raises passes through.
    """
    table = _Table(game=game, parts=parts)
    try:
        await table.upload()
        guess = await table.ask()
    except PartFailed:
        return table.trajectory(run, config, None, is_failed=True)
    return table.trajectory(run, config, guess)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Guessed:
    """The guess that ended an episode: a number, all that was said with it, how it was read."""

    number: int
    text: str
    route: str


@dataclass(slots=True, kw_only=True)
class _Table:
    """An episode while it is played; ``heard`` counts the replies of each part's model."""

    game: Game
    parts: Parts
    uploads: list[Upload] = field(default_factory=list)
    turns: list[Turn] = field(default_factory=list)
    heard: Counter[tuple[str, str, str | None, str | None]] = field(default_factory=Counter)

    async def upload(self) -> None:
        """Show all batches of pictures but the last, which comes with the signal."""
        for number in range(1, len(self.game.batches)):
            said = await self.parts.player.receive(self.game, tuple(self.uploads))
            self._hear("player", self.parts.player.name, said.replies)
            kind = read_upload(said.text, said.status)
            self.uploads.append(Upload(batch=number, text=said.text, kind=kind))

    async def ask(self) -> _Guessed | None:
        """Let the player ask until it guesses; null where it has no turn left and does not."""
        while True:
            said = await self.parts.player.speak(self.game, tuple(self.uploads), tuple(self.turns))
            self._hear("player", self.parts.player.name, said.replies)
            read = read_said(said.text, said.status)
            if isinstance(read, Guess) and 1 <= read.number <= len(self.game.gallery):
                return _Guessed(number=read.number, text=said.text, route=read.route)
            if len(self.turns) == self.game.rules.turns:
                return None
            self.turns.append(await self._turn(said, read))

    async def _turn(self, said: Said, read: Guess | Asks | Nothing) -> Turn:
        if isinstance(read, Guess):
            return self._skipped(said, read.route, None, "bad_guess")
        if isinstance(read, Nothing):
            return self._skipped(said, read.route, None, "no_question")
        question = self.parts.mapper.question(read.text, read.count)
        if question.count > 1:
            return self._skipped(said, read.route, question, "several_questions")
        found = await self.parts.detector.judge(
            question, tuple(self.turns), is_contradicted=not self._feasible(self.turns)
        )
        self._hear("detector", self.parts.detector.name, found.replies)
        if found.reason is not None:
            return self._skipped(said, read.route, question, found.reason, found.judged_by)
        turn = await self._answered(said, read.route, question)
        return turn if found.unread is None else replace(turn, unread=("detector", *turn.unread))

    async def _answered(self, said: Said, route: str, question: Question) -> Turn:
        answered = await self.parts.oracle.answer(self.game, question)
        self._hear("oracle", self.parts.oracle.name, answered.replies)
        checked = await self.parts.verifier.check(self.game, question)
        self._hear("verifier", self.parts.verifier.name, checked.replies)
        seed, episode = self.parts.seed, self.game.gallery.episode_id
        ordinal = sum(map(is_answered, self.turns)) + 1
        noise = noise_at(self.parts.noise, seed, episode, ordinal)
        turn = replace(
            self._turn_of(said, route, question),
            told=noisy_answer(answered.answer, noise, seed, episode, ordinal),
            truth=answered.answer,
            noise=noise,
            fits=checked.fits,
            unread=(
                *(["oracle"] if answered.unread else []),
                *(["verifier"] if checked.unread else []),
            ),
        )
        return replace(turn, feasible=self._feasible([*self.turns, turn]))

    def _skipped(
        self,
        said: Said,
        route: str,
        question: Question | None,
        reason: SkipReason,
        judged_by: str = _RULES,
    ) -> Turn:
        turn = self._turn_of(said, route, question)
        return replace(turn, reason=reason, judged_by=judged_by)

    def _turn_of(self, said: Said, route: str, question: Question | None) -> Turn:
        """Return a turn that tells nothing, to be filled in."""
        return Turn(
            turn=len(self.turns) + 1,
            status=said.status,
            text=said.text,
            question=None if question is None else question.text,
            read_by=route,
            asked=() if question is None else question.asked,
            mapped_by="none" if question is None else question.mapped_by,
            told="skip",
            reason=None,
            judged_by=None,
            truth=None,
            noise=None,
            fits="",
            feasible=self._feasible(self.turns),
        )

    def _feasible(self, turns: Sequence[Turn]) -> tuple[int, ...]:
        return feasible_after(len(self.game.gallery), turns)

    def _hear(self, part: str, voter: str, replies: Sequence[Reply]) -> None:
        self.heard.update((part, voter, reply.model, reply.build) for reply in replies)

    def trajectory(
        self, run: str, config: str, guess: _Guessed | None, *, is_failed: bool = False
    ) -> Trajectory:
        """Return what was played."""
        end: Ended = "failed" if is_failed else "out_of_turns" if guess is None else "guess"
        return Trajectory(
            run=run,
            player=self.parts.player.name,
            config=config,
            episode_id=self.game.gallery.episode_id,
            uploads=tuple(self.uploads),
            turns=tuple(self.turns),
            guess=None if guess is None else guess.number,
            guess_text=None if guess is None else guess.text,
            guessed_by=None if guess is None else guess.route,
            end=end,
            builds=self._builds(),
        )

    def _builds(self) -> tuple[Build, ...]:
        def order(key: tuple[str, str, str | None, str | None]) -> tuple[str, ...]:
            return tuple(part or "" for part in key)

        return tuple(
            Build(part=part, voter=voter, model=model, build=build, answers=self.heard[key])
            for key in sorted(self.heard, key=order)
            for part, voter, model, build in [key]
        )
