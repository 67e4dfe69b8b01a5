"""What the names in a question come to: values, each with its polarity, or nothing.

A part of a name (high) counts beside what completes it (neckline). Every word of a type has to be
that of a value that is asked for: a question that names the skirt and no value of it asks for
something that the vocabulary does not know, and is mapped to nothing, whatever else it names.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from benchwright.records import Asked
from evaluation.hidden_target.mapping.english import english
from evaluation.hidden_target.mapping.lexicon import Key, Lexicon
from evaluation.hidden_target.mapping.polarity import denied
from evaluation.hidden_target.mapping.spans import Span, spans_in
from evaluation.hidden_target.mapping.tokens import MOST, Token

_REACH = 2  # unknown words between an adjective and what it is said of


@dataclass(slots=True, kw_only=True)
class _Named:
    """The keys that a span was taken for, and the anchors that it used."""

    span: Span
    keys: frozenset[Key]
    is_open: bool = False  # names values, but not one alone, or not for sure
    used: list[int] = field(default_factory=list)  # where the anchors begin


def resolve(tokens: Sequence[Token], lexicon: Lexicon) -> tuple[Asked, ...]:
    """Return what a question asks for, in the order of its words; nothing where that is open."""
    if len(tokens) > MOST:
        return ()
    reader = _Reader(tokens, lexicon)
    named = list(reader.named())
    if not named or reader.is_no_question() or any(one.is_open for one in named):
        return ()
    used = {at for one in named for at in one.used}
    is_more = any(anchor.start not in used for anchor in reader.anchors)
    if is_more or reader.asks_for_more() or reader.is_of_another():
        return ()
    is_denied = denied(tokens)
    asked: dict[Asked, None] = {}
    for one in named:
        key = next(iter(one.keys))
        is_negated = is_denied[one.span.start] != one.span.is_turned
        asked[Asked(type=key[0], value=key[1], is_negated=is_negated)] = None
    return tuple(asked)


class _Reader:
    """The names in one question and how they stand to each other."""

    def __init__(self, tokens: Sequence[Token], lexicon: Lexicon) -> None:
        self._tokens = tokens
        self._lexicon = lexicon
        dropped: set[Span] = set()
        self._place(spans_in(tokens, lexicon))
        # a part of a name that nothing completes hides no shorter name within it
        while lost := [one for one in self._spans if self._is_lost(one)]:
            dropped.update(lost)
            self._place(spans_in(tokens, lexicon, but=dropped))

    def _is_lost(self, span: Span) -> bool:
        return bool(span.cores) and not span.keys and not self._of_span(span)

    def _place(self, spans: Sequence[Span]) -> None:
        self._spans = spans
        self.anchors = [one for one in spans if one.anchor]
        self._clause_of = _clauses(self._tokens, spans)
        self._in_name = {at for one in spans for at in range(one.start, one.end)}

    def named(self) -> Iterator[_Named]:
        """Yield what the spans that name values come to, in order."""
        found = [one for one in map(self._of_span, self._spans) if one]
        used = {at for one in found for at in one.used}
        heads = (self._of_head(one) for one in self.anchors if one.start not in used)
        found += [one for one in heads if one]
        yield from sorted(found, key=lambda one: one.span.start)

    def is_no_question(self) -> bool:
        """Tell whether it is no question for yes or no, or one that compares."""
        words = [token.text for token in self._tokens if token.stem]
        compares = any(
            word == "than" and before not in ("rather", "other") for before, word in pairwise(words)
        )
        return compares or words[0] in english().wondering

    def asks_for_more(self) -> bool:
        """Tell whether a conjunction adds what the vocabulary does not know: a belt or a cord."""
        known = {self._clause_of[one.start] for one in self._spans if one.keys or one.cores}
        known |= {self._clause_of[one.start] for one in self.anchors if self._of_head(one)}
        # after "with" stands how as often as what: it fastens with a zip
        adding = english().conjunctions - {"with"}
        joints = (
            at
            for at, token in enumerate(self._tokens)
            if token.text in adding and at not in self._in_name
        )
        return any(
            self._adds(at, known) or (at > 0 and self._is_lone(at - 1, known)) for at in joints
        )

    def is_of_another(self) -> bool:
        """Tell whether the subject is another thing than the noun, or the value itself.

        Is the person holding a pencil? Does the belt have a buckle?
        """
        known = english()
        words = [token.text for token in self._tokens[:3]]
        at = 2 if words[1:2] == ["not"] else 1
        if len(words) <= at or words[0] not in known.openers or words[at] not in known.definite:
            return False
        first = self._spans[0]
        between = self._tokens[at + 1 : first.start]
        if any(map(self._is_subject, between)):
            return False
        if any(self._is_content(one) and one.text not in known.general for one in between):
            return True
        rest = range(first.end, len(self._tokens))
        return not first.anchor and any(
            self._is_content(self._tokens[at]) for at in rest if at not in self._in_name
        )

    def _adds(self, joint: int, known: set[int]) -> bool:
        clause = self._clause_of[joint]
        end = len(self._tokens) - self._clause_of[::-1].index(clause)
        return any(self._is_lone(at, known) for at in range(joint + 1, end))

    def _is_lone(self, at: int, known: set[int]) -> bool:
        """Tell whether a word says something in a clause that names no value."""
        is_named = self._clause_of[at] in known or at in self._in_name
        return not is_named and self._is_content(self._tokens[at])

    def _is_content(self, token: Token) -> bool:
        """Tell whether a word says something that neither list of words accounts for."""
        known = english()
        is_listed = token.text in known.function or token.text in known.fillers
        is_plain = is_listed or token.text.endswith(("ly", "n't"))
        return bool(token.stem) and not is_plain and not self._is_subject(token)

    def _is_subject(self, token: Token) -> bool:
        return token.stem in self._lexicon.noun or token.text in english().subjects

    def _of_span(self, span: Span) -> _Named | None:
        if span.anchor:
            return None
        near = self._anchors_near(span)
        whole = self._of_name(span, near) if span.keys else None
        if whole and not whole.is_open:
            return whole
        return self._of_core(span, near) or whole

    def _of_name(self, span: Span, near: Sequence[Span]) -> _Named | None:
        own = self._in_clause(span)
        fitting = [one for one in near if one.anchor and self._fits(span.keys, one)]
        is_single = span.end - span.start == 1
        if fitting:
            keys = frozenset(key for key in span.keys if _is_of(key, fitting[0]))
            used = [one.start for one in fitting if one in own or one is fitting[0]]
            conflict = self._follows(span)
            is_open = len(keys) > 1 or bool(conflict and not self._fits(keys, conflict))
            return _Named(span=span, keys=keys, is_open=is_open, used=used)
        if is_single and span.keys <= self._lexicon.needy:
            return None
        if self._follows(span):
            return _Named(span=span, keys=span.keys, is_open=True)
        if is_single and self._is_of_something(span):
            return None
        return _Named(span=span, keys=span.keys, is_open=len(span.keys) > 1)

    def _of_core(self, span: Span, near: Sequence[Span]) -> _Named | None:
        if self._is_of_something(span):
            return None
        for one in near:
            keys = frozenset(key for key, words in span.cores if one.anchor_word in words)
            if keys:
                return _Named(span=span, keys=keys, is_open=len(keys) > 1, used=[one.start])
        types = self._types_beside(span)
        if keys := frozenset(key for key, _ in span.cores if key[0] in types):
            return _Named(span=span, keys=keys, is_open=len(keys) > 1)
        keys = frozenset(key for key, _ in span.cores)
        if len(keys) == 1 and self._is_of_noun(span) and not self._is_general(span):
            return _Named(span=span, keys=keys)
        return None

    def _types_beside(self, span: Span) -> set[str]:
        """Return the types of the names that "and" or "or" sets beside a span: round or V-neck."""
        at = self._spans.index(span)
        found: set[str] = set()
        if self._follows(span):
            return found
        for other in (*self._spans[max(0, at - 1) : at], *self._spans[at + 1 : at + 2]):
            start, end = sorted((span, other), key=lambda one: one.start)
            between = self._tokens[start.end : end.start]
            words = [one for one in between if one.text not in english().articles]
            if words and all(map(self._is_joint, words)):
                found |= {key[0] for key in other.keys}
        return found

    def _of_head(self, anchor: Span) -> _Named | None:
        """Return the only value that ends with a word: a slit, where all slits are side slits."""
        if not anchor.anchor or len(anchor.anchor.values) != 1:
            return None
        at = anchor.start - 1
        known = english()
        before = self._tokens[at] if at >= 0 else None
        if before and before.stem and before.text not in known.function | known.fillers:
            return None
        keys = anchor.anchor.values
        fitting = [one.start for one in self._in_clause(anchor) if self._fits(keys, one)]
        return _Named(span=anchor, keys=keys, used=fitting)

    def _anchors_near(self, span: Span) -> list[Span]:
        """Return the anchors that a span may be said of: the next in its clause, then the others
        there; where there is none the last before, then the next after.
        """
        own = self._in_clause(span)
        if own:
            after = [one for one in own if one.start >= span.end]
            before = [one for one in own if one.start < span.start]
            return [*after, *reversed(before)]
        before = [one for one in self.anchors if one.start < span.start]
        after = [one for one in self.anchors if one.start >= span.end]
        is_last = span.end < len(self._tokens) and self._is_joint(self._tokens[span.end])
        return [*(after[:1] if is_last else []), *before[-1:]]

    def _in_clause(self, span: Span) -> list[Span]:
        clause = self._clause_of[span.start]
        return [one for one in self.anchors if self._clause_of[one.start] == clause]

    def _fits(self, keys: frozenset[Key], anchor: Span) -> bool:
        return any(_is_of(key, anchor) for key in keys)

    def _follows(self, span: Span) -> Span | None:
        """Return the anchor that a span stands before as an adjective."""
        known = english()
        unknown = 0
        starts = {one.start: one for one in self.anchors}
        for at in range(span.end, len(self._tokens)):
            if at in starts:
                return starts[at]
            token = self._tokens[at]
            if at in self._in_name or token.text in known.fillers:
                continue
            unknown += 1
            if not token.stem or token.text in known.function or unknown > _REACH:
                return None
        return None

    def _is_of_something(self, span: Span) -> bool:
        """Tell whether a span is said of a word that the vocabulary does not know: lace trim."""
        if self._follows(span) or span.end >= len(self._tokens) or span.end in self._in_name:
            return False
        return self._is_content(self._tokens[span.end])

    def _is_of_noun(self, span: Span) -> bool:
        """Tell whether a span stands before the noun itself: a wrap dress."""
        at, noun = span.end, self._lexicon.noun
        while at < len(self._tokens) and self._tokens[at].text in english().fillers:
            at += 1
        stems = tuple(token.stem for token in self._tokens[at : at + len(noun)])
        return bool(noun) and stems == noun

    def _is_general(self, span: Span) -> bool:
        return any(token.text in english().general for token in self._tokens[span.start : span.end])

    def _is_joint(self, token: Token) -> bool:
        return token.text in english().conjunctions or not token.stem


def _is_of(key: Key, anchor: Span) -> bool:
    return anchor.anchor is not None and key[0] in anchor.anchor.types


def _clauses(tokens: Sequence[Token], spans: Sequence[Span]) -> list[int]:
    """Return the number of the clause of each word; a name is never parted."""
    inside = {at for one in spans for at in range(one.start, one.end)}
    found, number = [], 0
    for at, token in enumerate(tokens):
        is_end = at not in inside and (not token.stem or token.text in english().conjunctions)
        number += is_end
        found.append(number)
    return found
