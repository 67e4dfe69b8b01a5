"""Logprobs that agree with the answer."""

import math
from collections.abc import Sequence
from typing import Any

_SPELLINGS = {True: ("Yes", "yes", "YES"), False: ("No", "no", "NO")}
_CHINESE = {True: ("是", "有"), False: ("不", "否")}
_WORDS = {
    word.casefold()
    for table in (_SPELLINGS, _CHINESE)
    for words in table.values()
    for word in words
}
_MASS = 0.98  # of all spellings; the rest goes to other words


def logprobs_of(tokens: Sequence[str], p_yes: float | None, top: int) -> dict[str, Any]:
    """Return the ``logprobs`` of a choice with ``top`` alternatives for each token.

    At the first token that spells yes or no, the spellings of yes have ``p_yes`` of the mass and
    those of no the rest; the likelier come first. Every other token is all but certain.
    """
    content = []
    pending = p_yes
    for token in tokens:
        alternatives = [(token, math.log(0.99)), (" ", math.log(0.005))]
        if pending is not None and token.strip().casefold() in _WORDS:
            alternatives = _alternatives(token, pending)
            pending = None
        content.append(_entry(token, alternatives, top))
    return {"content": content, "refusal": None}


def _alternatives(token: str, p_yes: float) -> list[tuple[str, float]]:
    """Return the spellings of both answers with their logarithms, the likeliest first."""
    own = token.strip()
    space = token.removesuffix(own)
    found = []
    for said, words in (_SPELLINGS if own.isascii() else _CHINESE).items():
        mass = _MASS * (p_yes if said else 1 - p_yes)
        shares = (0.7, 0.2, 0.1) if len(words) == 3 else (0.8, 0.2)
        own_first = sorted(words, key=lambda word: word != own)
        found += [
            (space + word, math.log(max(mass * part, 1e-12)))
            for word, part in zip(own_first, shares, strict=True)
        ]
    return sorted(found, key=lambda pair: -pair[1])


def _entry(token: str, alternatives: list[tuple[str, float]], top: int) -> dict[str, Any]:
    listed = [
        {"token": text, "logprob": value, "bytes": list(text.encode("utf-8", "replace"))}
        for text, value in alternatives[:top]
    ]
    own = dict(alternatives).get(token, alternatives[0][1])
    return {
        "token": token,
        "logprob": own,
        "bytes": list(token.encode("utf-8", "replace")),
        "top_logprobs": listed,
    }
