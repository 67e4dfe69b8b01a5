"""What the gate measured before this release: baselines, leaks, licences, errors of labels."""

from collections.abc import Iterator

from exports.card.facts import Facts


def gate(facts: Facts) -> Iterator[str]:
    """Yield the checks with figure and limit; nothing where no gate was run."""
    if facts.gate is None:
        return
    yield from ("## Baselines and checks", "")
    yield (
        "A guess that sees no picture, or asks nothing, should be right by chance alone. Whatever"
        " fails and was let pass all the same stands below the table with its reason."
    )
    yield ""
    yield from (*facts.gate.markdown().splitlines(), "")
