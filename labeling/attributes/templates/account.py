"""What the command says of the templates."""

from collections.abc import Iterator, Mapping, Sequence

from benchwright.plain_text import plain
from labeling.attributes.labels.report import listed
from labeling.attributes.templates.making import Broken, Made, refused_by_reason
from labeling.attributes.vocabulary.vocabulary import Vocabulary


def account_lines(
    made: Made, faults: Mapping[tuple[str, str], str], *, writer: str | None, wanted: int
) -> list[str]:
    """Return what was kept and written, what was refused and why, and three examples.

    ``faults`` says why the model wrote nothing for a value.
    """
    values = made.vocabulary.values
    lines = [
        f"{len(values):,} values, {sum(len(value.templates) for value in values):,} templates",
        f"  kept: {made.own:,} of your own, {made.earlier:,} written before",
        f"  written: {made.by_pattern:,} by patterns"
        + (f", {made.by_model:,} by {writer}" if writer else ""),
    ]
    if made.dropped:
        lines.append(f"  replaced, or no longer by the rules: {made.dropped:,}")
    if made.refused:
        reasons = ", ".join(f"{reason} {n:,}" for reason, n in refused_by_reason(made).items())
        lines += listed(
            f"Refused of {writer}'s ({reasons}):", list(map(_broken_line, made.refused))
        )
    lines += listed(
        f"No wording from {writer}, so patterns:",
        [f"{type_name}: {value}: {fault}" for (type_name, value), fault in faults.items()],
    )
    lines += listed(
        "Yours that break a rule, kept all the same:", list(map(_broken_line, made.warned))
    )
    lines += listed(
        f"Fewer than {wanted}; write some under templates in vocabulary.yaml:",
        [f"{value.type}: {value.value} has {len(value.templates)}" for value in made.short],
    )
    return lines + listed("For example:", list(_examples(made.vocabulary)))


def check_lines(broken: Sequence[Broken], vocabulary: Vocabulary) -> list[str]:
    """Return the templates that break a rule, each with what it breaks."""
    total = sum(len(value.templates) for value in vocabulary.values)
    lines = [
        f"{total:,} templates of {len(vocabulary.values):,} values: {len(broken):,} break a rule"
    ]
    return lines + [f"  {_broken_line(one)}" for one in broken]


def _broken_line(broken: Broken) -> str:
    value, fault = broken.value, broken.fault
    said = plain(broken.template)
    return f"{value.type}: {value.value}: {said!r} ({fault.reason}: {fault.message})"


def _examples(vocabulary: Vocabulary) -> Iterator[str]:
    asked = [value for value in vocabulary.values if value.templates]
    places = sorted({0, len(asked) // 2, len(asked) - 1}) if asked else []
    for number, place in enumerate(places):
        value = asked[place]
        yield f"{value.type}: {value.value}: {value.templates[number % len(value.templates)]}"
