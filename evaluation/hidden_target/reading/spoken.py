"""An answer without what is not said to anybody: reasoning, markup, what is struck through."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from benchwright.asking.reading.folding import blanked
from benchwright.asking.reading.json_text import JsonValue, json_values
from benchwright.asking.reading.markup import deleted_spans, undressed
from benchwright.asking.reading.reasoning import labelled_reasoning, reasoning_spans
from benchwright.asking.reading.words import folded

_WIDE = str.maketrans("｛｝［］＂", '{}[]"')
_MOST = 100_000  # characters at the end: the last word is there, whatever a model runs on about


@dataclass(frozen=True, slots=True, kw_only=True)
class Spoken:
    """What was said, three times at the same length, so that places agree.

    ``written`` is all as it came; ``visible`` is folded and holds no reasoning; ``plain`` holds no
    markup and no JSON either. ``values`` are the objects of JSON as they were written, by keys in
    small letters and digits alone. ``is_reasoning`` tells that there was reasoning.
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
    if "{" not in visible:
        return
    pairs = zip(written.translate(_WIDE), visible, strict=True)
    own = "".join(char if shown != " " else " " for char, shown in pairs)
    # by other quotes than JSON knows it is found where they are folded, in small letters
    for found in [*json_values(own)] or json_values(visible):
        for one in found.value if isinstance(found.value, list) else [found.value]:
            if isinstance(one, dict):
                yield replace(found, value={_bare(key): entry for key, entry in one.items()})


def _bare(key: str) -> str:
    return re.sub(r"[\W_]", "", folded(key))
