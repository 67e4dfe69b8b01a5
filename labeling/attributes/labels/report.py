"""What a command says of a normalisation."""

from benchwright.workspace import Workspace
from labeling.attributes.labels.normalise import Normalised

_SHOWN = 12  # lines of a list before it is cut


def normalisation_lines(result: Normalised, workspace: Workspace) -> list[str]:
    """Return the lines that say what a normalisation did."""
    counts = result.manifest.counts
    done = " (done before)" if result.done_before else ""
    lines = [
        f"{counts['labels']:,} labels of {counts['pictures']:,} pictures: "
        f"{counts['values']} values in {counts['types']} types{done}"
    ]
    if result.made_vocabulary:
        guessed = [entry.type for entry in result.vocabulary.types if entry.exclusive]
        hidden = [entry.type for entry in result.vocabulary.types if not entry.askable]
        lines.append(f"Made {workspace.vocabulary} from the catalog; look it over:")
        lines.append(f"  one value a picture (guessed): {', '.join(guessed) or 'no type'}")
        lines.append(f"  not asked about: {', '.join(hidden) or 'no type'}")
    lines += listed(
        "Spellings merged:",
        [
            f"{value.type}: {' + '.join(repr(text) for text in spellings)} -> {value.value!r}"
            for value, spellings in result.merged
        ],
    )
    lines += listed(
        "Not in the vocabulary, so no label:",
        [
            f"{type_name}: {value!r} ({pictures_text(count)})"
            for (type_name, value), count in result.left_out.items()
        ],
    )
    suggested = [
        f"{entry.type}: {entry.value!r} ({pictures_text(entry.count)}) -> "
        + (f"{entry.into_type}: " if entry.kind == "misplaced" else "")
        + f"{entry.into!r}"
        for entry in result.suggestions()
    ]
    title = "Suggested, not applied (label-attributes normalise --accept all, or VALUE,VALUE):"
    return lines + listed(title, suggested, shown=len(suggested))


def listed(title: str, entries: list[str], shown: int = _SHOWN) -> list[str]:
    """Return a title and its entries, at most ``shown`` of them; nothing without entries."""
    if not entries:
        return []
    more = [f"  and {len(entries) - shown} more"] if len(entries) > shown else []
    return [title, *(f"  {entry}" for entry in entries[:shown]), *more]


def pictures_text(count: int) -> str:
    """Return a number of pictures in words."""
    return "1 picture" if count == 1 else f"{count:,} pictures"
