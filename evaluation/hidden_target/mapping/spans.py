"""Where a question names values and types: the longest names first."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from evaluation.hidden_target.mapping.english import english
from evaluation.hidden_target.mapping.inflection import joined
from evaluation.hidden_target.mapping.lexicon import Anchor, Key, Lexicon
from evaluation.hidden_target.mapping.tokens import Token

_SPARE = 3  # words that may stand within a name: articles, fillers


@dataclass(frozen=True, slots=True, kw_only=True)
class Span:
    """The words from ``start`` to ``end`` and what they may name.

    ``keys`` are values by their full name; ``cores`` values by a part of it with the anchors that
    complete them; ``anchor`` is what they name of the types.
    """

    start: int
    end: int
    keys: frozenset[Key] = frozenset()
    cores: tuple[tuple[Key, frozenset[str]], ...] = ()
    anchor: Anchor | None = None
    anchor_word: str = ""
    is_turned: bool = False


def spans_in(tokens: Sequence[Token], lexicon: Lexicon, but: Collection[Span] = ()) -> list[Span]:
    """Return the names in a question, apart and in order, some left out.

    Of those that overlap the longest stays, of equally long ones the first, and a full name goes
    before a type and that before a part of a name.
    """
    found = [one for one in _all_spans(tokens, lexicon) if one not in but]
    found.sort(key=lambda one: (one.start - one.end, not one.keys, one.anchor is None, one.start))
    taken = [False] * len(tokens)
    kept = []
    for one in found:
        if not any(taken[one.start : one.end]):
            taken[one.start : one.end] = [True] * (one.end - one.start)
            kept.append(one)
    return sorted(kept, key=lambda one: one.start)


def _all_spans(tokens: Sequence[Token], lexicon: Lexicon) -> Iterator[Span]:
    most = lexicon.longest + _SPARE
    for start, first in enumerate(tokens):
        if not first.stem:
            continue
        end = start
        while end < len(tokens) and tokens[end].stem and end - start < most:
            end += 1
            window = tokens[start:end]
            for stems in _readings(window):
                yield from _named(window, start, joined(stems), lexicon)
            if turned := _turned_round(window):
                yield from _named(window, start, joined(turned), lexicon, is_full=True)


def _readings(window: Sequence[Token]) -> Iterator[list[str]]:
    """Yield the stems of some words, all of them and without what may stand in between."""
    stems = [token.stem for token in window]
    if not (window[0].text in ("a", "an") and len(window) > 1 and not _is_letter(window)):
        yield stems
    known = english()
    spare = known.articles | known.fillers
    if len(window) > 2 and window[0].text not in known.articles and window[-1].text not in spare:
        inner = [token.stem for token in window[1:-1] if token.text not in spare]
        if len(inner) < len(window) - 2:
            yield [stems[0], *inner, stems[-1]]


def _is_letter(window: Sequence[Token]) -> bool:
    """Tell whether the a at the beginning is a letter: A-line, an A line."""
    return window[1].is_joined or window[0].is_capital


def _turned_round(window: Sequence[Token]) -> list[str]:
    """Return the stems of "slit at the side" as those of "side slit", none where it is no such."""
    known = english()
    places = [at for at, token in enumerate(window) if token.text in known.relations]
    if len(places) != 1 or not 0 < places[0] < len(window) - 1:
        return []
    after = [token.stem for token in window[places[0] + 1 :] if token.text not in known.articles]
    before = [token.stem for token in window[: places[0]] if token.text not in known.articles]
    return [*after, *before] if after and before else []


def _named(
    window: Sequence[Token], start: int, word: str, lexicon: Lexicon, *, is_full: bool = False
) -> Iterator[Span]:
    end = start + len(window)
    is_turned = any(token.is_turned for token in window)
    if word in lexicon.full:
        keys = frozenset(lexicon.full[word])
        cores = tuple(
            (key, frozenset(words)) for key, words in sorted(lexicon.cores.get(word, {}).items())
        )
        yield Span(start=start, end=end, keys=keys, cores=cores, is_turned=is_turned)
    elif is_full:
        return
    if word in lexicon.anchors:
        anchor = lexicon.anchors[word]
        yield Span(start=start, end=end, anchor=anchor, anchor_word=word, is_turned=is_turned)
    if word in lexicon.cores and word not in lexicon.full:
        cores = tuple((key, frozenset(words)) for key, words in sorted(lexicon.cores[word].items()))
        yield Span(start=start, end=end, cores=cores, is_turned=is_turned)
