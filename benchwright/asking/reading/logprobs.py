"""P(yes) from the probabilities of the tokens that a model might have said instead."""

import math
import re

from benchwright.asking.reading.folding import Span
from benchwright.asking.reading.words import Said, folded, words
from benchwright.asking.replies import Token

# pieces of a character that a token cannot hold whole: bytes:\xe6\x98 (OpenAI), <0xE6> (llama.cpp)
_BYTES = re.compile(r"(?:bytes:)?((?:\\x[0-9a-fA-F]{2})+)|<0x([0-9a-fA-F]{2})>")
_MARKS = str.maketrans({"▁": " ", "Ġ": " ", "Ċ": "\n"})  # blanks of vocabularies
_CORE: dict[Said, tuple[str, ...]] = {"yes": ("yes", "true"), "no": ("no", "false")}


def p_yes_of(
    tokens: tuple[Token, ...] | None, text: str, span: Span | None, answer: Said | None
) -> float | None:
    """Return P(yes) / (P(yes) + P(no)) at the token where the decisive word of an answer begins.

    ``span`` is where that word stands in ``text``, ``answer`` what it says. The probabilities of
    all listed alternatives that spell yes, or a beginning of it, are summed, and those of no: any
    case, blanks and quotes around, every word of words.yaml. The token that was said counts for
    the answer that it begins; another that may as well begin a word of doubt (不) is neither.

    Null where the answer is unsure, where there are no tokens, no decisive word, no token for it,
    or neither yes nor no among the alternatives, where a phrase decides whose first token does not
    ("not really"), and where nothing but the token that was said is listed (``logprobs: 1``): that
    is no measurement. A value that is missing, NaN or infinite is as if it had not been
    listed.

    Servers list only the likeliest alternatives. What is not listed counts as 0, which draws the
    result towards the side that is listed; where only one side is, it is exactly 0 or 1, so clip
    it before taking log-odds. With M the mass that is not listed and y, n the sums, the true value
    lies between y / (y + n + M) and (y + M) / (y + n + M). Asking for 20 alternatives instead of 5
    makes M small.
    """
    if answer in (None, "unsure") or not tokens or not span or span[0] == span[1]:
        return None
    token = _token_at(tokens, text, span)
    if token is None:
        return None
    is_phrase = " " in folded(text[slice(*span)]).strip()
    if is_phrase and side_of(token.text) != answer:
        return None
    listed = dict(token.alternatives)
    if token.logprob is not None:
        listed.setdefault(token.text, token.logprob)
    if listed.keys() <= {token.text}:
        return None
    sums: dict[Said, float] = {"yes": 0.0, "no": 0.0}
    for spelled, logprob in listed.items():
        side = answer if spelled == token.text else side_of(spelled)
        if side is not None:
            sums[side] += _probability(logprob)
    total = sums["yes"] + sums["no"]
    return sums["yes"] / total if total > 0 else None


def side_of(token: str) -> Said | None:
    """Return yes or no for a token that spells the word or begins it (``Y``, ``fal``).

    Where words are not set apart by blanks, what begins a word of doubt as well is neither.
    """
    word = _decoded(token).decode("utf-8", "ignore")
    bare = re.sub(r"^[\W_]+|[\W_]+$", "", folded(word))
    doubts = words().spellings["unsure"]
    if not bare.isascii() and any(doubt.startswith(bare) for doubt in doubts):
        return None
    for side, core in _CORE.items():
        is_begun = len(bare) > 1 and any(whole.startswith(bare) for whole in core)
        if bare and (bare in words().spellings[side] or is_begun):
            return side
    return None


def _probability(logprob: float) -> float:
    if isinstance(logprob, float) and not math.isfinite(logprob):
        return 0.0
    return math.exp(min(max(logprob, -1e9), 0.0))  # an integer may be too long for a float


def _token_at(tokens: tuple[Token, ...], text: str, span: Span) -> Token | None:
    """Return the token in which the character at the start of a span begins.

    The tokens may go on where the text does not: reasoning that the server took out before it,
    special tokens after it.
    """
    pieces = [_decoded(token.text) for token in tokens]
    joined, said = b"".join(pieces), text.encode("utf-8", "surrogatepass")
    at = joined.rfind(said)
    if at < 0:  # blanks at the ends may be cut off, and a broken character may be anywhere later
        upto = text[: span[1]].encode("utf-8", "surrogatepass")
        lost = len(joined) - len(joined.lstrip())
        own = len(upto) - len(upto.lstrip())
        at = lost - own
        if not joined[lost:].startswith(upto.lstrip()):
            return None
    place = at + len(text[: span[0]].encode("utf-8", "surrogatepass"))
    for token, piece in zip(tokens, pieces, strict=True):
        if place < len(piece):
            return token
        place -= len(piece)
    return None


def _decoded(token: str) -> bytes:
    if found := _BYTES.fullmatch(token):
        return bytes.fromhex((found[1] or found[2]).replace("\\x", ""))
    return token.translate(_MARKS).encode("utf-8", "surrogatepass")
