"""The generated block of a card."""

from collections.abc import Iterator

from exports.building.making import Making

_SAID = {
    "images": "each picture once, its bytes embedded",
    "vocabulary": "types, values, aliases, flags and the questions that ask for them",
    "labels": "yes, no or unknown for each value of each picture",
    "false-premise": "pictures with ten questions; the later ones presuppose something false",
    "candidate-set": "dialogues up to a turn, with the boxes that are still plausible",
    "question-chain": "questions that lead in steps to an answer, each step with options",
    "decisions": "what people decided in the audits, without names",
    "responses": "what evaluated models answered, with the labels of detectors",
}


def block_of(making: Making) -> str:
    """Return the block as Markdown."""
    return "\n".join(_lines(making))


def _lines(making: Making) -> Iterator[str]:
    yield f"## What version {making.version} holds"
    yield ""
    yield "| config | rows | what a row is |"
    yield "| --- | --- | --- |"
    for one in making.written:
        yield f"| `{one.config}` | {one.rows:,} | {_what(one.config)} |"


def _what(config: str) -> str:
    if config.startswith("hidden-target"):
        return "a gallery of look-alike pictures, one of them the target"
    return _SAID[config]
