"""A run of question chains: the plan of it, and what the frame is given."""

from pathlib import Path

from benchwright import store
from benchwright.asking.voters import Voter
from benchwright.protocols.question_chain import NEXT, asked_to_answer, prompt
from benchwright.records import ChainAnswer
from benchwright.workspace import Workspace
from evaluation.question_chain.playing.asking import MAX_TOKENS
from evaluation.question_chain.playing.chain import ChainPlay, Item, PlayedChain
from evaluation.question_chain.playing.foreseeing import Foresight
from evaluation.question_chain.playing.material import Material
from evaluation.running.about import About, played_release
from evaluation.running.protocol import Matches, Voices
from evaluation.running.run import Run

TABLE = "answers"


def question_chain_run(
    workspace: Workspace,
    name: str,
    material: Material,
    player: Voter,
    sample: int,
    pictures: Path,
    *,
    in_turn: bool = False,
) -> Run[Item, PlayedChain]:
    """Return a run as the frame plays it; what is shown is written into the folder ``pictures``.

    ``sample`` counts repetitions from 0. With ``in_turn`` the questions of a chain come one after
    the other, as a person wants them.
    """
    settings = material.settings
    shown = material.pictures(pictures)
    play = ChainPlay(
        run=name, offers=material.offers, settings=settings, sample=sample, in_turn=in_turn
    )
    foresight = Foresight(play=play, sizes={one.part.sha256: one.size for one in shown.values()})

    async def played(item: Item, voices: Voices) -> PlayedChain:
        return await play.play(item, voices[player.name])

    return Run(
        about=About(
            run=name,
            release=played_release(material.release, workspace),
            config=material.config,
            player=player.name,
            parts={"player": player.name, **settings.parts()},
            prompts=prompt_digest(is_shown=not settings.is_blindfold),
        ),
        plan=_plan(name, material, player, sample),
        voters=(player,),
        matches=Matches(
            items=material.items(shown),
            play=played,
            rows=lambda played: played.answers,
            kind=ChainAnswer,
            table=TABLE,
            is_failed=lambda played: played.is_failed,
            builds=lambda played: played.builds(),
            seers=frozenset() if settings.is_blindfold else frozenset({player.name}),
            foresee=foresight.calls,
        ),
    )


def prompt_digest(*, is_shown: bool) -> str:
    """Return one sha256 of all that a model is told besides chains and pictures."""
    asked = ("", NEXT, asked_to_answer(""))
    return store.digest_of([prompt("", [("", "")], one, [""], is_shown=is_shown) for one in asked])


def _plan(name: str, material: Material, player: Voter, sample: int) -> store.Plan:
    settings = material.settings
    return store.Plan(
        stage=f"run {name}",
        inputs=material.inputs(),
        settings={
            "player": player.settings(),
            **settings.as_json(),
            "config": material.config,
            "sample": sample,
            "episodes": None if material.is_all else len(material.chains),
            "prompt": prompt_digest(is_shown=not settings.is_blindfold),
            "max_tokens": MAX_TOKENS,
        },
        seed=settings.seed,
    )
