"""An episode made elsewhere as a trajectory: what its row leaves out is read, mapped or counted."""

from collections.abc import Sequence
from dataclasses import replace

from benchwright.records import Asked, Build, Noise, Trajectory, Turn, Upload
from evaluation.hidden_target.by_labels import fits_by_labels
from evaluation.hidden_target.feasible import is_answered
from evaluation.hidden_target.mapping.mapper import Mapper
from evaluation.hidden_target.metrics.replaying import replayed
from evaluation.hidden_target.parts import Question
from evaluation.hidden_target.reading.said import Asks, Guess, read_said
from evaluation.hidden_target.reading.uploads import read_upload
from evaluation.hidden_target.running.material import Material
from evaluation.hidden_target.scoring.foreign_rows import ForeignRow, ForeignTurn, ForeignUpload
from evaluation.releases.galleries import Gallery

_LETTERS = frozenset("ynu")


class Unfit(Exception):  # no error of the user: it makes a row of the refused ones
    """A row that has the right form and cannot be of this release; ``reason`` is a short code."""

    def __init__(self, reason: str, detail: str) -> None:
        super().__init__(detail)
        self.reason = reason
        self.detail = detail


class ForeignEpisodes:
    """Makes trajectories of rows; questions that come again are mapped once."""

    def __init__(self, material: Material) -> None:
        self._config = material.config
        self._galleries = {each.episode_id: each for each in material.galleries}
        self._names = frozenset((term.value.type, term.value.value) for term in material.terms)
        self._mapper = Mapper(material.terms, material.rules.noun)
        self._mapped: dict[tuple[str, int], Question] = {}

    def trajectory(self, row: ForeignRow, *, name: str) -> Trajectory:
        """Return the episode of a row; raise Unfit for one that this release cannot have.

        ``name`` stands for the run and the player where the row names none.
        """
        gallery = self._galleries.get(row.episode_id)
        if gallery is None:
            raise Unfit("unknown_episode", f"{self._config} has no episode {row.episode_id}")
        turns = [self._turn(gallery, number, turn) for number, turn in enumerate(row.turns, 1)]
        guess, text, route = _guess(row)
        played = Trajectory(
            run=row.run or name,
            player=row.player or name,
            config=self._config,
            episode_id=row.episode_id,
            uploads=_uploads(row.uploads),
            turns=tuple(turns),
            guess=guess,
            guess_text=text,
            guessed_by=route,
            end=row.end or ("out_of_turns" if guess is None else "guess"),
            builds=tuple(Build(**build.model_dump()) for build in row.builds),
        )
        return _with_feasible(played, row.turns, gallery)

    def _turn(self, gallery: Gallery, number: int, turn: ForeignTurn) -> Turn:
        question, count, read_by = _question(turn)
        asked, mapped_by = self._asked(turn, question, count, number)
        read = Turn(
            turn=number,
            status=turn.status,
            text=turn.text or turn.question or "",
            question=question,
            read_by=read_by,
            asked=asked,
            mapped_by=mapped_by,
            told=turn.told,
            reason=turn.reason,
            judged_by=turn.judged_by,
            truth=None,
            noise=None,
            fits="",
            feasible=(),
            unread=turn.unread,
        )
        if not is_answered(read):
            return read
        return replace(
            read,
            truth=turn.truth or turn.told,
            noise=turn.noise or _noise(turn),
            fits=_fits(gallery, number, turn) or fits_by_labels(gallery, asked),
        )

    def _asked(
        self, turn: ForeignTurn, question: str | None, count: int, number: int
    ) -> tuple[tuple[Asked, ...], str]:
        if turn.asked is not None:
            for each in turn.asked:
                if (each.type, each.value) not in self._names:
                    raise Unfit(
                        "unknown_value",
                        f"turn {number} asks for {each.type}: {each.value}, which the vocabulary"
                        " does not have",
                    )
            return tuple(Asked(**each.model_dump()) for each in turn.asked), (
                turn.mapped_by or "given"
            )
        if question is None:
            return (), "none"
        wanted = question, count
        if wanted not in self._mapped:
            self._mapped[wanted] = self._mapper.question(*wanted)
        found = self._mapped[wanted]
        return found.asked, found.mapped_by


def _question(turn: ForeignTurn) -> tuple[str | None, int, str]:
    """Return the question of a turn, how many were put together, and how it was read.

    What was answered is a question, also where none can be read out of it.
    """
    text = turn.question if turn.question is not None else turn.text or ""
    said = read_said(text, turn.status)
    count = said.count if isinstance(said, Asks) else 1
    if turn.question is not None:
        return turn.question, count, turn.read_by or "given"
    if isinstance(said, Asks):
        return said.text, count, said.route
    return (None if turn.told == "skip" else text), 1, said.route


def _fits(gallery: Gallery, number: int, turn: ForeignTurn) -> str:
    if turn.fits and (len(turn.fits) != len(gallery) or not _LETTERS.issuperset(turn.fits)):
        raise Unfit(
            "fits",
            f"turn {number}: fits has {len(turn.fits)} letters; wanted y, n or u for each of"
            f" {len(gallery)} pictures",
        )
    return turn.fits


def _noise(turn: ForeignTurn) -> Noise | None:
    if turn.truth in (None, turn.told):
        return None
    return "flip" if {turn.truth, turn.told} == {"yes", "no"} else "blur"


def _guess(row: ForeignRow) -> tuple[int | None, str | None, str | None]:
    if row.guess is None:
        return None, row.guess_text, None
    if isinstance(row.guess, int):
        return row.guess, row.guess_text or str(row.guess), row.guessed_by or "given"
    said = read_said(row.guess, "ok")
    if not isinstance(said, Guess):
        return None, row.guess, None
    return said.number, row.guess, said.route


def _uploads(said: Sequence[ForeignUpload | str]) -> tuple[Upload, ...]:
    whole = (ForeignUpload(text=each) if isinstance(each, str) else each for each in said)
    return tuple(
        Upload(
            batch=number,
            text=each.text,
            kind=each.kind or read_upload(each.text),
        )
        for number, each in enumerate(whole, 1)
    )


def _with_feasible(
    played: Trajectory, given: Sequence[ForeignTurn], gallery: Gallery
) -> Trajectory:
    """Return the episode with the feasible sets of its row; those that it leaves out follow."""
    found = replayed(gallery, played, is_by_labels=False).turns
    turns = [
        turn if row.feasible is None else replace(turn, feasible=row.feasible)
        for turn, row in zip(found, given, strict=True)
    ]
    return replace(played, turns=tuple(turns))
