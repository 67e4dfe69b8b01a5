"""The sentences of an answer, each with where it stands."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

_END = re.compile(
    r"[?؟]+[!?؟]*|[!。]+|(?<!\be\.g)(?<!\bi\.e)(?<!\bvs)(?<!\bapprox)(?<!\bno)(?<!\bnr)(?<!\d)\.(?=\s|$|[\"')*])"
    r"|(?<=\d)\.(?=\s)|\n"
)
_DRESS = " \t\n\"'*_)]}`"
# how a new sentence begins, not a wrapped line
_OPENING = re.compile(r"[ \t]*(?:[^\Wa-z]|[^\w\s(]|\n|$)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Sentence:
    """A sentence from ``start`` to ``end``, its sign among them; ``opens`` a paragraph."""

    start: int
    end: int
    is_question: bool
    opens: bool


def sentences(written: str, plain: str) -> Iterator[Sentence]:
    """Yield the sentences of a text in order.

    ``plain`` is the folded ``written``, undressed: of the same length. A line that is wrapped in
    the middle of a sentence goes on; it is told by its small letter.
    """
    start, before = 0, -1
    for sign in [*_END.finditer(plain), None]:
        if sign and sign[0] == "\n" and not _OPENING.match(written, sign.end()):
            continue
        end = sign.end() if sign else len(plain)
        body = plain[start : sign.start() if sign else end]
        if text := body.strip(_DRESS):
            first = start + body.index(text[0])
            yield Sentence(
                start=start,
                end=end,
                is_question=sign is not None and sign[0][0] in "?؟",
                opens=before < 0 or plain.count("\n", before, first) > 1,
            )
            before = start + len(body.rstrip())
        start = end
