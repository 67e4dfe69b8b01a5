"""A protocol that is none of ours: quizzes of some questions each, to try the frame with."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from benchwright import store
from benchwright.asking.batch import BatchSettings
from benchwright.asking.estimates import Estimate, Planned
from benchwright.asking.pieces import How
from benchwright.asking.requests import PicturePart, Request
from benchwright.asking.session import Spending
from benchwright.asking.views import part_of
from benchwright.asking.voters import Voter
from benchwright.progress import Progress, no_progress
from benchwright.records import Build, Response
from benchwright.workspace import Workspace
from evaluation.running.about import About, PlayedRelease
from evaluation.running.protocol import Matches, Voices
from evaluation.running.run import Ran, Run, estimate_run, play_run
from stand_ins.models import Model, Question, Script, ScriptedServer, Turn

PLAYER, JUDGE = "player", "judge"
LOST = ("failed", "rejected")
UNSEEN = How(probe=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Quiz:
    """So many questions for the player, and one for the judge."""

    name: str
    questions: int
    picture: PicturePart | None = None


def request_of(quiz: Quiz, at: int) -> Request:
    shown = () if quiz.picture is None else (quiz.picture,)
    return Request.of(*shown, f"{quiz.name}: question {at}", max_tokens=8)


def judging(quiz: Quiz, said: str) -> Request:
    return Request.of(f"Judge {quiz.name}: {said}", max_tokens=8)


async def play(quiz: Quiz, voices: Voices) -> Response:
    replies = [await voices[PLAYER].ask(request_of(quiz, at)) for at in range(quiz.questions)]
    said = " ".join(reply.text for reply in replies)
    verdict = await voices[JUDGE].ask(judging(quiz, said))
    is_failed = any(reply.status in LOST for reply in [*replies, verdict])
    return Response(
        response_id="failed" if is_failed else quiz.name,
        run="run",
        model=replies[0].build or "",
        image_id=verdict.text,
        dialogue_id=quiz.name,
        turn=quiz.questions,
        premise_class="attribute",
        has_false_premise=False,
        question="?",
        true_description="",
        false_description="",
        response=said,
        detectors=(),
    )


def foresee(quiz: Quiz, voter: str) -> Iterator[Planned]:
    if voter == JUDGE:
        yield Planned(request=judging(quiz, "x"), kind="single")
        return
    sizes = ((64, 64),) if quiz.picture else ()
    for at in range(quiz.questions):
        yield Planned(
            request=request_of(quiz, at), sizes=sizes, kind="single" if at == 0 else "possible"
        )


def builds(record: Response) -> list[Build]:
    return [
        Build(part="player", voter=PLAYER, model=None, build=record.model, answers=record.turn),
        Build(part="judge", voter=JUDGE, model=None, build=None, answers=1),
    ]


def answering(question: Question) -> Turn:
    return Turn(text=f"to {question.text[-12:]}")


@dataclass(kw_only=True)
class Hall:
    """A server, two voters, and a workspace to run in."""

    server: ScriptedServer
    workspace: Workspace
    voters: tuple[Voter, ...]
    settings: Mapping[str, Any] = field(default_factory=dict)
    seers: frozenset[str] = frozenset()
    picture: PicturePart | None = None

    @property
    def folder(self) -> Path:
        return self.workspace.runs / "run"

    @property
    def calls(self) -> int:
        return self.server.counts.chats

    def one(self, count: int) -> Run[Quiz, Response]:
        items = tuple(
            Quiz(name=f"q{number:03d}", questions=1 + number % 3, picture=self.picture)
            for number in range(count)
        )
        about = About(
            run="run",
            release=PlayedRelease(name="things/1.0.0", commit=None, place=None),
            config="quiz",
            player=PLAYER,
            parts={"judge": JUDGE},
            prompts="0",
        )
        plan = store.Plan(
            stage="quiz", inputs={"release": "1"}, settings=dict(self.settings), seed=0
        )
        matches = Matches(
            items=items,
            play=play,
            rows=lambda record: (record,),
            kind=Response,
            table="quizzes",
            is_failed=lambda record: record.response_id == "failed",
            builds=builds,
            seers=self.seers,
            foresee=foresee,
        )
        return Run(about=about, plan=plan, voters=self.voters, matches=matches)

    def run(
        self,
        count: int,
        how: How = UNSEEN,
        *,
        force: bool = False,
        progress: Progress = no_progress,
        **spending: Any,
    ) -> Ran:
        return play_run(
            self.workspace,
            self.one(count),
            Spending(**spending),
            how,
            force=force,
            progress=progress,
        )

    def estimate(self, count: int, how: How = UNSEEN) -> dict[str, Estimate]:
        found = estimate_run(self.workspace, self.one(count), Spending(), how)
        return {one.voter: one for one in found}

    def rows(self) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = store.read_table(self.folder, "quizzes-*").to_pylist()
        return found

    def elsewhere(self, name: str) -> "Hall":
        """The same server, and a workspace of its own."""
        return replace(self, workspace=Workspace(self.workspace.root.with_name(name)))


@pytest.fixture
def hall(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., Hall]]:
    """Open a server; ``faults`` and ``brain`` are its own, the rest is of its models."""
    polling = BatchSettings(poll_seconds=0.01)
    monkeypatch.setattr("benchwright.asking.rounds.BATCH_SETTINGS", polling)
    monkeypatch.setattr("benchwright.asking.limiter._FIRST_PAUSE", 0.01)
    monkeypatch.setattr("benchwright.asking.failures._FIRST_WAIT", 0.001)
    with ExitStack() as stack:

        def opened(
            *,
            faults: Sequence[Any] = (),
            brain: Any = answering,
            patience: float = 60.0,
            **model: Any,
        ) -> Hall:
            script = Script(
                models=[Model(name=name, **model) for name in (PLAYER, JUDGE)], faults=faults
            )
            server = ScriptedServer(script, brain=brain)
            server.start()
            stack.callback(server.stop)
            voters = tuple(
                Voter(name=name, model=name, base_url=server.base_url, patience=patience)
                for name in (PLAYER, JUDGE)
            )
            return Hall(server=server, workspace=Workspace(tmp_path / "workspace"), voters=voters)

        yield opened


@pytest.fixture
def drawing(tmp_path: Path) -> PicturePart:
    """A picture to ask about."""
    path = tmp_path / "drawing.png"
    Image.new("RGB", (64, 64), "teal").save(path)
    return part_of(path)
