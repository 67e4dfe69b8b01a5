"""The verifier that is a model, asked over HTTP of each picture."""

import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest

from benchwright.asking.questions import Asks
from benchwright.asking.rounds import Unasked
from benchwright.asking.voters import Voter
from benchwright.feasible import Board
from benchwright.records import Asked
from evaluation.hidden_target.game import Game, Rules
from evaluation.hidden_target.oracle.labels import LabelOracle
from evaluation.hidden_target.oracle.model import ModelOracle
from evaluation.hidden_target.parts import Checked, Oracle, PartFailed, Verifier
from evaluation.hidden_target.verifier.labels import LabelVerifier
from evaluation.hidden_target.verifier.model import ModelVerifier
from evaluation.releases.galleries import Term, read_galleries, read_terms
from evaluation.releases.pictures import write_pictures
from evaluation.releases.release import open_release
from stand_ins.models import Fault, Question, Script, ScriptedServer, Turn
from stand_ins.small_games import drawn, game_of, question, with_client, with_stored

ASKED = question(text="Does your favourite dress have a bow?")
ROWS = [[1], [-1], [0], [1]]


@dataclass
class Knows:
    """A model that says the same of a picture each time, by the sha256 of its bytes."""

    said: Mapping[str, Turn]
    asked: list[str] = field(default_factory=list)

    def __call__(self, asked: Question) -> Turn:
        if not asked.pictures:
            return Turn(text="Yes.")
        (seen,) = asked.pictures
        self.asked.append(asked.text)
        return self.said[hashlib.sha256(seen.data).hexdigest()]


@dataclass
class Bench:
    root: Path
    game: Game
    server: ScriptedServer
    knows: Knows

    @property
    def voter(self) -> Voter:
        return Voter(name="v", model="scripted", base_url=self.server.base_url)

    def check(self, game: Game | None = None) -> Checked:
        return with_client(
            self.root, self.voter, lambda asks: ModelVerifier(asks).check(game or self.game, ASKED)
        )

    def stored(self) -> Checked:
        return with_stored(
            self.root, self.voter, lambda asks: ModelVerifier(asks).check(self.game, ASKED)
        )


@pytest.fixture
def bench(
    tmp_path: Path, make_board: Callable[..., Board], monkeypatch: pytest.MonkeyPatch
) -> Iterator[Callable[..., Bench]]:
    """Start a server whose model says this of each of four pictures."""
    monkeypatch.setattr("benchwright.asking.failures._FIRST_WAIT", 0.001)
    game = game_of(make_board(["bow big"], ROWS, 1), drawn(tmp_path, 4))
    servers = []

    def start(*said: Turn | str, faults: Sequence[Fault] = ()) -> Bench:
        turns = (Turn(text=each) if isinstance(each, str) else each for each in said)
        shown = (each.part.sha256 for each in game.pictures.values())
        knows = Knows(dict(zip(shown, turns, strict=True)))
        server = ScriptedServer(Script(faults=tuple(faults)), brain=knows)
        servers.append(server)
        server.start()
        return Bench(tmp_path / "workspace", game, server, knows)

    yield start
    for server in servers:
        server.__exit__(None)


def test_a_letter_for_each_picture(bench: Callable[..., Bench]) -> None:
    here = bench("Yes", "**No**", "I cannot tell.", "是的")
    checked = here.check()
    assert (checked.fits, checked.unread, len(checked.replies)) == ("ynuy", 0, 4)
    assert len(set(here.knows.asked)) == 1  # the same words for all
    assert "Does your favourite dress have a bow?" in here.knows.asked[0]


def test_what_cannot_be_read_is_unknown_and_counted(bench: Callable[..., Bench]) -> None:
    here = bench("Yes", Turn(text=None, refusal="No."), Turn(text=None, finish_reason="length"), "")
    checked = here.check()
    assert (checked.fits, checked.unread) == ("yuuu", 3)
    assert len(checked.replies) == 5  # what was cut was asked once more with room


def test_a_picture_of_several_galleries_is_asked_about_once(bench: Callable[..., Bench]) -> None:
    here = bench("Yes", "No", "Unsure", "Yes")
    gallery = here.game.gallery
    turned = replace(gallery, image_ids=gallery.image_ids[::-1], target=1, episode_id="other")
    assert here.check().fits == "ynuy"
    assert here.check(replace(here.game, gallery=turned)).fits == "yuny"
    assert here.server.counts.chats == 4


def test_the_order_of_replies_is_that_of_the_pictures(bench: Callable[..., Bench]) -> None:
    slow = [Fault(kind="slow", ordinals=(0,), seconds=0.2)]
    here = bench("Yes", "No", "Unsure", "Yes", faults=slow)
    replies = here.check().replies
    assert [each.text for each in replies] == ["Yes", "No", "Unsure", "Yes"]
    assert [each.key for each in here.stored().replies] == [each.key for each in replies]


def test_all_that_is_missing_is_wanted_at_once(bench: Callable[..., Bench]) -> None:
    here = bench("Yes", "No", "Unsure", "Yes")
    with pytest.raises(Unasked) as unasked:
        here.stored()
    assert [voter for voter, _ in unasked.value.wanted] == ["v"] * 4
    with_client(here.root, here.voter, lambda asks: asks.ask(unasked.value.wanted[1][1]))
    with pytest.raises(Unasked) as unasked:
        here.stored()
    assert len(unasked.value.wanted) == 3
    here.check()
    assert here.stored().fits == "ynuy"
    assert here.server.counts.chats == 4


def test_a_server_without_an_answer_fails_the_part(bench: Callable[..., Bench]) -> None:
    lost = Turn(text=None, finish_reason="error")
    here = bench("Yes", "No", lost, "Yes")
    with pytest.raises(PartFailed) as failed:
        here.check()
    assert (failed.value.part, failed.value.reply.status) == ("verifier", "failed")


def test_a_voter_that_is_oracle_too_eliminates_no_target(bench: Callable[..., Bench]) -> None:
    here = bench("Yes", "No", "Unsure", "Yes")
    fits = here.check().fits

    async def answer(asks: Asks) -> tuple[str, str, str]:
        oracle = ModelOracle(asks, zooms=0)
        told = await oracle.answer(here.game, ASKED)
        return told.answer, oracle.name, ModelVerifier(asks).name

    told, *names = with_client(here.root, here.voter, answer)
    assert names == ["v", "v"]
    assert {"yes": "y", "no": "n", "unsure": "u"}[told] == fits[here.game.gallery.target - 1]
    assert here.server.counts.chats == 4  # the target's answer was there


def asked_for(term: Term) -> Asked:
    return Asked(type=term.value.type, value=term.value.value, is_negated=False)


@dataclass
class LabelEyes:
    """A model that knows the labels of a release by the bytes of its pictures."""

    known: Mapping[str, Mapping[str, int]]

    def __call__(self, asked: Question) -> Turn:
        if not asked.pictures:
            return Turn(text="Yes.")
        said = self.known[hashlib.sha256(asked.pictures[0].data).hexdigest()]
        (value,) = (name for name in said if f"<{name}>" in asked.text)
        return Turn(text={1: "Yes, it is.", -1: "No, it is not.", 0: "Unsure."}[said[value]])


def test_a_model_that_knows_the_labels_says_what_they_say(
    dresses_folder: Path, tmp_path: Path
) -> None:
    release = open_release(str(dresses_folder))
    terms = read_terms(release)
    galleries = read_galleries(release, "hidden-target-tau-0.6", terms)[:2]
    pictures = write_pictures(
        release, {each for one in galleries for each in one.image_ids}, tmp_path / "pictures"
    )
    names = [f"{term.value.type}: {term.value.value}" for term in terms]
    known = {
        pictures[image_id].part.sha256: dict(zip(names, row, strict=True))
        for gallery in galleries
        for image_id, row in zip(gallery.image_ids, gallery.answers.tolist(), strict=True)
    }
    games = [Game(gallery=each, rules=Rules(noun="dress"), pictures=pictures) for each in galleries]
    asked = [
        replace(question(text=f"Is it <{name}>?"), asked=(one,))
        for name, one in list(zip(names, map(asked_for, terms), strict=True))[:: len(terms) // 5]
    ]

    async def play(oracle: Oracle, verifier: Verifier) -> list[tuple[str, str]]:
        return [
            (
                (await oracle.answer(game, each)).answer,
                (await verifier.check(game, each)).fits,
            )
            for game in games
            for each in asked
        ]

    with ScriptedServer(brain=LabelEyes(known)) as server:
        voter = Voter(name="v", model="scripted", base_url=server.base_url)
        said = with_client(
            tmp_path / "workspace", voter, lambda asks: play(ModelOracle(asks), ModelVerifier(asks))
        )
    by_labels = with_client(
        tmp_path / "workspace", voter, lambda _: play(LabelOracle(), LabelVerifier())
    )
    assert said == by_labels
    assert len({answer for answer, _ in said}) > 1
