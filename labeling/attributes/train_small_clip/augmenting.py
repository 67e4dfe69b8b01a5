"""What training does to pictures so that trifles are not learnt by heart."""

from typing import Any

import numpy as np
import torch
from torch import Tensor
from torch.nn.functional import interpolate

from labeling.attributes.train_small_clip.towers import MEAN, STD

_TOGETHER = 8  # pictures that are blurred to the same degree


def augmented(
    pictures: np.ndarray, side: int, spoilt: float, chance: np.random.Generator
) -> Tensor:
    """Return uint8 (n, s, s, 3) as float (n, 3, side, side), normalised.

    Each is a random window of nine tenths or more of the picture's sides, mirrored or not, a
    little lighter or darker. The share ``spoilt`` is blurred by less resolution, in other light,
    with a tint and noise.
    """
    whole = torch.from_numpy(pictures).permute(0, 3, 1, 2)
    windows = torch.stack([_window(one, chance) for one in whole]).float() / 255
    if windows.shape[-1] != side:
        windows = interpolate(windows, size=(side, side), mode="bilinear", antialias=True)
    few = round(len(windows) * spoilt)
    seen = torch.cat([_spoilt(windows[:few], chance), windows[few:]]) if few else windows
    seen = (seen * _evenly(chance, 0.92, 1.08, len(seen))).clamp(0, 1)
    return normalised(seen)


def normalised(pictures: Tensor) -> Tensor:
    """Return (n, 3, h, w) of 0 to 1 by the mean and std that the model is given."""
    mean, std = (torch.tensor(three).view(1, 3, 1, 1) for three in (MEAN, STD))
    shown: Tensor = (pictures - mean) / std
    return shown.contiguous(memory_format=torch.channels_last)


def _window(picture: Tensor, chance: np.random.Generator) -> Tensor:
    spare = picture.shape[-1] // 13  # 16 of 208 pixels
    side = picture.shape[-1] - spare
    down, across = chance.integers(0, spare + 1, 2)
    window = picture[:, down : down + side, across : across + side]
    return window.flip(-1) if chance.random() < 0.5 else window


def _spoilt(pictures: Tensor, chance: np.random.Generator) -> Tensor:
    side = pictures.shape[-1]
    parts = []
    for part in pictures.split(_TOGETHER):
        low = round(side * chance.uniform(0.33, 1))
        small = interpolate(part, size=(low, low), mode="bilinear", antialias=True)
        parts.append(interpolate(small, size=(side, side), mode="bilinear"))
    blurred = torch.cat(parts)
    n = len(blurred)
    lit = blurred * _evenly(chance, 0.6, 1.35, n) * _evenly(chance, 0.9, 1.1, n, 3)
    noise = torch.from_numpy(chance.standard_normal(lit.shape, dtype=np.float32))
    return lit + noise * _evenly(chance, 0, 0.07, n)


def _evenly(chance: np.random.Generator, low: float, high: float, *shape: int) -> Any:
    """Return factors for (n, c, h, w), one a picture or one a channel."""
    drawn = chance.uniform(low, high, shape).astype(np.float32)
    return torch.from_numpy(drawn).reshape(*shape, *(1,) * (4 - len(shape)))
