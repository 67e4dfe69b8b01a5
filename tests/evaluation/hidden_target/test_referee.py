"""The referee, with parts that say what a test wants."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchwright.asking.replies import Reply
from benchwright.asking.requests import Request
from benchwright.asking.rounds import Unasked
from benchwright.records import Asked, Build, Trajectory, Turn, Upload
from benchwright.rows import from_table, to_table
from evaluation.hidden_target.detector.rules import RuleDetector
from evaluation.hidden_target.game import Game, Rules
from evaluation.hidden_target.mapping.mapper import Mapper
from evaluation.hidden_target.noise import NoiseSettings
from evaluation.hidden_target.oracle.labels import LabelOracle
from evaluation.hidden_target.parts import (
    Answered,
    Checked,
    Judged,
    PartFailed,
    Question,
    Said,
)
from evaluation.hidden_target.referee import Parts, play
from evaluation.hidden_target.verifier.labels import LabelVerifier

LONG = "Does the thing have a long hem?"
BOAT = "Does the thing have a boat neck?"
BOW = "Does the thing have a bow trim?"
_ASKED = {
    LONG: Asked(type="hem", value="long", is_negated=False),
    BOAT: Asked(type="neck", value="boat", is_negated=False),
    BOW: Asked(type="trim", value="bow", is_negated=False),
}


class Words:
    """Maps the three questions above and nothing else."""

    def question(self, text: str, count: int) -> Question:
        asked = (_ASKED[text],) if text in _ASKED else ()
        return Question(
            text=text, count=count, asked=asked, mapped_by="template" if asked else "none"
        )


@dataclass
class Script:
    """Says one thing after the other."""

    says: Sequence[str | Said | Exception]
    uploads: Sequence[str] = ()
    name: str = "script"
    seen: list[tuple[int, int]] = field(default_factory=list)

    async def receive(self, game: Game, uploads: Sequence[Upload]) -> Said:
        return Said(text=self.uploads[len(uploads)] if self.uploads else "OK")

    async def speak(self, game: Game, uploads: Sequence[Upload], turns: Sequence[Turn]) -> Said:
        await asyncio.sleep(0)  # others may come in between
        said = self.says[len(turns)]
        if isinstance(said, Exception):
            raise said
        return said if isinstance(said, Said) else Said(text=said)


@dataclass
class Judge:
    """Finds what a test says of a question; notes whether earlier ones may be asked again."""

    found: dict[str, Judged] = field(default_factory=dict)
    contradicted: list[bool] = field(default_factory=list)
    name: str = "judge"

    async def judge(
        self, question: Question, turns: Sequence[Turn], *, is_contradicted: bool
    ) -> Judged:
        self.contradicted.append(is_contradicted)
        return self.found.get(question.text, Judged(reason=None, judged_by=self.name))


def played(game: Game, *says: str | Said | Exception, **parts: object) -> Trajectory:
    return asyncio.run(play(game, made(Script(says), **parts), run="run", config="config"))


def made(player: Script, **parts: object) -> Parts:
    defaults = {
        "mapper": Words(),
        "detector": Judge(),
        "oracle": LabelOracle(),
        "verifier": LabelVerifier(),
    }
    return Parts(player=player, **(defaults | parts))  # type: ignore[arg-type]


def test_a_game_is_written_down(plain_game: Game) -> None:
    found = played(plain_game, LONG, f"Let me see. {BOAT}", "My guess: #3")
    assert (found.run, found.player, found.config) == ("run", "script", "config")
    assert (found.episode_id, found.uploads, found.builds) == ("episode", (), ())
    assert [(turn.turn, turn.question, turn.told, turn.truth) for turn in found.turns] == [
        (1, LONG, "no", "no"),
        (2, BOAT, "yes", "yes"),
    ]
    assert found.turns[1].text == f"Let me see. {BOAT}"
    assert [turn.asked for turn in found.turns] == [(_ASKED[LONG],), (_ASKED[BOAT],)]
    assert [turn.fits for turn in found.turns] == ["yynn", "ynyn"]
    assert [turn.feasible for turn in found.turns] == [(3, 4), (3,)]
    assert all(turn.reason is turn.judged_by is turn.noise is None for turn in found.turns)
    assert (found.guess, found.guess_text, found.end) == (3, "My guess: #3", "guess")
    assert found.guessed_by == "announced"


@pytest.mark.parametrize(
    ("said", "reason", "question"),
    [
        # nothing at all, nothing that asks
        ("", "no_question", None),
        ("It is a lovely thing.", "no_question", None),
        # numbers of no picture
        ("My guess: #5", "bad_guess", None),
        ("My guess: #0", "bad_guess", None),
        ("My guess: #999999999", "bad_guess", None),
        # two at once
        (f"{LONG} {BOAT}", "several_questions", f"{LONG} {BOAT}"),
    ],
)
def test_what_is_skipped_without_a_judge(
    plain_game: Game, said: str, reason: str, question: str | None
) -> None:
    found = played(plain_game, LONG, said, "My guess: #1")
    first, skipped = found.turns
    assert (skipped.told, skipped.reason, skipped.judged_by) == ("skip", reason, "rules")
    assert (skipped.text, skipped.question) == (said, question)
    assert (skipped.truth, skipped.fits) == (None, "")
    assert skipped.feasible == first.feasible == (3, 4)  # a skip changes nothing
    assert found.guess == 1


def test_a_judge_has_questions_skipped(plain_game: Game) -> None:
    judge = Judge({LONG: Judged(reason="forbidden", judged_by="qwen")})
    found = played(plain_game, LONG, "My guess: #1", detector=judge)
    (turn,) = found.turns
    assert (turn.told, turn.reason, turn.judged_by) == ("skip", "forbidden", "qwen")
    assert turn.asked == (_ASKED[LONG],)
    assert turn.feasible == (1, 2, 3, 4)


def test_what_was_refused_or_cut_counts_by_its_text(plain_game: Game) -> None:
    found = played(
        plain_game,
        Said(text="", status="refused"),
        Said(text=LONG, status="truncated"),
        "My guess: #3",
    )
    assert [(turn.status, turn.told) for turn in found.turns] == [
        ("refused", "skip"),
        ("truncated", "no"),
    ]


@pytest.mark.parametrize(
    ("last", "guess", "end"),
    [
        ("My guess: #3", 3, "guess"),  # once more after the last turn, for a guess
        (BOW, None, "out_of_turns"),  # a question is too late
        ("My guess: #9", None, "out_of_turns"),  # so is a bad guess
        ("", None, "out_of_turns"),
    ],
)
def test_the_end_of_the_turns(plain_game: Game, last: str, guess: int | None, end: str) -> None:
    game = replace(plain_game, rules=Rules(noun="thing", turns=2))
    found = played(game, LONG, "?", last)
    assert len(found.turns) == 2
    assert (found.guess, found.end) == (guess, end)
    assert (found.guess_text is None) == (found.guessed_by is None) == (guess is None)


def test_what_is_said_to_pictures(plain_game: Game) -> None:
    game = replace(plain_game, rules=Rules(noun="thing", batch_size=1))
    said = ["Noted.", BOAT, "End of uploading"]
    player = Script(["My guess: #3"], uploads=said)
    found = asyncio.run(play(game, made(player), run="run", config="config"))
    assert found.uploads == (
        Upload(batch=1, text="Noted.", kind="acknowledged"),
        Upload(batch=2, text=BOAT, kind="question"),
        Upload(batch=3, text="End of uploading", kind="echo"),
    )
    # all at once: there is no batch before the signal
    game = replace(plain_game, rules=Rules(noun="thing", batch_size=0))
    assert played(game, "My guess: #3").uploads == ()


FAILED = PartFailed("some part", Reply(key="k", status="failed", error="gone"))


class Fails:
    """A part whose model gives no answer."""

    name = "fails"

    def __init__(self, raised: Exception) -> None:
        self.raised = raised

    async def judge(self, *_: object, **__: object) -> Judged:
        raise self.raised

    async def answer(self, *_: object) -> Answered:
        raise self.raised

    async def check(self, *_: object) -> Checked:
        raise self.raised


@pytest.mark.parametrize("part", ["detector", "oracle", "verifier"])
def test_a_part_without_an_answer_ends_the_episode(plain_game: Game, part: str) -> None:
    found = played(plain_game, "", LONG, "My guess: #3", **{part: Fails(FAILED)})
    assert found.end == "failed"
    assert len(found.turns) == 1  # what was played before it is kept
    assert (found.guess, found.guess_text, found.guessed_by) == (None, None, None)


def test_a_player_without_an_answer_ends_the_episode(plain_game: Game) -> None:
    found = played(plain_game, LONG, FAILED)
    assert (found.end, len(found.turns)) == ("failed", 1)


@pytest.mark.parametrize("part", ["detector", "oracle", "verifier"])
def test_what_is_not_asked_yet_passes_through(plain_game: Game, part: str) -> None:
    unasked = Unasked(("voter", Request.of("?", max_tokens=1)))
    with pytest.raises(Unasked) as raised:
        played(plain_game, LONG, **{part: Fails(unasked)})
    assert raised.value is unasked


def test_noise_counts_answers_and_not_skips(plain_game: Game) -> None:
    first_flipped = NoiseSettings(flips=1, within=1)
    found = played(plain_game, "", LONG, BOAT, "My guess: #1", noise=first_flipped)
    skip, flipped, plain = found.turns
    assert (skip.noise, skip.told) == (None, "skip")
    assert (flipped.noise, flipped.truth, flipped.told) == ("flip", "no", "yes")
    assert flipped.feasible == (1, 2)  # what is told counts
    assert (plain.noise, plain.truth, plain.told, plain.feasible) == (None, "yes", "yes", (1,))


def test_the_judge_hears_of_a_contradiction(plain_game: Game) -> None:
    judge, first_flipped = Judge(), NoiseSettings(flips=1, within=1)
    found = played(
        plain_game, BOAT, BOW, LONG, BOAT, "My guess: #3", detector=judge, noise=first_flipped
    )
    # boat: no instead of yes leaves 2 and 4; bow: yes leaves 2; long: no leaves nothing; boat
    # again, now yes, takes the no back
    assert [turn.feasible for turn in found.turns] == [(2, 4), (2,), (), (3,)]
    assert judge.contradicted == [False, False, False, True]


def reply(model: str, build: str | None) -> Reply:
    return Reply(key="k", status="ok", model=model, build=build)


def test_builds_are_gathered(plain_game: Game) -> None:
    judge = Judge(
        {
            LONG: Judged(reason=None, judged_by="judge", replies=(reply("judge-1", "b"),)),
            BOAT: Judged(reason="forbidden", judged_by="judge", replies=(reply("judge-1", "b"),)),
        }
    )
    found = played(
        plain_game,
        Said(text=LONG, replies=(reply("m", None), reply("m", "2"))),
        Said(text=BOAT, replies=(reply("m", "2"),)),
        Said(text="My guess: #1", replies=(reply("m", "1"),)),
        detector=judge,
    )
    assert found.builds == (
        Build(part="detector", voter="judge", model="judge-1", build="b", answers=2),
        Build(part="player", voter="script", model="m", build=None, answers=1),
        Build(part="player", voter="script", model="m", build="1", answers=1),
        Build(part="player", voter="script", model="m", build="2", answers=2),
    )


def test_what_could_not_be_read_is_noted(plain_game: Game) -> None:
    judge = Judge({LONG: Judged(reason=None, judged_by="judge", unread="no JSON")})

    class Mute:
        name = "mute"

        async def answer(self, *_: object) -> Answered:
            return Answered(answer="unsure", unread="refused")

        async def check(self, *_: object) -> Checked:
            return Checked(fits="uuuu", unread=4)

    found = played(
        plain_game, LONG, BOAT, "My guess: #3", detector=judge, oracle=Mute(), verifier=Mute()
    )
    assert [turn.unread for turn in found.turns] == [
        ("detector", "oracle", "verifier"),
        ("oracle", "verifier"),
    ]


def test_games_at_once_do_not_touch_each_other(plain_game: Game) -> None:
    scripts = [[LONG, BOAT, "My guess: #3"], ["", BOAT, BOW, "My guess: #2"], ["My guess: #1"]]
    alone = [played(plain_game, *says) for says in scripts]

    async def at_once() -> list[Trajectory]:
        games = (
            play(plain_game, made(Script(says)), run="run", config="config") for says in scripts
        )
        return list(await asyncio.gather(*games))

    assert asyncio.run(at_once()) == alone


_PIECES = [
    LONG,
    BOAT,
    "My guess: #",
    "1",
    "9",
    "?",
    " ",
    "\n",
    "<think>",
    "</think>",
    "**",
    "{",
    '"',
]


@given(
    says=st.lists(st.lists(st.sampled_from(_PIECES) | st.text(max_size=9)), min_size=4, max_size=4),
    status=st.sampled_from(["ok", "refused", "truncated"]),
)
def test_whatever_is_said_makes_a_whole_trajectory(
    make_game: Any, make_terms: Any, make_board: Any, says: list[list[str]], status: str
) -> None:
    board = make_board(["hem long", "neck boat", "trim bow"], [[1, 1, 0], [1, -1, 1], [-1, 0, 1]])
    game, terms = make_game(board, Rules(noun="thing", turns=3)), make_terms(board.values)
    found = played(
        game,
        *(Said(text="".join(pieces), status=status) for pieces in says),
        mapper=Mapper(terms, "thing"),
        detector=RuleDetector(terms, "thing"),
    )
    assert next(from_table(to_table([found], Trajectory), Trajectory)) == found
    assert [turn.turn for turn in found.turns] == list(range(1, len(found.turns) + 1))
    assert (found.end == "guess") == (found.guess in (1, 2, 3))
    assert found.end == "guess" or len(found.turns) == 3
    for turn in found.turns:
        assert (turn.told == "skip") == (turn.reason is not None) == (turn.truth is None)
        assert len(turn.fits) == (0 if turn.told == "skip" else 3)
