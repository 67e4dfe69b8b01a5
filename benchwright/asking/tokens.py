"""How many tokens a call will take, before it is made and without the model's tokenizer.

Every number is a range, low and high. That of a text was set so that it holds what six tokenizers
count (docs/design/asking-costs.md); that of a picture is exact where the voter's file names the
rule of the model.
"""

import json
import math
import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from benchwright.asking.replies import Usage
from benchwright.asking.requests import Message, Request, parameters_of
from benchwright.asking.views import shown_size
from benchwright.asking.voters import PictureTokens, Price, Voter

Counts = tuple[int, int]
Size = tuple[int, int]

# what is known in public of how models count pictures, for a voter whose file names no rule
FAMILIES: tuple[PictureTokens, ...] = (
    PictureTokens(fixed=256),  # Gemma 3
    PictureTokens(fixed=576),  # LLaVA-1.5
    PictureTokens(tile=512, base=85),  # GPT-4o, high detail
    PictureTokens(patch=28, most=16_384),  # Qwen2-VL, Qwen2.5-VL
    PictureTokens(patch=32, most=1536, per_patch=1.62),  # GPT-4.1 mini
    PictureTokens(patch=32, most=16_384),  # Qwen3-VL
)
# what chat templates add: marks around each message, and once the mark of the answer and, in some,
# a system message of their own
_EACH_MESSAGE = (3, 8)
_EACH_CALL = (1, 40)

_PIECE = re.compile(
    r"(?P<word>[A-Za-z\u00c0-\u024f\u1e00-\u1eff]+)"
    r"|(?P<number>[0-9]+)"
    r"|(?P<mark>[!-~])"
    r"|(?P<blank>\s+)"
    r"|(?P<east>[\u2e80-\ua4cf\uac00-\ud7af\uf900-\ufaff\uff00-\uffef\U00020000-\U0003ffff])"
    r"|(?P<letter>[\u0250-\u1dff\u1f00-\u218f\ua4d0-\uabff\ufb00-\ufeff])"
    r"|(?P<symbol>.)",
    re.DOTALL,
)
_EACH = {
    "mark": (0.4, 1.0),  # tokenizers join marks that often stand together
    "east": (0.55, 1.5),  # Chinese, Japanese, Korean
    "letter": (0.25, 1.5),  # Cyrillic, Greek, Arabic, Indic, Thai; at worst a token a letter
    "symbol": (1.0, 4.0),  # emoji; at worst a token a byte
}


@lru_cache(maxsize=4096)  # the same templates are asked of every picture
def text_tokens(text: str) -> Counts:
    """Return the fewest and the most tokens that common tokenizers make of a text."""
    low = high = 0.0
    for piece in _PIECE.finditer(text):
        kind, found = str(piece.lastgroup), piece.group()
        least, most = _EACH[kind] if kind in _EACH else _run(kind, found)
        low, high = low + least, high + most
    return math.floor(low), math.ceil(high)


def _run(kind: str, found: str) -> tuple[float, float]:
    length = len(found)
    if kind == "number":
        return length / 3, length + 0.5
    if kind == "blank":
        return (0.0, 0.0) if found == " " else (0.5, length)
    accents = sum(letter > "\x7f" for letter in found)
    is_rare = accents > 0 or found.isupper()
    return max(1.0, length / 9), math.ceil(length / (2 if is_rare else 3) + accents)


@lru_cache(maxsize=4096)  # the same pictures are shown turn after turn
def picture_tokens(width: int, height: int, rule: PictureTokens | None) -> Counts:
    """Return the tokens of a picture as it is sent, sides in pixels.

    Low and high are the same with a rule; without one they are the least and the most that the
    rules of ``FAMILIES`` give.
    """
    counts = [_by_rule(width, height, each) for each in ((rule,) if rule else FAMILIES)]
    return min(counts), max(counts)


def _by_rule(width: int, height: int, rule: PictureTokens) -> int:
    if rule.fixed is not None:
        return rule.base + rule.fixed
    if rule.patch is not None:
        patches = _patches(width, height, rule.patch, rule.most)
        return rule.base + math.ceil(round(patches * rule.per_patch, 6))
    if rule.tile is None:
        raise ValueError("a rule without fixed, patch and tile")
    return rule.base + rule.per_tile * _tiles(width, height, rule.tile, rule)


def _patches(width: int, height: int, patch: int, most: int | None) -> int:
    """Return the patches that cover a picture, scaled down first where they are too many.

    It is scaled to the area of ``most`` patches, then a little more so that they fit whole in
    one of the two ways, which is how OpenAI describes it.
    """
    count = math.ceil(width / patch) * math.ceil(height / patch)
    if most is None or count <= most:
        return count
    shrink = math.sqrt(most * patch**2 / (width * height))
    across, down = width * shrink / patch, height * shrink / patch
    if min(across, down) < 1:  # a strip one patch thin
        return most
    fit = min(math.floor(across) / across, math.floor(down) / down)
    return min(most, math.ceil(round(across * fit, 6)) * math.ceil(round(down * fit, 6)))


def _tiles(width: int, height: int, tile: int, rule: PictureTokens) -> int:
    wide, high = float(width), float(height)
    for side, limit in ((max, rule.longest), (min, rule.shortest)):
        scale = min(1.0, limit / side(wide, high))
        wide, high = wide * scale, high * scale
    across, down = (max(1, round(side)) for side in (wide, high))  # bills show whole pixels
    return math.ceil(across / tile) * math.ceil(down / tile)


def prompt_tokens(request: Request, voter: Voter, sizes: Sequence[Size]) -> Counts:
    """Return the tokens of all that is sent with a request.

    ``sizes`` are width and height of its upright pictures, in the order of
    ``request.pictures()``; what is sent of them follows from their views and the voter's limits.
    Tools are counted; a schema of the answer counts for the high number only, since not every
    server shows it to the model.

    Raises UsageError when a view shows nothing of its picture, ValueError when there are more or
    fewer sizes than pictures.
    """
    pictures = zip(request.pictures(), sizes, strict=True)
    shown = [shown_size(*size, part.view, voter.pictures) for part, size in pictures]
    return sent_tokens(request, voter, shown)


def sent_tokens(request: Request, voter: Voter, shown: Sequence[Size]) -> Counts:
    """Return what ``prompt_tokens`` does, from the sizes of the pictures as they are sent."""
    fields = parameters_of(request, voter)
    parts = [_EACH_CALL, *(_message(message) for message in request.messages)]
    parts += [picture_tokens(*size, voter.picture_tokens) for size in shown]
    if fields.get("tools"):
        parts.append(_json(fields["tools"]))
    if fields.get("response_format"):
        parts.append((0, _json(fields["response_format"])[1]))
    return sum(low for low, _ in parts), sum(high for _, high in parts)


def _message(message: Message) -> Counts:
    low, high = _EACH_MESSAGE
    parts = [text_tokens(part) for part in message.parts if isinstance(part, str)]
    if message.fields:
        parts.append(_json(message.fields))
    return low + sum(part[0] for part in parts), high + sum(part[1] for part in parts)


def _json(value: Any) -> Counts:
    return text_tokens(json.dumps(value, ensure_ascii=False, default=str))


def money(usage: Usage, price: Price, *, batch: bool = False) -> float:
    """Return what tokens cost in the currency of the price; ``batch`` as the Batch API bills."""
    cached = min(usage.cached, usage.prompt)
    again = price.input if price.cached_input is None else price.cached_input
    full = (usage.prompt - cached) * price.input + cached * again + usage.completion * price.output
    return full * (price.batch if batch else 1.0) / 1_000_000
