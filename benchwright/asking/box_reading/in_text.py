"""Boxes in plain text: between tags, in brackets, under names, four numbers on a line."""

import re
from collections.abc import Iterator

from benchwright.asking.box_reading.corners import Corners, corners_of

_NUMBER = r"[-+]?(?:\d{1,9}(?:\.\d{1,25})?|\.\d{1,25})(?:[eE][-+]?\d{1,3})?(?:px)?"
_N = rf"\s{{0,4}}({_NUMBER})\s{{0,4}}"
_BETWEEN = r"(?:[,;，、|]|(?<=\s))"
_FOUR = rf"{_N}{_BETWEEN}{_N}{_BETWEEN}{_N}{_BETWEEN}{_N}"
_OPEN, _CLOSE = r"[\[(（【{]", r"\\?[\])）】}]"
_POINT = rf"{_OPEN}{_N}{_BETWEEN}{_N}{_CLOSE}"
_THEN = (
    r"\s{0,4}(?:[,;，、–—-]|->|→|to|and)?\s{0,4}"
    r"(?:(?:and )?(?:the )?(?:bottom|lower)[ _-]right(?: corner)?(?: is| at)?[:=]?\s{0,4})?"
)


def _named(*names: str) -> str:
    return r"\W{1,4}".join(
        rf"(?:{name})[\"'*]{{0,3}}\s?[:=]?\s{{0,3}}({_NUMBER})" for name in names
    )


_BRACKETED = re.compile(
    rf"{_OPEN}{_FOUR}{_CLOSE}|{_POINT}{_THEN}{_POINT}"
    rf"|{_named('x_?1|x_?min|left', 'y_?1|y_?min|top', 'x_?2|x_?max|right', 'y_?2|y_?max|bottom')}",
    re.IGNORECASE,
)
_LINE = re.compile(
    rf"^(?:[^\d\n+-]|[+-](?![\d.])){{0,80}}(?:\d{{1,2}}[.):] )?{_FOUR}[.;,|*`\s]{{0,5}}$",
    re.MULTILINE,
)
_NAMES = r"(?:box_start|begin_of_box|box|bbox|bounding_?box)"
_TAGGED = re.compile(
    rf"<\|?{_NAMES}\|?>([^<]{{0,2000}})<[/|]?(?:{_NAMES}|box_end|end_of_box)\|?>", re.IGNORECASE
)
_ANY_NUMBER = re.compile(rf"(?<![\d.]){_NUMBER}(?![\d.])")


def tagged(text: str) -> Iterator[Corners]:
    """Yield the boxes between tags such as ``<box>``: each four numbers there are one."""
    for found in _TAGGED.finditer(text):
        numbers = _ANY_NUMBER.findall(found[1])
        if len(numbers) % 4 == 0:
            for at in range(0, len(numbers), 4):
                yield from _as_corners(numbers[at : at + 4])


def bracketed(text: str) -> Iterator[Corners]:
    """Yield the boxes in brackets, as two points, or under names such as x1."""
    for found in _BRACKETED.finditer(text):
        yield from _as_corners([said for said in found.groups() if said is not None])


def on_lines(text: str) -> Iterator[Corners]:
    """Yield the boxes that are four numbers on a line of their own, behind words or a bullet."""
    for found in _LINE.finditer(text):
        yield from _as_corners(list(found.groups()))


def _as_corners(numbers: list[str]) -> Iterator[Corners]:
    corners = corners_of([number.lower().removesuffix("px") for number in numbers])
    if corners is not None:
        yield corners
