"""Figures as people read them in a terminal."""

from collections.abc import Callable

from evaluation.scoring.figures import Figure

NOTHING = "-"  # stands for what could not be measured


def share(value: float | None) -> str:
    """Return a share, 0 to 1, in per cent."""
    return NOTHING if value is None else f"{value:.1%}"


def points(value: float | None) -> str:
    """Return a difference of shares, -1 to 1, in points of per cent."""
    return NOTHING if value is None else f"{100 * value:.1f} pt"


def number(value: float | None, places: int = 1) -> str:
    """Return a number that is no share."""
    return NOTHING if value is None else f"{value:.{places}f}"


def interval(figure: Figure, spell: Callable[[float | None], str]) -> str:
    """Return the bounds of a figure, spelt like the figure; a dash where there are none."""
    if figure.low is None or figure.high is None:
        return NOTHING
    low, high = (spell(bound).rstrip(" %pt") for bound in (figure.low, figure.high))
    return f"{low} to {high}"


def spoken(name: str) -> str:
    """Return the name of a metric or a part in words."""
    return name.replace("_", " ")
