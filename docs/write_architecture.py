"""Draw docs/images/architecture.svg, the way of the data: python docs/write_architecture.py.

Each stage of a workspace has a box; the drawing is refused where a place of ``benchwright
status``, a command or a record stands in none, so that the picture cannot fall behind the code.
"""

import re
import runpy
from dataclasses import dataclass
from html import escape
from pathlib import Path

from benchwright.records import SCHEMAS
from benchwright.status import PLACES

PICTURE = Path(__file__).parent / "images" / "architecture.svg"
COMMANDS = runpy.run_path(str(Path(__file__).with_name("write_commands.py")))["COMMANDS"]
_KNOWN = frozenset(record.__name__ for record in SCHEMAS)
_NAMES = frozenset({"COCO", "InViG", "OpenAI", "Open", "Images"})  # that begin as records do
_CAMEL = re.compile("[A-Z][A-Za-z]+")
WIDTH, HEIGHT = 1128, 578
_WIDE, _HIGH = 226, 118
_COLUMNS, _ROWS = (16, 306, 596, 886), (20, 218, 416)


@dataclass(frozen=True, slots=True, kw_only=True)
class Box:
    """A stage or what lies outside: where it stands, what it is, who makes it, what it holds.

    ``places`` are those of ``benchwright status`` that it stands for.
    """

    column: int
    row: int
    title: str
    command: str | None
    lines: tuple[str, ...]
    places: tuple[str, ...] = ()
    is_outside: bool = False


BOXES = (
    Box(
        column=0,
        row=0,
        title="sources",
        command=None,
        lines=("tables, COCO, Open Images,", "InViG, the built-in sample"),
        is_outside=True,
    ),
    Box(
        column=1,
        row=0,
        title="catalog/",
        command="build-catalog",
        lines=("Item, Reject, Change;", "pictures, near-duplicates"),
        places=("catalog", "catalog/duplicates", "catalog/leaks/*"),
    ),
    Box(
        column=2,
        row=0,
        title="labels/",
        command="label-attributes",
        lines=("Vote, Label;", "vocabulary.yaml, weights.json"),
        places=("labels/votes", "labels"),
    ),
    Box(
        column=3,
        row=0,
        title="galleries/",
        command="build-galleries",
        lines=("Episode: similarities, par,", "whether it can be solved"),
        places=("galleries/*",),
    ),
    Box(
        column=0,
        row=1,
        title="model servers",
        command=None,
        lines=("any with OpenAI's protocol;", "all answers in answers.sqlite"),
        is_outside=True,
    ),
    Box(
        column=1,
        row=1,
        title="dialogues/",
        command="build-dialogues",
        lines=("FalsePremise, CandidateSet,", "QuestionChain: drafts"),
        places=("dialogues/*/written/*", "dialogues/*/*", "dialogues/*"),
    ),
    Box(
        column=2,
        row=1,
        title="audits/",
        command="review-labels",
        lines=("people judge: Decision;", "plan, agreement, report"),
        places=("audits",),
    ),
    Box(
        column=3,
        row=1,
        title="releases/",
        command="push-release",
        lines=("data, card, gate, lock,", "attribution, croissant"),
    ),
    Box(
        column=0,
        row=2,
        title="trajectories/",
        command="run-benchmark trajectories",
        lines=("Step, Pair: training data", "of what was played"),
        places=("trajectories/*",),
    ),
    Box(
        column=1,
        row=2,
        title="leaderboard/",
        command="run-benchmark report",
        lines=("one page: intervals, pairs,", "a viewer of episodes"),
    ),
    Box(
        column=2,
        row=2,
        title="runs/",
        command="run-benchmark",
        lines=("Trajectory, Response,", "Grounding, ChainAnswer"),
        places=("runs/*", "runs/*/*"),
    ),
    Box(
        column=3,
        row=2,
        title="Hugging Face Hub",
        command=None,
        lines=("or a folder: a release loads", "with datasets alone"),
        is_outside=True,
    ),
)


def _x(column: int, share: float) -> float:
    return _COLUMNS[column] + share * _WIDE


def _y(row: int, share: float) -> float:
    return _ROWS[row] + share * _HIGH


_BETWEEN = [(_ROWS[row] + _HIGH + _ROWS[row + 1]) / 2 for row in (0, 1)]
_BELOW = _ROWS[2] + _HIGH + 22


@dataclass(frozen=True, slots=True, kw_only=True)
class Arrow:
    """A way between boxes: its points in the picture, words beside it and where they begin.

    ``is_both``: it goes both ways. ``is_asked``: a model is asked.
    """

    points: tuple[tuple[float, float], ...]
    words: str = ""
    at: tuple[float, float] = (0, 0)
    is_both: bool = False
    is_asked: bool = False


def _level(row: int, start: int, end: int, *, is_both: bool = False) -> Arrow:
    rightward = start < end
    points = (
        (_x(start, 1.0 if rightward else 0.0), _y(row, 0.5)),
        (_x(end, 0.0 if rightward else 1.0), _y(row, 0.5)),
    )
    return Arrow(points=points, is_both=is_both)


def _upright(column: int, share: float, start: int, end: int) -> tuple[tuple[float, float], ...]:
    """Return the points of an arrow between the rows of a column, downward or upward."""
    x = _x(column, share)
    return (x, _y(start, float(start < end))), (x, _y(end, float(start > end)))


_RIGHT = 0.72  # of a box's width: where a second arrow leaves it
ARROWS = (
    _level(0, 0, 1),
    _level(0, 1, 2),
    _level(0, 2, 3),
    Arrow(points=_upright(1, 0.5, 0, 1)),
    _level(1, 1, 2, is_both=True),
    _level(1, 2, 3),
    Arrow(
        points=_upright(2, _RIGHT, 0, 1),
        words="decisions",
        at=(_x(2, _RIGHT) + 8, _BETWEEN[0] + 4),
        is_both=True,
    ),
    Arrow(points=_upright(3, 0.5, 0, 1)),
    Arrow(
        points=_upright(3, 0.5, 1, 2),
        words="one commit, a tag",
        at=(_x(3, 0.5) + 8, _BETWEEN[1] + 4),
    ),
    _level(2, 3, 2),
    _level(2, 2, 1),
    Arrow(
        points=_upright(2, _RIGHT, 2, 1),
        words="responses",
        at=(_x(2, _RIGHT) + 8, _BETWEEN[1] + 4),
    ),
    Arrow(
        points=(
            (_x(2, 0.3), _y(2, 1)),
            (_x(2, 0.3), _BELOW),
            (_x(0, 0.5), _BELOW),
            (_x(0, 0.5), _y(2, 1)),
        ),
    ),
    Arrow(points=((_x(0, 1), _y(1, 0.5)), (_x(1, 0), _y(1, 0.5))), is_asked=True),
    Arrow(
        points=(
            (_x(0, 0.5), _y(1, 0)),
            (_x(0, 0.5), _BETWEEN[0]),
            (_x(2, 0.25), _BETWEEN[0]),
            (_x(2, 0.25), _y(0, 1)),
        ),
        words="voters answer",
        at=(_x(0, 0.5) + 8, _BETWEEN[0] - 7),
        is_asked=True,
    ),
    Arrow(
        points=(
            (_x(0, 0.5), _y(1, 1)),
            (_x(0, 0.5), _BETWEEN[1]),
            (_x(2, 0.25), _BETWEEN[1]),
            (_x(2, 0.25), _y(2, 0)),
        ),
        words="models play, and judge",
        at=(_x(0, 0.5) + 8, _BETWEEN[1] - 7),
        is_asked=True,
    ),
)


def check() -> None:
    """Refuse a picture without a place, a command or a kind of record of the code."""
    places = {place for box in BOXES for place in box.places}
    if places != set(PLACES):
        raise SystemExit(f"stages that are not drawn, or are no more: {places ^ set(PLACES)}")
    drawn = {str(box.command).split()[0] for box in BOXES if box.command}
    if missing := set(COMMANDS) - drawn - {"benchwright"}:  # which looks at all of them
        raise SystemExit(f"commands that are not drawn: {missing}")
    words = (word.strip(",;:") for box in BOXES for line in box.lines for word in line.split())
    if strangers := {word for word in words if _CAMEL.fullmatch(word)} - _KNOWN - _NAMES:
        raise SystemExit(f"records that are no more: {strangers}")


def picture() -> str:
    """Return the drawing as SVG."""
    check()
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}"'
            ' font-family="system-ui, sans-serif" role="img">',
            "<title>The way of the data, from sources to leaderboards</title>",
            "<defs>"
            '<marker id="head" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8"'
            ' markerHeight="8" orient="auto-start-reverse">'
            '<path d="M0 0 L8 4 L0 8 z" fill="context-stroke"/></marker></defs>',
            f'<rect width="{WIDTH}" height="{HEIGHT}" rx="10" fill="#f6f8fa"/>',
            *(_arrow(arrow) for arrow in ARROWS),
            *(_box(box) for box in BOXES),
            "</svg>\n",
        ]
    )


def _arrow(arrow: Arrow) -> str:
    x, y = arrow.at
    way = " ".join(f"{left:g},{top:g}" for left, top in arrow.points)
    colour = "#b9772d" if arrow.is_asked else "#3b6ea5"
    start = ' marker-start="url(#head)"' if arrow.is_both else ""
    dashes = ' stroke-dasharray="5 4"' if arrow.is_asked else ""
    drawn = (
        f'<polyline points="{way}" fill="none" stroke="{colour}" stroke-width="1.8"{dashes}'
        f'{start} marker-end="url(#head)"/>'
    )
    said = f'<text x="{x:g}" y="{y:g}" font-size="12" fill="{colour}">{escape(arrow.words)}</text>'
    return drawn + (said if arrow.words else "")


def _box(box: Box) -> str:
    x, y = _COLUMNS[box.column], _ROWS[box.row]
    edge = ' stroke-dasharray="4 3"' if box.is_outside else ""
    parts = [
        f'<rect x="{x}" y="{y}" width="{_WIDE}" height="{_HIGH}" rx="8" fill="#fff"'
        f' stroke="#c3ccd6"{edge}/>',
        f'<text x="{x + 14}" y="{y + 29}" font-size="17" font-weight="600" fill="#1d2530">'
        f"{escape(box.title)}</text>",
    ]
    if box.command:
        parts.append(
            f'<text x="{x + 14}" y="{y + 52}" font-size="13" fill="#3b6ea5"'
            f' font-family="ui-monospace, monospace">{escape(box.command)}</text>'
        )
    for number, line in enumerate(box.lines):
        parts.append(
            f'<text x="{x + 14}" y="{y + 77 + 18 * number}" font-size="13" fill="#667281">'
            f"{escape(line)}</text>"
        )
    return "".join(parts)


if __name__ == "__main__":
    PICTURE.write_text(picture(), "utf-8")
