"""A run of hidden-target episodes: what is played with, how each is, and what it may cost."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from benchwright import store
from benchwright.asking.voters import Voter
from benchwright.records import Trajectory
from benchwright.workspace import Workspace
from evaluation.hidden_target.detector.model import ModelDetector
from evaluation.hidden_target.detector.prompt import prompt_digest as detector_digest
from evaluation.hidden_target.detector.rules import RuleDetector
from evaluation.hidden_target.game import Game
from evaluation.hidden_target.looking import asked_of
from evaluation.hidden_target.mapping.mapper import Mapper
from evaluation.hidden_target.noise import NoiseSettings
from evaluation.hidden_target.oracle.labels import LabelOracle
from evaluation.hidden_target.oracle.model import ModelOracle
from evaluation.hidden_target.oracle.zoom import said_of_zoom
from evaluation.hidden_target.parts import Player, Question
from evaluation.hidden_target.players.model import ModelPlayer, check_pictures_at_once
from evaluation.hidden_target.referee import Parts, play
from evaluation.hidden_target.running.cast import BASELINES, ZOOMS, Cast, name_of
from evaluation.hidden_target.running.foreseeing import Foresight, longest_question
from evaluation.hidden_target.running.material import Material, sizes_of
from evaluation.hidden_target.verifier.labels import LabelVerifier
from evaluation.hidden_target.verifier.model import ModelVerifier
from evaluation.hidden_target.wording import forbidden, prompt_digest
from evaluation.running.about import About, played_release
from evaluation.running.protocol import Matches, Voices
from evaluation.running.run import Run

TABLE = "trajectories"


@dataclass(frozen=True, slots=True, kw_only=True)
class HowPlayed:
    """What of a run is neither who plays nor what: ``sample`` counts repetitions from 0."""

    noise: NoiseSettings = field(default_factory=NoiseSettings)
    seed: int = 0
    sample: int = 0


def hidden_target_run(
    workspace: Workspace,
    name: str,
    material: Material,
    cast: Cast,
    how: HowPlayed,
    pictures: Path,
) -> Run[Game, Trajectory]:
    """Return a run as the frame plays it; what is shown is written into the folder ``pictures``.

    Raises UsageError where the player takes fewer pictures at once than a gallery has.
    """
    if isinstance(cast.player, Voter):
        check_pictures_at_once(cast.player, *material.sizes)
    seers = cast.seers()
    games = material.games(pictures if seers else None)
    seats = _Seats(material=material, cast=cast, how=how)
    foresight = Foresight(
        cast=cast,
        terms=material.terms,
        rules=material.rules,
        sizes=sizes_of(games),
        question=longest_question(material.terms, material.rules.noun),
    )

    async def played(game: Game, voices: Voices) -> Trajectory:
        return await play(game, seats.parts(voices), run=name, config=material.config)

    return Run(
        about=_about(workspace, name, material, cast),
        plan=store.Plan(
            stage=f"run {name}",
            inputs=material.inputs(is_shown=bool(seers)),
            settings=_settings(material, cast, how, games[0]),
            seed=how.seed,
        ),
        voters=cast.voters(),
        matches=Matches(
            items=games,
            play=played,
            rows=lambda played: (played,),
            kind=Trajectory,
            table=TABLE,
            is_failed=lambda trajectory: trajectory.end == "failed",
            builds=lambda trajectory: trajectory.builds,
            seers=seers,
            foresee=foresight.calls,
            middle="as many turns as the reference questioner takes",
        ),
    )


def _about(workspace: Workspace, name: str, material: Material, cast: Cast) -> About:
    return About(
        run=name,
        release=played_release(material.release, workspace),
        config=material.config,
        player=name_of(cast.player),
        parts=cast.names(),
        prompts=prompt_digest(material.rules, material.terms),
    )


class _Seats:
    """Puts parts to an episode; what they share of the vocabulary is made once."""

    def __init__(self, *, material: Material, cast: Cast, how: HowPlayed) -> None:
        self._material, self._cast, self._how = material, cast, how
        self._mapper = Mapper(material.terms, material.rules.noun)
        self._rules = RuleDetector(material.terms, material.rules.noun)
        self._baseline: Player | None = None
        if isinstance(cast.player, str):
            self._baseline = BASELINES[cast.player](material, how.seed)

    def parts(self, voices: Voices) -> Parts:
        """Return the parts of an episode, given whoever can be asked."""
        cast = self._cast
        detector, oracle, verifier = (
            voices[who.name] if isinstance(who, Voter) else None
            for who in (cast.detector, cast.oracle, cast.verifier)
        )
        return Parts(
            player=self._player(voices),
            mapper=self._mapper,
            detector=self._rules if detector is None else ModelDetector(self._rules, detector),
            oracle=LabelOracle() if oracle is None else ModelOracle(oracle, zooms=ZOOMS),
            verifier=LabelVerifier() if verifier is None else ModelVerifier(verifier),
            noise=self._how.noise,
            seed=self._how.seed,
        )

    def _player(self, voices: Voices) -> Player:
        if self._baseline is not None:
            return self._baseline
        asks = voices[name_of(self._cast.player)]
        return ModelPlayer(asks, self._material.terms, sample=self._how.sample)


def _settings(material: Material, cast: Cast, how: HowPlayed, game: Game) -> Mapping[str, Any]:
    """Return all that changes what is said in a run, besides the release and the seed."""
    return {
        **cast.settings(),
        "config": material.config,
        "rules": asdict(material.rules),
        "noise": how.noise.settings(),
        "sample": how.sample,
        "episodes": None if material.is_all else len(material.galleries),
        "prompts": _prompts(material, cast, game),
    }


def _prompts(material: Material, cast: Cast, game: Game) -> dict[str, str]:
    """Return digests of what the models are told, by part."""
    found = {}
    if isinstance(cast.player, Voter):
        found["player"] = prompt_digest(material.rules, material.terms)
    if isinstance(cast.detector, Voter):
        found["detector"] = detector_digest(
            material.rules.noun, forbidden(material.terms, material.rules.noun)
        )
    if isinstance(cast.oracle, Voter) or isinstance(cast.verifier, Voter):
        nothing = Question(text="", count=1, asked=(), mapped_by="none")
        said = [
            part for part in asked_of(game, nothing, 1).messages[0].parts if isinstance(part, str)
        ]
        if isinstance(cast.oracle, Voter):
            found["oracle"] = store.digest_of([said, said_of_zoom(ZOOMS)])
        if isinstance(cast.verifier, Voter):
            found["verifier"] = store.digest_of(said)
    return found
