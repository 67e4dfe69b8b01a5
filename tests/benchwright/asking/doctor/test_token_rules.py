"""Rules are found again from the tokens that they give."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchwright.asking.doctor.token_rules import fitted
from benchwright.asking.findings import Measured
from benchwright.asking.tokens import picture_tokens
from benchwright.asking.voters import PictureTokens

SIZES = [(56, 56), (512, 512), (640, 480), (1000, 600), (1024, 1024), (1536, 1536), (2048, 2048)]


def measure(rule: PictureTokens) -> list[Measured]:
    return [
        Measured(width=width, height=height, tokens=picture_tokens(width, height, rule)[0])
        for width, height in SIZES
    ]


@pytest.mark.parametrize(
    "rule",
    [
        PictureTokens(fixed=576),  # LLaVA-1.5
        PictureTokens(patch=28, most=16_384),  # Qwen2-VL
        PictureTokens(patch=32, most=1536),  # capped within the sizes
        PictureTokens(patch=14, base=2),  # marks before and after
        PictureTokens(tile=512, base=85),  # GPT-4o
        PictureTokens(tile=448, per_tile=256, base=3, longest=4096, shortest=1024),
    ],
)
def test_a_known_rule_is_found_exactly(rule: PictureTokens) -> None:
    found = fitted(measure(rule))
    assert found.off == 0
    assert found.rule is not None
    assert measure(found.rule) == measure(rule)
    if rule.tile:  # several ways to scale give the same tiles
        assert (found.rule.tile, found.rule.per_tile) == (rule.tile, rule.per_tile)
    elif rule.most and rule.most > 10_000:  # no size reached the cap, so it cannot be told
        assert found.rule == PictureTokens(patch=rule.patch)
    else:
        assert found.rule == rule


@given(
    patch=st.integers(8, 64),
    base=st.integers(0, 300),
    most=st.sampled_from([None, 576, 1280, 4096]),
)
def test_an_exact_fit_gives_the_tokens_of_every_size(
    patch: int, base: int, most: int | None
) -> None:
    measured = measure(PictureTokens(patch=patch, base=base, most=most))
    found = fitted(measured)
    assert found.off == 0
    assert found.rule is not None
    assert measure(found.rule) == measured


def test_a_rule_that_nearly_fits_says_by_how_much_it_misses() -> None:
    # Qwen2-VL rounds sides to the nearest patch, where the rule counts every patch begun
    measured = [
        Measured(width=width, height=height, tokens=round(width / 28) * round(height / 28))
        for width, height in SIZES
    ]
    found = fitted(measured)
    assert found.rule is not None
    assert found.rule.patch == 28
    assert 0.11 < found.off < 0.12


@pytest.mark.parametrize(
    "tokens",
    [
        [100, 7, 900, 13, 500, 2, 44],  # by no size
        [0] * 7,  # pictures are not counted
        [-3] * 7,
    ],
)
def test_no_rule_is_made_up(tokens: list[int]) -> None:
    measured = [
        Measured(width=width, height=height, tokens=count)
        for (width, height), count in zip(SIZES, tokens, strict=True)
    ]
    found = fitted(measured)
    assert found.rule is None
    assert found.measured == tuple(measured)


def test_two_sizes_are_too_few_to_tell() -> None:
    assert fitted(measure(PictureTokens(fixed=100))[:2]).rule is None


def test_sizes_that_servers_enlarge_first_do_not_count() -> None:
    small = Measured(width=1, height=1, tokens=4)
    assert fitted([small, *measure(PictureTokens(patch=28))]).rule == PictureTokens(patch=28)
