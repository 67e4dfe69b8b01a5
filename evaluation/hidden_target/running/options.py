"""The options of a run of hidden-target."""

import functools
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import click

from benchwright.commands import NumberRange

if TYPE_CHECKING:  # what they import takes a second, which --help need not wait for
    from evaluation.hidden_target.running.cast import Cast
    from evaluation.hidden_target.running.material import Material
    from evaluation.hidden_target.running.running import HowPlayed
    from evaluation.releases.release import Release
    from evaluation.running.naming import Named

_BASELINES = ("random", "greedy", "never-asking")
_RULES, _LABELS = "rules", "labels"


@dataclass(frozen=True, slots=True, kw_only=True)
class GameOptions:
    """What the user said of the game, of who takes part, and of noise."""

    player: str | None
    detector: str
    oracle: str
    verifier: str
    batch_size: int
    turns: int
    noun: str | None
    flip: float
    blur: float
    flips: int
    flips_within: int

    def cast(self, named: "Named") -> "Cast":
        """Return who takes part; raises UsageError as ``Named`` does."""
        from evaluation.hidden_target.running.cast import Cast  # noqa: PLC0415
        from evaluation.running.naming import check_voters  # noqa: PLC0415

        judges = {
            part: name if name == built_in else named.judge(f"--{part}", name)
            for part, name, built_in in (
                ("detector", self.detector, _RULES),
                ("oracle", self.oracle, _LABELS),
                ("verifier", self.verifier, _LABELS),
            )
        }
        player = named.player(self.player, (self.detector, self.oracle, self.verifier))
        cast = Cast(player=player, **judges)
        check_voters(cast.voters())
        return cast

    def material(
        self, release: "Release", config: str, episodes: int | None, seed: int
    ) -> "Material":
        """Return what is played; raises as ``material_of`` does."""
        from evaluation.hidden_target.running.material import material_of  # noqa: PLC0415

        return material_of(
            release,
            config,
            batch_size=self.batch_size,
            turns=self.turns,
            noun=self.noun,
            episodes=episodes,
            seed=seed,
        )

    def how(self, seed: int, sample: int) -> "HowPlayed":
        """Return noise, seed and sample; raises UsageError for noise that cannot be drawn."""
        from evaluation.hidden_target.noise import NoiseSettings  # noqa: PLC0415
        from evaluation.hidden_target.running.running import HowPlayed  # noqa: PLC0415

        noise = NoiseSettings(
            flip=self.flip, blur=self.blur, flips=self.flips, within=self.flips_within
        )
        return HowPlayed(noise=noise, seed=seed, sample=sample)


def game_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options of the game, given as ``game``."""

    @functools.wraps(command)
    def with_game(**given: Any) -> Any:
        fields = GameOptions.__dataclass_fields__
        game = GameOptions(**{name: given.pop(name) for name in fields})
        return command(game=game, **given)

    for option in reversed(_OPTIONS):
        with_game = option(with_game)
    return with_game


_OPTIONS: tuple[Callable[[Any], Any], ...] = (
    click.option(
        "--player",
        type=click.Choice(_BASELINES),
        help="A baseline that plays instead of a model; all but never-asking know the labels.",
    ),
    click.option(
        "--detector",
        default=_RULES,
        show_default=True,
        metavar="rules|VOTER",
        help="Who finds questions that break the rules of the game.",
    ),
    click.option(
        "--oracle",
        default=_LABELS,
        show_default=True,
        metavar="labels|VOTER",
        help="Who answers the questions.",
    ),
    click.option(
        "--verifier",
        default=_LABELS,
        show_default=True,
        metavar="labels|VOTER",
        help="Who says which pictures an answer rules out.",
    ),
    click.option(
        "--batch-size",
        type=click.IntRange(0),
        default=5,
        show_default=True,
        help="Pictures that are shown at once, before the next ones; 0 for all.",
    ),
    click.option(
        "--turns",
        type=click.IntRange(1),
        default=20,
        show_default=True,
        help="Questions and skips that a player has before its guess.",
    ),
    click.option(
        "--noun",
        help="What a picture shows, as it is called.  [default: the category, where all pictures"
        " have the same; else picture]",
    ),
    click.option(
        "--flip",
        type=NumberRange(0, 1),
        default=0.0,
        show_default=True,
        help="Share of the answers whose yes and no change places.",
    ),
    click.option(
        "--blur",
        type=NumberRange(0, 1),
        default=0.0,
        show_default=True,
        help="Share of the answers whose yes or no becomes unsure, and unsure yes or no.",
    ),
    click.option(
        "--flips",
        type=click.IntRange(0),
        default=0,
        show_default=True,
        help="Answers of each episode that are flipped, where it gets as far.",
    ),
    click.option(
        "--flips-within",
        type=click.IntRange(1),
        default=3,
        show_default=True,
        help="They are drawn from its first so many answers; one that ends before is not hit.",
    ),
)
