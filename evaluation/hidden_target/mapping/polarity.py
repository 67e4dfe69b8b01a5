"""Which words of a question are denied."""

from collections.abc import Sequence

from evaluation.hidden_target.mapping.english import English, english
from evaluation.hidden_target.mapping.tokens import Token

_SHORT, _LASTING = "short", "lasting"


def denied(tokens: Sequence[Token]) -> list[bool]:
    """Return for each word whether yes to the question denies it.

    Two negations lift each other. A question that begins with a contracted one expects that it is
    so and denies nothing: "Isn't the skirt pleated?". ``without`` and ``lack`` go on over "and",
    ``not`` and ``no`` over "or" only; "but" and "with" end both. What stands in ``after_negators``
    denies what stands before it in its clause.
    """
    known = english()
    found = [False] * len(tokens)
    active: list[str] = []
    clause = 0
    for at, token in enumerate(tokens):
        if _ends_clause(token):
            active, clause = [kind for kind in active if token.text == ","], at + 1
        elif token.text in known.ending_negation and not _is_pair(tokens, at, known):
            active, clause = [], at + 1
        elif token.text == "and":
            active = [kind for kind in active if kind == _LASTING]
        elif _denies_before(tokens, at, known):
            found[clause:at] = [not one for one in found[clause:at]]
        elif token.text == "nor":  # goes on with "neither"
            active = [_LASTING]
        elif kind := _negator(tokens, at, known):
            active.append(kind)
        found[at] = len(active) % 2 == 1
    return found


def _ends_clause(token: Token) -> bool:
    return not token.stem and token.text not in "()"


def _is_pair(tokens: Sequence[Token], at: int, known: English) -> bool:
    after = tokens[at + 1].text if at + 1 < len(tokens) else ""
    return (tokens[at].text, after) in known.negating_pairs


def _negator(tokens: Sequence[Token], at: int, known: English) -> str:
    text, after = tokens[at].text, tokens[at + 1].text if at + 1 < len(tokens) else ""
    before = tokens[at - 1].text if at else ""
    if (text, after) in known.negating_pairs:
        return _LASTING
    if text.endswith("n't") or text == "cannot":
        return "" if _is_first(tokens, at) else _SHORT
    if text in known.lasting_negators or tokens[at].stem in known.lasting_negators:
        return _LASTING
    if text in known.short_negators:
        is_phrase = after in ("only", "just") or (before == "or" and after in ("", "?", ","))
        return "" if is_phrase else _SHORT
    return ""


def _is_first(tokens: Sequence[Token], at: int) -> bool:
    """Tell whether nothing of the clause stands before a word; a tag at the end is such a one."""
    return at == 0 or not tokens[at - 1].stem


def _denies_before(tokens: Sequence[Token], at: int, known: English) -> bool:
    text = tokens[at].text
    after = tokens[at + 1].text if at + 1 < len(tokens) else ""
    if text in ("absent", "missing", "lacking") or (text == "free" and tokens[at].is_joined):
        return after in ("", "?", ".", ",", "from", "on", "in", "at", "and", "or", "entirely")
    is_not = text == "not" or (text.endswith("n't") and not _is_first(tokens, at))
    return is_not and after in known.presence
