"""Which rule gives the tokens that pictures of several sizes were counted as."""

from collections.abc import Iterator, Sequence

from benchwright.asking.doctor.amounts import TELLING_SIDE
from benchwright.asking.findings import Measured, TokenRule
from benchwright.asking.tokens import picture_tokens
from benchwright.asking.voters import PictureTokens

# the largest share by which a rule may miss and still be of use: models that round a side to the
# nearest patch, where the rule counts every patch begun, are 11 % off at 512 pixels
_NEAR = 0.15
_COMMON = (28, 32, 14, 16)
_PATCHES = (*_COMMON, *(patch for patch in range(8, 65) if patch not in _COMMON))
_MOST = (256, 576, 768, 1024, 1280, 1536, 2048, 2560, 3072, 4096, 6144, 8192, 10_240, 16_384)
_TILES = (512, 448, 384, 336, 256, 768)
_LONGEST = (2048, 1024, 1536, 4096)
_SHORTEST = (768, 512, 1024, 2048)


def fitted(measured: Sequence[Measured]) -> TokenRule:
    """Return the simplest rule that fits exactly, else the nearest common one, else none."""
    told = [one for one in measured if min(one.width, one.height) >= TELLING_SIDE]
    sizes = len({(one.width, one.height) for one in told})
    if sizes < 3 or min(one.tokens for one in told) <= 0:
        return TokenRule(measured=tuple(measured))
    best, off = None, _NEAR
    for rule in _rules(told):
        missed = max(abs(_tokens(one, rule) - one.tokens) / one.tokens for one in told)
        if missed == 0:
            return TokenRule(measured=tuple(measured), rule=rule)
        if missed < off and (rule.patch is None or rule.patch in _COMMON):
            best, off = rule, missed
    return TokenRule(measured=tuple(measured), rule=best, off=round(off, 3) if best else 0.0)


def _tokens(one: Measured, rule: PictureTokens) -> int:
    return picture_tokens(one.width, one.height, rule)[0]


def _rules(told: Sequence[Measured]) -> Iterator[PictureTokens]:
    """Yield the rules that may fit, the simplest and the best known first."""
    yield PictureTokens(fixed=told[0].tokens)
    largest = max(one.tokens for one in told)
    for most in (None, *_MOST, largest):
        for patch in _PATCHES:
            rule = PictureTokens(patch=patch, most=most)
            yield _with_base(rule, told)
    for tile in _TILES:
        for longest in _LONGEST:
            for shortest in _SHORTEST:
                rule = PictureTokens(tile=tile, per_tile=1, longest=longest, shortest=shortest)
                per_tile = _per_tile(rule, told)
                if per_tile is not None:
                    yield _with_base(rule.model_copy(update={"per_tile": per_tile}), told)


def _with_base(rule: PictureTokens, told: Sequence[Measured]) -> PictureTokens:
    """Return the rule with the base that all sizes agree on, without one where they do not."""
    left = {one.tokens - _tokens(one, rule) for one in told}
    base = left.pop() if len(left) == 1 else 0
    return rule.model_copy(update={"base": max(0, base)})


def _per_tile(rule: PictureTokens, told: Sequence[Measured]) -> int | None:
    """Return the tokens of a tile, from the sizes with the fewest and the most tiles."""
    few, many = (pick(told, key=lambda one: _tokens(one, rule)) for pick in (min, max))
    tiles, tokens = _tokens(many, rule) - _tokens(few, rule), many.tokens - few.tokens
    return tokens // tiles if tiles > 0 and tokens > 0 and tokens % tiles == 0 else None
