"""Labels that detectors were asked for and did not give, and what helps then."""

from collections.abc import Iterator, Mapping, Sequence

from benchwright.plain_text import counted
from benchwright.records import Response


def lost_labels(responses: Sequence[Response]) -> dict[str, int]:
    """Return how many labels are missing, by detector, in the order in which they are named."""
    lost: dict[str, int] = {}
    for response in responses:
        for each in response.detectors:
            lost[each.name] = lost.get(each.name, 0) + (each.label is None)
    return lost


def lost_text(lost: Mapping[str, int]) -> str:
    """Return how many labels of which detectors are missing."""
    return ", ".join(
        f"{counted(count, 'label')} of {name}" for name, count in lost.items() if count
    )


def help_lines(lost: Mapping[str, int], score: str) -> Iterator[str]:
    """Yield what helps a run that was played to its end; ``score`` is the command that scores it.

    Detectors that gave all of their labels can score it by themselves.
    """
    whole = [name for name, count in lost.items() if not count]
    if whole:
        yield f"{score} --detectors {','.join(whole)}"
    yield (
        "the same command with --again refused, which asks anew for labels that were refused, or"
        " with another detector more"
    )
