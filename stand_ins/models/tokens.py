"""Tokens of a scripted server: words and signs of a text, pictures by a rule."""

import math
import re

from benchwright.asking.voters import PictureTokens

MEGABYTE = "A" * 990_000  # an answer of one word, so that no cap on tokens cuts it
_TOKEN = re.compile(r"\s*[A-Za-z0-9]+|\s*\S|\s+")


def tokens_of(text: str) -> list[str]:
    """Return the tokens of a text, which joined are the text again."""
    return _TOKEN.findall(text)


def prompt_tokens(length: int) -> int:
    """Return the tokens of ``length`` characters of a prompt."""
    return math.ceil(length / 4)


def picture_tokens(width: int, height: int, rule: PictureTokens) -> int:
    """Return the tokens of a picture by its size in pixels."""
    if rule.fixed is not None:
        return rule.base + rule.fixed
    if rule.patch is not None:
        patches = math.ceil(width / rule.patch) * math.ceil(height / rule.patch)
        return rule.base + (min(patches, rule.most) if rule.most else patches)
    scale = min(1.0, rule.longest / max(width, height))
    scale = min(scale, rule.shortest / min(width, height))
    side = rule.tile or 1
    across, down = (math.ceil(round(size * scale) / side) for size in (width, height))
    return rule.base + rule.per_tile * across * down
