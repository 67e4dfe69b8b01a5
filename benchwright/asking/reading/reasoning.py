"""What a model says to itself before it answers."""

import re

from benchwright.asking.reading.folding import Span

_NAMES = "think|thinking|thought|thoughts|reasoning|reflection|scratchpad|analysis"
_TAG = re.compile(
    rf"<(?P<tag>/?)(?:\w{{1,12}}:)?(?:{_NAMES})(?:\s[^<>/]{{0,99}})?>"
    r"|◁(?P<kimi>/?)think▷"
    r"|\[(?P<mistral>/?)think\]"
    r"|<\|(?P<thought>begin|end)_of_thought\|>"
    r"|<\|channel\|>(?P<channel>analysis|final)(?:<\|message\|>)?"
    r"|(?P<leaked>assistantfinal)",
    re.IGNORECASE,
)
_LABELLED = re.compile(
    rf"\W{{0,20}}(?:{_NAMES}|(?:thought|reasoning) process|思考过程|思考|推理过程|推理|分析)"
    r"[*_ ]{0,4}[:：]"
)
_BLANK_LINE = re.compile(r"\n[ \t\r]{0,20}\n")
_CLOSING = {"/", "end", "final", "assistantfinal"}


def reasoning_spans(text: str) -> list[Span]:
    """Return where reasoning stands in an answer, tags and all, in order.

    A block that is not closed goes on to the end; a closing tag without an opening one (which the
    server's template had put into the prompt) ends a block that began with the text.
    """
    spans: list[Span] = []
    opened: int | None = None
    for tag in _TAG.finditer(text):
        if (tag[tag.lastgroup or 0] or "").lower() not in _CLOSING:
            opened = tag.start() if opened is None else opened
        elif opened is None:
            spans = [(0, tag.end())]
        else:
            spans.append((opened, tag.end()))
            opened = None
    if opened is not None:
        spans.append((opened, len(text)))
    return spans


def labelled_reasoning(text: str) -> list[Span]:
    """Return the first paragraph of a folded text where it is headed as reasoning.

    Not where nothing follows it.
    """
    start = len(text) - len(text.lstrip())
    end = _BLANK_LINE.search(text, start) if _LABELLED.match(text, start) else None
    return [(start, end.end())] if end else []


def without_reasoning(text: str) -> str:
    """Return an answer without its blocks of reasoning, closed or not, and without outer blanks."""
    parts, at = [], 0
    for start, end in reasoning_spans(text):
        parts.append(text[at:start])
        at = end
    return "".join([*parts, text[at:]]).strip()
