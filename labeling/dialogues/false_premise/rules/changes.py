"""What an edit changes: stretches of words, leaving articles and pronouns that go along aside."""

from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

from labeling.dialogues.false_premise.rules.edits import ARTICLES, words_of
from labeling.dialogues.false_premise.rules.parts import LIGHT, Part, parts_of
from labeling.dialogues.false_premise.rules.pronouns import PRONOUNS


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """One stretch of words that became another; either may be empty, not both.

    ``parts`` are those of the description that its words belong to, in both descriptions.
    """

    before: tuple[str, ...]
    after: tuple[str, ...]
    parts: frozenset[Part]

    def __str__(self) -> str:
        if not self.before:
            return f"{' '.join(self.after)!r} put in"
        if not self.after:
            return f"{' '.join(self.before)!r} left out"
        return f"{' '.join(self.before)!r} to {' '.join(self.after)!r}"


def changes_between(true: str, false: str, *, with_pronouns: bool) -> list[Change]:
    """Return what differs between two descriptions, in order.

    Articles (a, an) that change alone are left out, and pronouns with ``with_pronouns`` false.
    Stretches that only light words part (the, of, his) are one: ``in the grass`` and ``on the
    beach`` differ once.
    """
    old, new = words_of(true), words_of(false)
    old_parts, new_parts = parts_of(old), parts_of(new)
    aside = ARTICLES if with_pronouns else ARTICLES | PRONOUNS
    spans: list[tuple[int, int, int, int]] = []
    matcher = SequenceMatcher(a=old, b=new, autojunk=False)
    for tag, a0, a1, b0, b1 in matcher.get_opcodes():
        if tag == "equal" or (a1 > a0 and b1 > b0 and {*old[a0:a1], *new[b0:b1]} <= aside):
            continue
        if spans and LIGHT.issuperset((*old[spans[-1][1] : a0], *new[spans[-1][3] : b0])):
            first = spans.pop()
            spans.append((first[0], a1, first[2], b1))
        else:
            spans.append((a0, a1, b0, b1))
    return [
        Change(
            before=tuple(old[a0:a1]),
            after=tuple(new[b0:b1]),
            parts=_heavy(old[a0:a1], old_parts[a0:a1]) | _heavy(new[b0:b1], new_parts[b0:b1]),
        )
        for a0, a1, b0, b1 in spans
    ]


def _heavy(words: Sequence[str], parts: Sequence[Part]) -> frozenset[Part]:
    """Return the parts of the words that are no articles and the like, or of all when all are."""
    chosen = [part for word, part in zip(words, parts, strict=True) if word not in LIGHT]
    return frozenset(chosen or parts)


def content(words: Sequence[str]) -> list[str]:
    """Return the words that are no articles and the like."""
    return [word for word in words if word not in LIGHT]
