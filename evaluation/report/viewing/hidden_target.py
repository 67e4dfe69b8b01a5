"""Hidden-target episodes in the viewer."""

from collections.abc import Callable, Collection, Iterator

from benchwright.plain_text import counted
from benchwright.records import Trajectory, Turn
from evaluation.hidden_target.feasible import feasible_after
from evaluation.hidden_target.scoring.opened import kept
from evaluation.releases.galleries import Gallery
from evaluation.report.viewing.shown import Item, Step, said
from evaluation.scoring.protocol import KeptRun
from evaluation.scoring.spelling import spoken


def items_of(run: KeptRun, chosen: Callable[[Collection[str]], Collection[str]]) -> list[Item]:
    """Return the chosen of the episodes that were played to their end."""
    played = kept(run)
    gallery_of = {gallery.episode_id: gallery for gallery in played.galleries}
    finished = {one.episode_id: one for one in played.played.finished}
    return [
        _item(finished[name], gallery_of[name])
        for name in chosen(finished.keys())
        if name in gallery_of
    ]


def _item(played: Trajectory, gallery: Gallery) -> Item:
    pictures = len(gallery)
    return Item(
        title=f"episode {played.episode_id}",
        facts=(
            f"{counted(pictures, 'picture')}, τ {gallery.tau:g}, target #{gallery.target};"
            f" par {gallery.par if gallery.par is not None else 'none'}"
        ),
        image_ids=gallery.image_ids,
        steps=list(_steps(played, gallery)),
        target=gallery.target,
        guess=played.guess,
    )


def _steps(played: Trajectory, gallery: Gallery) -> Iterator[Step]:
    everything = tuple(range(1, len(gallery) + 1))
    for upload in played.uploads:
        yield Step(
            title=f"batch {upload.batch}",
            words=[said("player", upload.text, is_player=True)],
            left=everything,
            note="" if upload.kind == "acknowledged" else spoken(upload.kind),
            verdict=None if upload.kind == "acknowledged" else "wrong",
        )
    for at, turn in enumerate(played.turns, 1):
        yield _turn(turn, feasible_after(len(gallery), played.turns[:at]), gallery.target)
    yield _guess(played, gallery)


def _turn(turn: Turn, left: tuple[int, ...], target: int) -> Step:
    words = [said("player", turn.text, is_player=True)]
    if turn.asked:
        mapped = ", ".join(
            f"{'not ' if one.is_negated else ''}{one.type}: {one.value}" for one in turn.asked
        )
        words.append(said("read as", mapped))
    told = turn.told
    if turn.told == "skip":
        told_in_full = f"skip: {spoken(turn.reason or 'no question')} ({turn.judged_by or 'rules'})"
    else:
        noise = f" (true: {turn.truth}; {turn.noise})" if turn.noise else ""
        told_in_full = f"{told}{noise}"
    words.append(said("told", told_in_full))
    lost = "" if target in left else "; the target is eliminated"
    return Step(
        title=f"turn {turn.turn}",
        words=words,
        left=left,
        note=f"{counted(len(left), 'picture')} left{lost}",
        verdict="skip" if turn.told == "skip" else "wrong" if lost else None,
    )


def _guess(played: Trajectory, gallery: Gallery) -> Step:
    left = feasible_after(len(gallery), played.turns)
    words = [] if played.guess_text is None else [said("player", played.guess_text, is_player=True)]
    if played.guess is None:
        return Step(title="end", words=words, left=left, note="no guess", verdict="wrong")
    is_right = played.guess == gallery.target
    return Step(
        title="guess",
        words=words,
        left=left,
        note=f"#{played.guess} is {'the target' if is_right else 'not the target'}",
        verdict="right" if is_right else "wrong",
    )
