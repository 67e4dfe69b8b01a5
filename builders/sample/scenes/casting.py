"""Who stands in a scene: the women's dresses, and how close they stand."""

from dataclasses import dataclass

from benchwright import seeds
from builders.sample.chance import Chance
from builders.sample.garments import TYPES, Garment, even_garment

FEWEST, MOST = 3, 6  # women of a scene that has more than one
_SHARED = ("colour", "print", "garment length")  # a scene has two values of each of these


@dataclass(frozen=True, slots=True, kw_only=True)
class Scene:
    """What a scene shows, from left to right; the seed fixes all that is not said here.

    ``is_close``: each woman stands partly in front of the one to her left.
    """

    garments: tuple[Garment, ...]
    is_close: bool
    seed: int


def sample_scenes(n: int, seed: int) -> list[Scene]:
    """Return the first ``n`` scenes of a seed; scene i depends on the seed and on i alone.

    One woman alone, several apart and several close together take turns. Several women share two
    colours, two prints and two lengths, so that a description of one may fit another.
    """
    return [_scene(index, seed) for index in range(n)]


def _scene(index: int, seed: int) -> Scene:
    chance = Chance(key=f"scene:{seed}:{index}")
    many = 1 if index % 3 == 0 else FEWEST + chance.below("many", MOST - FEWEST + 1)
    among = {
        kind: seeds.shuffled(list(TYPES[kind]), seed, "scene", str(index), kind)[:2]
        for kind in _SHARED
    }
    garments = (
        even_garment(Chance(key=f"scene:{seed}:{index}:{place}"), among) for place in range(many)
    )
    return Scene(
        garments=tuple(garments),
        is_close=index % 3 == 2,
        seed=seeds.draw(seed, "sample scene", str(index)),
    )
