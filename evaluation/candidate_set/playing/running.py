"""A run of candidate-set samples: what is played with, how each is, and what it may cost."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchwright import store
from benchwright.asking.estimates import Planned
from benchwright.asking.voters import Voter
from benchwright.records import CandidateSet, Grounding
from benchwright.workspace import Workspace
from evaluation.candidate_set.playing.asking import Asked, HowAsked, ask_for
from evaluation.candidate_set.playing.playing import PLAYER, foresee, ground, is_failed
from evaluation.releases.pictures import Shown, pictures_digest, write_pictures
from evaluation.releases.records import read_records
from evaluation.releases.release import Release
from evaluation.running.about import About, played_release
from evaluation.running.drawing import drawn
from evaluation.running.protocol import Matches, Voices
from evaluation.running.run import Run

TABLE = "groundings"


@dataclass(frozen=True, slots=True, kw_only=True)
class Material:
    """What is played: the samples of the dialogues that were drawn, in the order of the config.

    ``is_all`` tells that those are all of it.
    """

    release: Release
    config: str
    samples: tuple[CandidateSet, ...]
    is_all: bool

    @property
    def dialogues(self) -> int:
        """How many dialogues the samples are of."""
        return len({sample.dialogue_id for sample in self.samples})

    def pictures(self, folder: Path) -> Mapping[str, Shown]:
        """Return the pictures by their ids; they are written into a folder."""
        return write_pictures(self.release, {one.image_id for one in self.samples}, folder)

    def inputs(self) -> dict[str, str]:
        """Return the digests of what is read of the release."""
        shown = {sample.image_id for sample in self.samples}
        return {
            "release": self.release.digest(self.config),
            "pictures": pictures_digest(self.release, shown),
        }


def material_of(release: Release, config: str, dialogues: int | None, seed: int) -> Material:
    """Return what is played; ``dialogues`` are that many, drawn by the seed, null for all.

    All turns of a dialogue are drawn with it. Raises UsageError as ``read_records`` does.
    """
    samples = read_records(release, config, CandidateSet)
    chosen = drawn(samples, lambda sample: sample.dialogue_id, dialogues, seed)
    return Material(
        release=release, config=config, samples=chosen, is_all=len(chosen) == len(samples)
    )


def candidate_set_run(
    workspace: Workspace,
    name: str,
    material: Material,
    player: Voter,
    how: HowAsked,
    pictures: Path,
) -> Run[Asked, Grounding]:
    """Return a run as the frame plays it; the pictures are written into the folder ``pictures``."""
    shown = material.pictures(pictures)
    items = [
        ask_for(sample, shown[sample.image_id], player.pictures, how) for sample in material.samples
    ]
    return Run(
        about=About(
            run=name,
            release=played_release(material.release, workspace),
            config=material.config,
            player=player.name,
            parts={PLAYER: player.name},
            prompts=how.digest(),
        ),
        plan=store.Plan(
            stage=f"run {name}",
            inputs=material.inputs(),
            settings={
                PLAYER: player.settings(),
                "config": material.config,
                "dialogues": None if material.is_all else material.dialogues,
                **how.settings(),
            },
            seed=how.seed,
        ),
        voters=(player,),
        matches=_matches(items, player, how, name),
    )


def _matches(
    items: Sequence[Asked], player: Voter, how: HowAsked, name: str
) -> Matches[Asked, Grounding]:
    async def played(asked: Asked, voices: Voices) -> Grounding:
        return await ground(asked, voices[player.name], how, run=name)

    def planned(asked: Asked, _: str) -> Iterator[Planned]:
        return foresee(asked, player)

    return Matches(
        items=items,
        play=played,
        rows=lambda one: (one,),
        kind=Grounding,
        table=TABLE,
        is_failed=is_failed,
        builds=lambda one: one.builds,
        seers=frozenset((player.name,)),
        foresee=planned,
    )
