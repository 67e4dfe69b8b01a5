"""Whether two words are clearly words for different things."""

from labeling.dialogues.false_premise.rules.lexicon import lexicon
from labeling.dialogues.false_premise.rules.nouns import pronoun_of, singular


def why_one_kind(one: str, other: str) -> str | None:
    """Return why two words are not clearly words for different things; null where they are.

    Not clear are other words for one thing, a kind and what it is a kind of, words that differ in
    age (FPCO-Dialog, appendix I), and what may be said of one person beside each other: woman and
    firefighter. Of words that the lexicon does not know nothing can be said.
    """
    a, b = singular(one), singular(other)
    if a == b:
        return f"{one} and {other} are one word"
    same = lexicon().same
    pairs = [(x, y) for x in sorted(same.get(a, {a})) for y in sorted(same.get(b, {b}))]
    reasons = (
        (any(x == y for x, y in pairs), f"{one} and {other} are words for one thing"),
        (any(_differ_in_age(x, y) for x, y in pairs), f"{one} and {other} differ in age"),
        (any(_is_kind_of(y, x) for x, y in pairs), f"{other} is a kind of {one}"),
        (any(_is_kind_of(x, y) for x, y in pairs), f"{one} is a kind of {other}"),
        (
            any(_may_be(x, y) or _may_be(y, x) for x, y in pairs),
            f"one who is called {one} may be called {other} as well",
        ),
    )
    return next((reason for holds, reason in reasons if holds), None)


def _is_kind_of(one: str, other: str) -> bool:
    return other in lexicon().above(one)


def _differ_in_age(one: str, other: str) -> bool:
    known = lexicon()
    if known.young.get(one) == other or known.young.get(other) == one:
        return True
    return one in known.ages and other in known.ages and known.ages[one] != known.ages[other]


def _may_be(one: str, role: str) -> bool:
    """Tell whether a man, woman or child may have a role: a woman may be a firefighter."""
    known = lexicon()
    if one not in known.ages or role in known.ages or not _is_kind_of(role, "person"):
        return False
    pronouns = {pronoun_of(one), pronoun_of(role)}
    return len(pronouns) == 1 or "they" in pronouns
