"""A picture as a phone takes it in bad light and a messenger passes it on.

What is wrong differs by picture. It is mild: a person still sees what the picture shows.
"""

from collections.abc import Callable, Mapping

import numpy as np
from PIL import Image, ImageFilter

from builders.sample.chance import Chance

_Fault = Callable[[Image.Image, Chance], Image.Image]
_FEWEST, _MOST = 2, 4  # faults of one picture, beside its compression
_SUMMED = 4  # bytes that are added up for one nearly normal number
_SPREAD = 148  # the standard deviation of that sum
# gains of red, green and blue under a light that the camera did not balance
_CASTS = {
    "lamp": (1.12, 1.0, 0.8),
    "tube": (0.93, 1.08, 0.92),
    "shade": (0.86, 0.98, 1.14),
}


def degrade(image: Image.Image, seed: int) -> Image.Image:
    """Return an RGB picture of the same size with two to four faults, which the seed chooses.

    They are too much or too little light, a colour cast, blur, noise and a loss of detail; the
    same picture and seed give the same pixels.
    """
    chance = Chance(key=f"degraded:{seed}")
    count = _FEWEST + chance.below("count", _MOST - _FEWEST + 1)
    chosen = sorted(_FAULTS, key=lambda name: chance.unit(f"is it {name}"))[:count]
    for name, fault in _FAULTS.items():
        if name in chosen:
            image = fault(image, chance)
    return image


def degraded_quality(seed: int) -> int:
    """Return the quality of JPEG by which the picture of a seed was sent, 16 to 40."""
    return 16 + Chance(key=f"degraded:{seed}").below("quality", 25)


def _lit(image: Image.Image, chance: Chance) -> Image.Image:
    """Return it dim, or over-exposed with light parts burnt out."""
    if chance.unit("is it dim") < 0.6:
        gain = chance.between("dim", 0.5, 0.7)
    else:
        gain = chance.between("bright", 1.2, 1.4)
    return image.point(_levels(gain) * 3)


def _cast(image: Image.Image, chance: Chance) -> Image.Image:
    gains = _CASTS[chance.pick("light", sorted(_CASTS))]
    share = chance.between("cast", 0.5, 0.9)
    return image.point([level for gain in gains for level in _levels(1 + (gain - 1) * share)])


def _levels(gain: float) -> list[int]:
    return [min(255, round(level * gain)) for level in range(256)]


def _blurred(image: Image.Image, chance: Chance) -> Image.Image:
    return image.filter(ImageFilter.GaussianBlur(chance.between("blur", 0.8, 1.7)))


def _noisy(image: Image.Image, chance: Chance) -> Image.Image:
    """Add noise, partly the same in all channels."""
    wide, high = image.size
    grain = _normal(chance, "grain", (high, wide, 1)) + _normal(chance, "colour", (high, wide, 3))
    strength = 5 + chance.below("noise", 8)
    noisy = np.asarray(image, np.int32) + grain * strength // _SPREAD
    return Image.fromarray(np.clip(noisy, 0, 255).astype(np.uint8))


def _normal(chance: Chance, purpose: str, shape: tuple[int, int, int]) -> np.ndarray:
    count = int(np.prod(shape))
    drawn = np.frombuffer(chance.noise(purpose, _SUMMED * count), np.uint8).astype(np.int32)
    summed: np.ndarray = drawn.reshape(_SUMMED, *shape).sum(axis=0)
    return summed - _SUMMED * 255 // 2


def _shrunk(image: Image.Image, chance: Chance) -> Image.Image:
    """Return it with the detail of a smaller picture."""
    share = chance.between("shrunk", 0.4, 0.65)
    wide, high = image.size
    small = max(1, round(wide * share)), max(1, round(high * share))
    return image.resize(small, Image.Resampling.BOX).resize(image.size, Image.Resampling.BICUBIC)


_FAULTS: Mapping[str, _Fault] = {  # in the order of their causes: light, lens, sensor, sending
    "light": _lit,
    "cast": _cast,
    "blur": _blurred,
    "noise": _noisy,
    "detail": _shrunk,
}
