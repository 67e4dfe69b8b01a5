"""Pictures at once, sides, and the tokens that pictures cost."""

from collections.abc import Callable
from typing import Any

import pytest

from benchwright.asking.doctor.advice import advice_lines, advised
from benchwright.asking.findings import Findings
from benchwright.asking.voters import PictureTokens, Voter
from stand_ins.models import Model, Turn
from stand_ins.models.question import Question

Examined = Callable[..., Findings]


@pytest.mark.parametrize(
    ("at_most", "file", "most", "bound"),
    [
        (None, None, 32, 32),  # as many as are tried
        (None, 5, 5, 5),  # no more than the file wants
        (1, None, 1, 32),
        (3, None, 3, 32),
        (20, None, 20, 32),  # the most calls: five up, four between
        (32, 100, 32, 32),
        (4, 1, 1, 1),  # nothing to ask
    ],
)
def test_pictures_at_once(
    scripted: Callable[..., Model],
    entry: Callable[..., Voter],
    examined: Examined,
    at_most: int | None,
    file: int | None,
    most: int,
    bound: int,
) -> None:
    findings = examined(scripted(pictures_at_most=at_most), pictures={"at_once": file})
    found = findings.at_once
    assert found is not None
    assert (found.most, found.bound) == (most, bound)
    assert found.last_is_seen is (None if most == 1 else True)
    if most < bound:
        assert found.message
        assert "at most" in found.message
        advice = advice_lines(entry(), findings)
        assert f"pictures: {{at_once: {most}}}" in advice


def test_the_last_of_many_is_not_seen(
    scripted: Callable[..., Model], examined: Examined, colours: Callable[[Question], Turn]
) -> None:
    def first_alone(question: Question) -> Turn:
        if len(question.pictures) > 1:
            return Turn(text="white")
        return colours(question)

    found = examined(scripted(), first_alone).at_once
    assert found is not None
    assert (found.most, found.last_is_seen) == (32, False)


@pytest.mark.parametrize(
    ("longest", "file", "largest", "refused", "advice"),
    [
        (1535, 1536, 1024, 1536, "pictures: {max_side: 1024}"),
        (1536, 1536, 1536, 2048, None),  # the file's own side is tried too, and holds
        (1000, 1536, 512, 1024, "pictures: {max_side: 512}"),
        (600, 448, 512, 1024, None),
    ],
)
def test_the_largest_side(
    scripted: Callable[..., Model],
    entry: Callable[..., Voter],
    examined: Examined,
    longest: int,
    file: int,
    largest: int,
    refused: int,
    advice: str | None,
) -> None:
    findings = examined(scripted(longest_side=longest), pictures={"max_side": file})
    sides = findings.sides
    assert sides is not None
    assert (sides.smallest, sides.largest, sides.refused_large) == (1, largest, refused)
    assert "over the limit" in (sides.message or "")
    lines = advice_lines(entry(pictures={"max_side": file}), findings)
    assert [line for line in lines if "max_side" in line] == ([advice] if advice else [])


def test_a_side_that_would_be_dear_is_left_out(examined: Examined) -> None:
    sides = examined().sides
    assert sides is not None
    assert (sides.largest, sides.too_dear, sides.refused_large) == (2048, 4096, None)


@pytest.mark.parametrize(
    ("shortest", "file", "found", "advice"),
    [
        (28, 28, (28, 14), None),
        (29, 28, (56, 28), 56),
        (57, 28, (224, 56), 224),
        (10, 12, (12, 8), None),  # the file's own side is tried too
        (1, 28, (1, None), None),
    ],
)
def test_the_smallest_side(
    probe: Callable[..., Findings],
    entry: Callable[..., Voter],
    odd_server: Callable[..., str],
    refusing: Callable[[int], Any],
    shortest: int,
    file: int,
    found: tuple[int, int | None],
    advice: int | None,
) -> None:
    findings = probe(odd_server(refusing(shortest)), pictures={"min_side": file})
    sides = findings.sides
    assert sides is not None
    assert (sides.smallest, sides.refused_small) == found
    pictures = advised(entry(pictures={"min_side": file}), findings)["pictures"]
    assert pictures == {"max_side": 512} | ({"min_side": advice} if advice else {})


@pytest.fixture
def refusing(seeing: Any, odd_error: Any, odd_pictures: Any) -> Callable[[int], Any]:
    """Refuse pictures with a side shorter than this, or longer than 1,000 pixels."""

    def make(shortest: int) -> Any:
        def odd(body: dict[str, Any]) -> Any:
            sides = [side for image in odd_pictures(body) for side in image.size]
            if sides and (min(sides) < shortest or max(sides) > 1000):
                return odd_error(400, "no such side")
            return seeing(body)

        return odd

    return make


@pytest.mark.parametrize(
    ("rule", "line"),
    [
        (PictureTokens(patch=28, base=2), "picture_tokens: {patch: 28, base: 2}"),
        (PictureTokens(patch=14), "picture_tokens: {patch: 14}"),
    ],
)
def test_the_rule_of_the_tokens(
    scripted: Callable[..., Model],
    entry: Callable[..., Voter],
    examined: Examined,
    rule: PictureTokens,
    line: str,
) -> None:
    findings = examined(scripted(picture_tokens=rule))
    assert findings.tokens is not None
    assert (findings.tokens.rule, findings.tokens.off) == (rule, 0)
    assert line in advice_lines(entry(), findings)
    own = entry(picture_tokens=rule)
    assert not any("picture_tokens" in one for one in advice_lines(own, findings))


def test_a_server_that_does_not_count(
    probe: Callable[..., Findings], odd_server: Callable[..., str], seeing: Any
) -> None:
    def odd(body: dict[str, Any]) -> Any:
        said = seeing(body)
        del said.body["usage"]
        return said

    findings = probe(odd_server(odd))
    assert findings.is_usable
    assert findings.tokens is not None
    assert (findings.tokens.measured, findings.tokens.rule) == ((), None)
