"""What is said of a run of hidden-target: before its first call, and when it ends."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import get_args

from benchwright import store
from benchwright.asking.voters import Voter
from benchwright.plain_text import counted
from benchwright.protocols.hidden_target import Outcome
from benchwright.records import Trajectory
from benchwright.rows import from_table
from benchwright.statistics.smallest_difference import (
    independent_size,
    smallest_paired,
    smallest_unpaired,
)
from evaluation.hidden_target.feasible import is_answered
from evaluation.hidden_target.metrics.outcomes import outcome_of
from evaluation.hidden_target.metrics.replaying import replayed
from evaluation.hidden_target.metrics.unread import unread_lines
from evaluation.hidden_target.noise import NoiseSettings, flips_at, is_hit
from evaluation.hidden_target.running.cast import LABELS, Cast, name_of
from evaluation.hidden_target.running.material import Material
from evaluation.hidden_target.running.running import HowPlayed
from evaluation.running.run import Ran

_DISCORDANT = 0.3  # of the episodes, that just one of two models has right


def material_lines(material: Material, cast: Cast) -> Iterator[str]:
    """Yield what is played, by whom, and with how many calls of the player."""
    smallest, largest = material.sizes
    of = f"{smallest} to {largest}" if smallest < largest else f"{largest}"
    names = cast.names()
    judges = ", ".join(f"{part} {names[part]}" for part in ("detector", "oracle", "verifier"))
    yield (
        f"{material.release.name}, {material.config}:"
        f" {counted(len(material.galleries), 'episode')} with {of} pictures,"
        f" {counted(material.rules.turns, 'turn')} each"
    )
    yield f"{names['player']} plays; {judges}"
    if isinstance(cast.player, Voter):
        least, most = _calls(material)
        yield f"calls of the player: {least:,} if it guesses at once, {most:,} with all turns taken"


def difference_lines(material: Material) -> Iterator[str]:
    """Yield the smallest difference between two models that the episodes can show."""
    size = independent_size(gallery.target_id for gallery in material.galleries)
    paired, unpaired = smallest_paired(size, _DISCORDANT), smallest_unpaired(size)
    if paired is None and unpaired is None:
        yield f"{counted(len(material.galleries), 'episode')}: too few to tell two models apart"
        return
    yield "what so many episodes can show of two models (95 % confidence, 80 % power):"
    if paired is not None:
        yield (
            f"  {100 * paired:.1f} points between them, if both play these episodes and just one of"
            f" them is right on {_DISCORDANT:.0%} of them (McNemar's test)"
        )
    if unpaired is not None:
        yield f"  {100 * unpaired:.1f} points, if each plays other episodes"
    if size < len(material.galleries):
        yield f"  counted as {size:,.0f} episodes: those of one target may come out alike"


def played_lines(ran: Ran, material: Material, cast: Cast, how: HowPlayed) -> Iterator[str]:
    """Yield how the episodes that were played ended, what noise hit, what was not understood."""
    if not ran.manifest.counts["played"]:
        return
    table = store.read_table(ran.folder, "trajectories-*.parquet")
    played = [one for one in from_table(table, Trajectory) if one.end != "failed"]
    yield _outcomes(played, material, cast)
    if not how.noise.is_none:
        yield noise_line(played, how.noise, how.seed)
    yield from unread_lines(played)


def noise_line(played: Sequence[Trajectory], noise: NoiseSettings, seed: int) -> str:
    """Return how many answers and episodes were hit, and how many ended before their flips."""
    answers = hit = episodes = early = 0
    for one in played:
        answered = [turn for turn in one.turns if is_answered(turn)]
        hits = sum(map(is_hit, answered))
        answers, hit, episodes = answers + len(answered), hit + hits, episodes + bool(hits)
        early += any(at > len(answered) for at in flips_at(noise, seed, one.episode_id))
    ended = f"; {counted(early, 'episode')} ended before all flips came" if noise.flips else ""
    return (
        f"noise: changed {hit:,} of {counted(answers, 'answer')}, in {episodes:,} of"
        f" {counted(len(played), 'episode')}{ended}"
    )


def _calls(material: Material) -> tuple[int, int]:
    batch = material.rules.batch_size
    uploads = (-(-len(gallery) // (batch or len(gallery))) for gallery in material.galleries)
    least = sum(uploads)  # an answer to each batch but the last, and a guess
    return least, least + material.rules.turns * len(material.galleries)


def _outcomes(played: Iterable[Trajectory], material: Material, cast: Cast) -> str:
    galleries = {gallery.episode_id: gallery for gallery in material.galleries}
    is_by_labels = name_of(cast.verifier) == LABELS
    found: Counter[Outcome] = Counter()
    for one in played:
        episode = replayed(galleries[one.episode_id], one, is_by_labels=is_by_labels)
        found[outcome_of(episode)] += 1
    total = found.total()
    right = total - found["incorrect"]
    kinds = ", ".join(
        f"{name.replace('_', ' ')} {found[name] / total:.1%}"
        for name in get_args(Outcome)
        if name != "incorrect"
    )
    return f"guessed right: {right:,} of {total:,} ({right / total:.1%}): {kinds}"
