"""An answer without what is not said to anybody: reasoning, markup, what is struck through."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from benchwright.asking.reading.folding import blanked
from benchwright.asking.reading.json_text import JsonValue, json_values
from benchwright.asking.reading.markup import deleted_spans, undressed
from benchwright.asking.reading.reasoning import labelled_reasoning, reasoning_spans
from benchwright.asking.reading.words import folded

_MOST = 100_000  # characters at the end: the last word is there, whatever a model runs on about


@dataclass(frozen=True, slots=True, kw_only=True)
class Spoken:
    """What was said, three times at the same length, so that places agree.

    ``written`` is all as it came; ``visible`` is folded and holds no reasoning; ``plain`` holds no
    markup and no JSON either. ``values`` are the objects of JSON. ``is_reasoning`` tells that there
    was reasoning.
    """

    written: str
    visible: str
    plain: str
    values: tuple[JsonValue, ...]
    is_reasoning: bool


def spoken(text: str) -> Spoken:
    """Return what a text says at its end, in time linear in its length."""
    whole = folded(text)
    spans = reasoning_spans(whole)
    visible = blanked(whole, spans)
    beyond = max(0, len(visible) - _MOST)
    text, visible = text[beyond:], visible[beyond:]
    visible = blanked(visible, labelled_reasoning(undressed(visible)))
    visible = blanked(visible, deleted_spans(visible))
    values = tuple(_objects(text, visible))
    plain = blanked(undressed(visible), [(one.start, one.end) for one in values])
    return Spoken(
        written=text, visible=visible, plain=plain, values=values, is_reasoning=bool(spans)
    )


def _objects(written: str, visible: str) -> Iterator[JsonValue]:
    """Yield the objects of JSON with their texts as they were written."""
    for found in json_values(visible):
        own = next(json_values(written[found.start : found.end]), None)
        is_same = own is not None and own.end - own.start == found.end - found.start
        value = own.value if own and is_same else found.value
        for one in value if isinstance(value, list) else [value]:
            if isinstance(one, dict):
                yield replace(found, value=one)
