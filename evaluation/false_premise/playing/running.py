"""A run of false premises: who takes part, what is played, and the plan of it."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchwright import store
from benchwright.asking.voters import Voter
from benchwright.errors import UsageError
from benchwright.records import PlayedResponse
from benchwright.workspace import Workspace
from evaluation.false_premise.lost_labels import lost_labels
from evaluation.false_premise.playing.answering import MAX_TOKENS
from evaluation.false_premise.playing.conversation import prompt_digest
from evaluation.false_premise.playing.detecting import PART
from evaluation.false_premise.playing.detector_prompt import prompt_digest as detector_digest
from evaluation.false_premise.playing.dialogue import Item, Played, play
from evaluation.false_premise.playing.foreseeing import Foresight
from evaluation.false_premise.playing.material import Material
from evaluation.running.about import About, played_release
from evaluation.running.protocol import Matches, Voices
from evaluation.running.run import Run

TABLE = "responses"
_DETECTORS = "detectors"  # of the settings of a plan


@dataclass(frozen=True, slots=True, kw_only=True)
class Cast:
    """Who takes part: the model that is measured, and the detectors that read its answers.

    ``sample`` counts repetitions from 0.
    """

    player: Voter
    detectors: tuple[Voter, ...] = ()
    sample: int = 0

    def voters(self) -> tuple[Voter, ...]:
        """Return the models that are asked, each once."""
        return tuple({one.name: one for one in (self.player, *self.detectors)}.values())

    def names(self) -> dict[str, str]:
        """Return the names of those who take part, by part; detectors are numbered from 1."""
        named = {f"{PART} {at}": one.name for at, one in enumerate(self.detectors, 1)}
        return {"player": self.player.name, **named}


def plan_of(name: str, material: Material, cast: Cast, seed: int) -> store.Plan:
    """Return the plan of a run: all that changes what is answered and how it is labelled."""
    return store.Plan(
        stage=f"run {name}",
        inputs=material.inputs(),
        settings={
            "player": cast.player.settings(),
            _DETECTORS: {
                one.name: {"voter": one.settings(), "prompt": detector_digest()}
                for one in cast.detectors
            },
            "config": material.config,
            "sample": cast.sample,
            "episodes": None if material.is_all else len(material.dialogues),
            "prompt": prompt_digest(),
            "max_tokens": MAX_TOKENS,
        },
        seed=seed,
    )


def adds_detectors(workspace: Workspace, name: str, plan: store.Plan) -> bool:
    """Tell whether a run stands that differs from a plan in lacking some of its detectors alone.

    The answers of its model are stored, so that it can be written anew with more labels.
    Raises UsageError where it has detectors that the plan lacks, and CorruptShard where its
    manifest cannot be read.
    """
    manifest = store.load_manifest(workspace.runs / name)
    if manifest is None or _without_detectors(manifest.plan) != _without_detectors(plan):
        return False
    before, after = manifest.plan.settings[_DETECTORS], plan.settings[_DETECTORS]
    lost = sorted(before.keys() - after.keys())
    if lost:
        raise UsageError(
            f"{workspace.relative(workspace.runs / name)}: holds labels of {', '.join(lost)}; name"
            f" all of --detectors {','.join(sorted(before.keys() | after.keys()))}, or another run"
            f" by --run NAME, or leave them out of this one with --force, which asks for no answer"
            f" or label that this workspace has (score {name} --detectors takes some alone)"
        )
    kept = {detector: after[detector] for detector in before}
    return store.digest_of(kept) == store.digest_of(before) and len(after) > len(before)


def false_premise_run(
    workspace: Workspace,
    plan: store.Plan,
    name: str,
    material: Material,
    cast: Cast,
    pictures: Path,
) -> Run[Item, Played]:
    """Return a run as the frame plays it; what is shown is written into the folder ``pictures``."""
    shown = material.pictures(pictures)
    foresight = Foresight(
        player=cast.player,
        detectors=cast.detectors,
        sizes={one.part.sha256: one.size for one in shown.values()},
        sample=cast.sample,
    )

    async def played(item: Item, voices: Voices) -> Played:
        detectors = [voices[one.name] for one in cast.detectors]
        return await play(item, voices[cast.player.name], detectors, run=name, sample=cast.sample)

    return Run(
        about=About(
            run=name,
            release=played_release(material.release, workspace),
            config=material.config,
            player=cast.player.name,
            parts=cast.names(),
            prompts=prompt_digest(),
        ),
        plan=plan,
        voters=cast.voters(),
        matches=Matches(
            items=material.items(shown),
            play=played,
            rows=lambda played: played.responses,
            kind=PlayedResponse,
            table=TABLE,
            is_failed=lambda played: played.is_failed,
            builds=lambda played: played.builds(),
            seers=frozenset({cast.player.name}),
            foresee=foresight.calls,
            unlabelled=lambda played: sum(lost_labels(played.responses).values()),
        ),
    )


def _without_detectors(plan: store.Plan) -> str:
    settings: dict[str, Any] = {**plan.settings, _DETECTORS: None}
    return store.digest_of([plan.stage, dict(plan.inputs), settings, plan.seed])
