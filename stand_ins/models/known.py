"""Known pictures: the server recognises what it was shown before, as a person would."""

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt
from PIL import Image

from stand_ins.models.question import Look, Part
from stand_ins.models.script import Reference

_SIDE = 32
_NEAR = 9.0  # root mean square of 0 to 255 between small copies of the same picture, at most
_FEW = 4
_SHAPE = 0.06  # how far the aspect may be off

Thumb = npt.NDArray[np.float32]


class Recogniser:
    """Eyes that compare small copies; turned, mirrored, cut or squeezed pictures are unknown."""

    def __init__(
        self, references: Mapping[str, Reference], values: Sequence[tuple[str, str]]
    ) -> None:
        self._keys = list(references)
        self._truths = []
        thumbs, aspects = [], []
        for reference in references.values():
            yes = set(reference.values)
            self._truths.append({value: value in yes for value in values})
            thumb, aspect = _thumb_of(reference.path)
            thumbs.append(thumb)
            aspects.append(aspect)
        self._thumbs = np.array(thumbs)
        self._coarse = np.array([_coarse(thumb) for thumb in thumbs])
        self._aspects = np.array(aspects)

    def look(self, image: Image.Image) -> Look:
        """Return the known picture that this is, or that it is unknown."""
        thumb = _thumb(image)
        nearest = self._nearest(thumb, image.width / image.height)
        if nearest is None or _is_turned(thumb, self._thumbs[nearest]):
            return Look(sight="unknown")
        code, truths = self._keys[nearest], self._truths[nearest]
        whole = Part(code=code, bounds=(0, 0, image.width, image.height), truths=truths)
        return Look(sight="seen", code=code, truths=truths, parts=(whole,))

    def _nearest(self, thumb: Thumb, aspect: float) -> int | None:
        # all are compared coarsely, a few well: whole copies would keep every core busy
        far = np.square(self._coarse - _coarse(thumb)).sum(axis=1)
        far[abs(self._aspects / aspect - 1) > _SHAPE] = np.inf
        few = [index for index in far.argsort(kind="stable")[:_FEW] if far[index] < np.inf]
        best = min(few, key=lambda index: _distance(thumb, self._thumbs[index]), default=None)
        if best is None or _distance(thumb, self._thumbs[best]) > _NEAR**2:
            return None
        return int(best)


def _thumb_of(path: Path) -> tuple[Thumb, float]:
    with Image.open(path) as image:
        aspect = image.width / image.height
        return _thumb(image.convert("RGB")), aspect


def _thumb(image: Image.Image) -> Thumb:
    small = image.resize((_SIDE, _SIDE), Image.Resampling.BOX)
    return np.asarray(small, np.float32)


def _coarse(thumb: Thumb) -> Thumb:
    """Return the colours of 8 x 8 fields, in a row."""
    fields: Thumb = thumb.reshape(8, _SIDE // 8, 8, _SIDE // 8, 3).mean(axis=(1, 3)).reshape(-1)
    return fields


def _distance(one: Thumb, other: Thumb) -> float:
    return float(np.square(one - other).mean())


def _is_turned(thumb: Thumb, reference: Thumb) -> bool:
    """Tell whether the picture fits better when it is turned or mirrored."""
    as_it_is = _distance(thumb, reference)
    ways = [np.rot90(way, quarters) for way in (thumb, thumb[:, ::-1]) for quarters in range(4)]
    return any(_distance(way, reference) < as_it_is for way in ways)
