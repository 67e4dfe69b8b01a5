"""The voter: margins of what is shown, together in batches, each picture and caption once."""

import asyncio
import hashlib
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from benchwright.asking.requests import PicturePart
from benchwright.clip.store import EmbeddingStore
from benchwright.errors import LostPicture, UsageError
from benchwright.records import AttributeType, AttributeValue
from benchwright.statistics.intervals import estimate
from benchwright.workspace import Workspace
from labeling.attributes.vocabulary.vocabulary import Vocabulary
from labeling.attributes.voting.clip_thresholds import Cut
from labeling.attributes.voting.clip_voter import ClipVoting, clip_voting, thresholds_basis
from labeling.attributes.voting.ensemble import ClipVoter, Ensemble, ViewSettings
from labeling.attributes.voting.subjects import Subject
from labeling.attributes.voting.views import shown
from labeling.attributes.voting.voter import ShownQuestion, Voting
from stand_ins.embedding import ColourEmbedder

COLOURS = ("red", "blue", "green")
SETTINGS = ClipVoter(kind="clip", name="clip", model="x", batch=4)
VOCABULARY = Vocabulary(
    types=tuple(
        AttributeType(type=name, aliases=(), exclusive=True, complete=False, askable=True)
        for name in ("colour", "red")
    ),
    values=(
        *(AttributeValue(type="colour", value=c, aliases=(), templates=()) for c in COLOURS),
        AttributeValue(type="red", value="none", aliases=(), templates=()),
    ),
)


def subject(folder: Path, name: str, image: Image.Image) -> Subject:
    path = folder / f"{name}.png"
    image.save(path)
    return Subject(
        image_id=name,
        object_id=None,
        path=path,
        sha256=hashlib.sha256(path.read_bytes()).hexdigest(),
        width=image.width,
        height=image.height,
        bbox=None,
        noun="dress",
    )


def question(
    of: Subject, value: str, template: int = 1, view: str = "low", kind: str = "colour"
) -> ShownQuestion:
    settings = {"low": ViewSettings(long_side=16), "parts": ViewSettings(tiles=2, overlap=0)}
    return ShownQuestion(
        subject=of,
        type=kind,
        value=value,
        template=str(template),
        text="",
        view=view,
        pictures=shown(of, settings[view], 0.2),
    )


@pytest.fixture
def embedder() -> ColourEmbedder:
    return ColourEmbedder(batch=4)


@pytest.fixture
def store(tmp_path: Path, embedder: ColourEmbedder) -> Iterator[EmbeddingStore]:
    with EmbeddingStore(tmp_path / "e.sqlite", embedder.identity, embedder.name) as opened:
        yield opened


@pytest.fixture
def voter(embedder: ColourEmbedder, store: EmbeddingStore) -> Iterator[ClipVoting]:
    made = ClipVoting(SETTINGS, VOCABULARY, embedder, store)
    yield made
    made.close()


@pytest.fixture
def red(tmp_path: Path) -> Subject:
    return subject(tmp_path, "red", Image.new("RGB", (32, 48), (220, 20, 30)))


def answers(voter: Voting, *questions: ShownQuestion) -> list[str | None]:
    return [ballot.answer for ballot in asyncio.run(voter.vote(questions))]


def test_it_sees_colours(voter: ClipVoting, tmp_path: Path, red: Subject) -> None:
    blue = subject(tmp_path, "blue", Image.new("RGB", (32, 48), (25, 60, 210)))
    for own, right in ((red, "red"), (blue, "blue")):
        margins = asyncio.run(voter.margins([question(own, colour) for colour in COLOURS]))
        assert COLOURS[int(np.argmax(margins))] == right
    strict = SETTINGS.model_copy(update={"cut": 0.5})
    voter._cut = strict.cut
    assert answers(voter, *(question(red, colour) for colour in COLOURS)) == ["yes", "no", "no"]
    (ballot,) = asyncio.run(voter.vote((question(red, "red"),)))
    assert (ballot.status, ballot.p_yes, ballot.answer_key) == ("ok", None, None)
    assert asyncio.run(voter.vote(())) == ()


def test_the_template_chooses_the_pair(
    voter: ClipVoting, embedder: ColourEmbedder, red: Subject
) -> None:
    answers(voter, question(red, "red", template=1))
    answers(voter, question(red, "red", template=2))
    assert embedder.worded == [
        "a photo of a red dress",
        "a photo of a dress in another colour",
        "a dress in red",
        "a dress in a different colour",
    ]
    with pytest.raises(UsageError, match="there are 15"):
        answers(voter, question(red, "red", template=99))
    with pytest.raises(UsageError, match="stands in no vocabulary"):
        answers(voter, question(red, "mauve"))


def test_of_parts_the_one_that_shows_it_counts(voter: ClipVoting, tmp_path: Path) -> None:
    corner = Image.new("RGB", (40, 40), (25, 60, 210))
    corner.paste((220, 20, 30), (20, 20, 40, 40))
    own = subject(tmp_path, "corner", corner)
    in_part, whole = (
        asyncio.run(voter.margins([question(own, "red", view=view)]))[0]
        for view in ("parts", "low")
    )
    assert in_part > whole
    # what a value calls missing must be missing from every part
    blue = subject(tmp_path, "blue", Image.new("RGB", (40, 40), (25, 60, 210)))
    missing, there = (
        asyncio.run(voter.margins([question(one, "none", kind="red", view="parts")]))[0]
        for one in (blue, own)
    )
    assert missing == pytest.approx(0, abs=0.01)
    assert there < -0.5


def test_what_comes_together_is_embedded_together(
    voter: ClipVoting, embedder: ColourEmbedder, tmp_path: Path
) -> None:
    subjects = [
        subject(tmp_path, f"s{at}", Image.new("RGB", (8, 8), (at, 0, 0))) for at in range(10)
    ]
    asked = [
        (question(own, colour, template),)
        for own in subjects
        for colour in COLOURS
        for template in (1, 2, 3)
    ]

    async def run() -> None:
        await asyncio.gather(*(voter.vote(one) for one in asked))

    asyncio.run(run())
    assert embedder.batches == [4, 4, 2]  # ten pictures, ninety questions
    assert len(embedder.worded) == len(set(embedder.worded)) == 12  # nine with, three without
    asyncio.run(run())  # another event loop
    assert sum(embedder.batches) == 10
    assert voter.at_once >= 4 * 9


def test_another_run_finds_the_embeddings(
    voter: ClipVoting, embedder: ColourEmbedder, store: EmbeddingStore, red: Subject
) -> None:
    before = asyncio.run(voter.margins([question(red, "red")]))
    again = ClipVoting(SETTINGS, VOCABULARY, embedder, store)
    assert asyncio.run(again.margins([question(red, "red")])) == before
    again.close()
    assert embedder.batches == [1]


def test_a_picture_that_is_lost_ends_the_run_and_the_next_is_asked(
    voter: ClipVoting, red: Subject, tmp_path: Path
) -> None:
    lost = subject(tmp_path, "lost", Image.new("RGB", (8, 8)))
    lost.path.unlink()

    async def run() -> list[object]:
        first = await asyncio.gather(
            *(voter.vote((question(lost, colour),)) for colour in COLOURS), return_exceptions=True
        )
        return [*first, await voter.vote((question(red, "red"),))]

    *failed, good = asyncio.run(run())
    assert [type(one) for one in failed] == [LostPicture] * 3
    assert isinstance(good, tuple)


def test_one_who_no_longer_waits_does_not_take_it_from_others(
    voter: ClipVoting, red: Subject
) -> None:
    async def run() -> object:
        first = asyncio.ensure_future(voter.vote((question(red, "red"),)))
        second = asyncio.ensure_future(voter.vote((question(red, "red"),)))
        await asyncio.sleep(0)
        first.cancel()
        return await second

    assert isinstance(asyncio.run(run()), tuple)


def test_a_run_that_was_ended_does_not_stop_the_next(voter: ClipVoting, red: Subject) -> None:
    async def ended() -> None:
        waiting = asyncio.ensure_future(voter.vote((question(red, "red"),)))
        await asyncio.sleep(0)
        assert not waiting.done()

    asyncio.run(ended())
    assert asyncio.run(voter.vote((question(red, "red"),)))[0].status == "ok"


def test_calibrated_cuts_decide_and_abstain(
    embedder: ColourEmbedder, store: EmbeddingStore, red: Subject
) -> None:
    rate = estimate(0.9, 50)

    def cut(at: float, *, is_chance: bool = False) -> Cut:
        return Cut(
            cut=at,
            slope=10,
            log_odds=0,
            sensitivity=rate,
            specificity=rate,
            balanced=rate,
            is_chance=is_chance,
        )

    thresholds = {
        ("colour", "red", "1", "low"): cut(5),  # beyond any margin
        ("colour", "red", "2", "low"): cut(-5),
        ("colour", "red", "3", "low"): cut(-5, is_chance=True),
    }
    voter = ClipVoting(SETTINGS, VOCABULARY, embedder, store, thresholds)
    asked = [question(red, "red", template) for template in (1, 2, 3, 4)]
    ballots = asyncio.run(voter.vote(tuple(asked)))
    voter.close()
    assert [ballot.answer for ballot in ballots] == ["no", "yes", "unsure", "yes"]
    assert [ballot.p_yes for ballot in ballots] == [0.0, 1.0, None, None]
    assert {ballot.status for ballot in ballots} == {"ok"}


def test_thresholds_hang_on_all_that_moves_margins(embedder: ColourEmbedder) -> None:
    plain = Ensemble(voters=(SETTINGS,))
    first = thresholds_basis(embedder, plain)
    assert thresholds_basis(embedder, plain.model_copy(update={"margin": "0.1"})) == first
    assert thresholds_basis(embedder, plain.model_copy(update={"context": 0.3})) != first
    other = {"low": ViewSettings(long_side=300)}
    assert thresholds_basis(embedder, plain.model_copy(update={"views": other})) != first
    embedder.identity = "d0" * 32
    assert thresholds_basis(embedder, plain) != first


def test_without_the_extra_one_line_says_how_to_get_it(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setitem(sys.modules, "open_clip", None)
    made = clip_voting(SETTINGS, Ensemble(voters=(SETTINGS,)), VOCABULARY, Workspace(tmp_path))
    with pytest.raises(UsageError, match=r"pip install 'benchwright\[clip\]'"), made:
        pass
    assert not (tmp_path / "embeddings.sqlite").exists()


def test_a_part_is_what_the_view_shows(voter: ClipVoting, red: Subject) -> None:
    part: PicturePart = question(red, "red").pictures[0]
    assert voter._view(part).pixels().size == (11, 16)
