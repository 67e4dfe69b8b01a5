"""Games made by hand, for tests of those who play them: a gallery, questions, turns."""

import hashlib
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path
from typing import Any, TypeVar

from PIL import Image

from benchwright.asking.questions import Asks
from benchwright.asking.rounds import stored_answers
from benchwright.asking.running import run
from benchwright.asking.session import Spending, session
from benchwright.asking.views import part_of
from benchwright.asking.voters import Voter
from benchwright.feasible import Board
from benchwright.records import Asked, Told, Turn
from benchwright.workspace import Workspace
from evaluation.hidden_target.game import Game, Rules
from evaluation.hidden_target.parts import Question
from evaluation.releases.galleries import Gallery
from evaluation.releases.pictures import Shown

R = TypeVar("R")


def game_of(board: Board, pictures: Mapping[str, Shown] | None = None) -> Game:
    """Return the game of a board whose values are all that the release has.

    ``pictures`` are those of the gallery in its order; none where nobody looks at them.
    """
    shown = pictures or {}
    gallery = Gallery(
        episode_id="e",
        tau=0.6,
        image_ids=tuple(shown) or tuple(f"{at:016x}" for at in range(len(board.answers))),
        target=board.target + 1,
        values=board.values,
        answers=board.answers,
        board=board,
        par=None,
        par_protocol=None,
    )
    return Game(gallery=gallery, rules=Rules(noun="dress"), pictures=shown)


def drawn(folder: Path, number: int, size: tuple[int, int] = (200, 100)) -> dict[str, Shown]:
    """Return pictures that differ in every pixel, by image id."""
    found = {}
    for at in range(number):
        path = folder / f"{at}.png"
        data = hashlib.shake_256(str(at).encode()).digest(3 * size[0] * size[1])
        Image.frombytes("RGB", size, data).save(path)
        found[f"{at:016x}"] = Shown(part=part_of(path), size=size, category=None)
    return found


def question(*asked: str, text: str = "Is it so?") -> Question:
    """Return a question about values, ``TYPE VALUE`` each; a minus before it asks against."""
    return Question(
        text=text, count=1, asked=asked_of(*asked), mapped_by="words" if asked else "none"
    )


def asked_of(*asked: str) -> tuple[Asked, ...]:
    """Return what a question asks for, written as for ``question``."""
    return tuple(
        Asked(
            type=each.lstrip("-").split(" ")[0],
            value=each.split(" ")[1],
            is_negated=each.startswith("-"),
        )
        for each in asked
    )


def turn(told: Told, fits: str = "", *asked: str, text: str = "Is it so?", **more: Any) -> Turn:
    """Return a turn in which so much was told; ``more`` are fields of it."""
    fields: dict[str, Any] = {
        "turn": 1,
        "status": "ok",
        "text": text,
        "question": text,
        "read_by": "plain",
        "asked": asked_of(*asked),
        "mapped_by": "words" if asked else "none",
        "told": told,
        "reason": "forbidden" if told == "skip" else None,
        "judged_by": "rules" if told == "skip" else None,
        "truth": None if told == "skip" else told,
        "noise": None,
        "fits": fits,
        "feasible": (),
    }
    return Turn(**{**fields, **more})


def with_client(root: Path, voter: Voter, work: Callable[[Asks], Awaitable[R]]) -> R:
    """Return what work gives that asks a voter, its answers kept in a workspace."""
    return _with(root, voter, work, is_asking=True)


def with_stored(root: Path, voter: Voter, work: Callable[[Asks], Awaitable[R]]) -> R:
    """Return what work gives that has the stored answers alone."""
    return _with(root, voter, work, is_asking=False)


def _with(root: Path, voter: Voter, work: Callable[[Asks], Awaitable[R]], *, is_asking: bool) -> R:
    async def asked() -> R:
        async with session(Workspace(root), [voter], Spending(), is_asking=is_asking) as opened:
            asks: Asks = opened.clients[voter.name]
            return await work(asks if is_asking else stored_answers(opened)[voter.name])

    return run(asked())
