"""What a version holds, what it leaves out and what is known to be wrong with it."""

from collections.abc import Iterator, Mapping
from types import MappingProxyType

from exports.card.facts import GALLERIES, Facts
from exports.card.markdown import table, text
from exports.contents.private_answers import holds_answers
from exports.provenance.errata import read_published

_SAID: Mapping[str, str] = MappingProxyType(
    {
        "images": "a picture, its bytes embedded, with its source; author and licence where known",
        "vocabulary": "a value of an attribute: its type, aliases, flags and questions that ask"
        " for it",
        "labels": "an answer, yes, no or unknown, to one value of one picture",
        "false-premise": "a picture with questions, of which the later ones presuppose"
        " something false",
        "candidate-set": "a dialogue up to a turn, with the boxes that may still be meant",
        "question-chain": "a question, and the steps that lead to its answer, each with options",
        "decisions": "a decision of an auditor, who is a number here",
        "responses": "an answer of an evaluated model, with the labels of detectors",
        "trajectories": "an episode as somebody played it: what was asked and told, and the guess",
    }
)


def contents(facts: Facts) -> Iterator[str]:
    """Yield the configs with their rows."""
    making = facts.making
    yield from (f"## What version {making.version} holds", "")
    rows = [(f"`{one.config}`", f"{one.rows:,}", _what(one.config)) for one in making.written]
    yield "| config | rows | a row is |"
    yield "| --- | ---: | --- |"
    yield from (f"| {' | '.join(row)} |" for row in rows)
    yield from ("", "All of it is one split, `test`: a benchmark is there to be tested on.", "")
    held = [one.config for one in making.written if holds_answers(one.config)]
    if making.settings.private_answers and held:
        names = ", ".join(f"`{name}`" for name in held)
        yield (
            f"The answers of {names} are held back: what tells them is null or left out, and"
            " `commitment` is the sha256 of a salt, a zero byte and the answers as JSON, so that it"
            " can be shown later that they were these."
        )
        yield ""


def left_out(facts: Facts) -> Iterator[str]:
    """Yield what was left out and why, and the errata; nothing where there is neither."""
    making = facts.making
    rows = [
        (f"`{config}`", text(reason), f"{count:,}")
        for config, reasons in sorted(making.gathered.left_out.items())
        for reason, count in reasons.items()
    ]
    if rows:
        yield from ("## What was left out", "")
        yield "A sample is left out as a whole where one picture that it shows may not be shared."
        yield ""
        yield from table(("of", "why", "samples"), rows, 2)
    faults = read_published(making.folder)
    if faults:
        yield from ("## Known faults", "")
        yield from table(
            ("of", "id", "what is wrong", "found in", "withdrawn in"),
            [
                (
                    *(text(one.config), text(one.id), text(one.reason, 500)),
                    *(one.found_in, one.withdrawn_in or "still there"),
                )
                for one in faults
            ],
            5,
        )


def _what(config: str) -> str:
    if config.startswith(GALLERIES):
        return "a gallery of look-alike pictures, one of them the hidden target"
    return _SAID[config]
