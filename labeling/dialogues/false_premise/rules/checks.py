"""The rules that a dialogue with a false premise must keep, each a check with its reason.

Source: FPCO-Dialog, section 3.2 and appendix I.
"""

from collections.abc import Callable, Sequence

from benchwright.records import Check, FalsePremise, PremiseTurn
from labeling.dialogues.false_premise.rules.changes import Change, changes_between, content
from labeling.dialogues.false_premise.rules.edits import ARTICLES, WORD, edit_between, words_of
from labeling.dialogues.false_premise.rules.kinds import why_one_kind
from labeling.dialogues.false_premise.rules.lexicon import lexicon
from labeling.dialogues.false_premise.rules.nouns import is_several, singular
from labeling.dialogues.false_premise.rules.parts import Part
from labeling.dialogues.false_premise.rules.pronouns import PRONOUNS
from labeling.dialogues.false_premise.rules.turns import Parts, places_of, word_for_target

MOST_CHARACTERS = 300  # of a description; a longer one is none, and comparing it takes long
_MOST_WORDS = 5  # of a local phrase
_CLASS_OF: dict[Part, str] = {
    "head": "identity",
    "modifier": "attribute",
    "place": "location",
    "place of a part": "location of a part",
}

Reason = str | None
_Properties = frozenset[str]
_Rule = Callable[[FalsePremise], Reason]


def check_dialogue(record: FalsePremise) -> tuple[Check, ...]:
    """Return what each rule says of a dialogue, in one order; those of other classes are left out.

    A rule that the lexicon knows too little for passes: people look at it.
    """
    rules = {**_FOR_ALL, **_FOR_CLASS[record.premise_class]}
    if max(len(record.true_description), len(record.false_description)) > MOST_CHARACTERS:
        reason = f"a description has more than {MOST_CHARACTERS} characters"
        return tuple(Check(name=name, passed=False, reason=reason) for name in rules)
    found = {name: rule(record) for name, rule in rules.items()}
    return tuple(
        Check(name=name, passed=reason is None, reason=reason) for name, reason in found.items()
    )


def _turns_in_order(record: FalsePremise) -> Reason:
    if [turn.index for turn in record.turns] != list(range(1, len(record.turns) + 1)):
        return "the turns are not numbered from 1 on"
    flags = [turn.has_false_premise for turn in record.turns]
    if flags != sorted(flags):
        return "a turn with the true description comes after one with the false one"
    return None if len(set(flags)) == 2 else "wants turns with and without the false description"


def _description_once(record: FalsePremise) -> Reason:
    for turn in record.turns:
        wanted = [(turn.true_question, record.true_description, "the true description")]
        if turn.has_false_premise:
            wanted.append((turn.asked_question, record.false_description, "the false description"))
        for question, description, name in wanted:
            count = len(places_of(question, description))
            if count != 1:
                times = "does not stand" if count == 0 else f"stands {count} times"
                return f"{name} {times} in question {turn.index}"
    return None


def _one_edit(record: FalsePremise) -> Reason:
    found = _changes(record)
    if record.edit != edit_between(record.true_description, record.false_description):
        return "the edit is not the one between the two descriptions"
    if not found:
        return "the false description is no other than the true one"
    if len(found) > 1:
        return f"{len(found)} edits: {' and '.join(map(str, found[:3]))}"
    first, other = (
        "".join(words_of(text)[:1]) for text in (record.true_description, record.false_description)
    )
    if first != other and "the" in (first, other):
        return f"the description begins with {other!r} in the place of {first!r}"
    if max(len(found[0].before), len(found[0].after)) > _MOST_WORDS:
        return f"the edit is longer than {_MOST_WORDS} words: {found[0]}"
    return _spelt_otherwise(record.true_description, record.false_description)


def _spelt_otherwise(true: str, false: str) -> Reason:
    if _marks(true) != _marks(false):
        return "the false description has other punctuation"
    known = WORD.findall(true)
    small = set(words_of(true))
    for word in WORD.findall(false):
        if word not in known and word.casefold() in small:
            return f"the false description writes {word!r} otherwise"
    return None


def _nothing_else(record: FalsePremise) -> Reason:
    for turn in record.turns:
        reason = (
            _other_than_edit(record, turn)
            if turn.has_false_premise
            else None
            if turn.asked_question == turn.true_question
            else f"question {turn.index} is asked otherwise, though nothing is false in it"
        )
        if reason is not None:
            return reason
    return None


def _other_than_edit(record: FalsePremise, turn: PremiseTurn) -> Reason:
    true = places_of(turn.true_question, record.true_description)
    asked = places_of(turn.asked_question, record.false_description)
    if len(true) != 1 or len(asked) != 1:
        return f"question {turn.index} does not hold its description once"
    may_change = ARTICLES | PRONOUNS if record.premise_class == "identity" else ARTICLES
    for old, new in zip(_round_about(true[0]), _round_about(asked[0]), strict=True):
        if _marks(old) != _marks(new):
            return f"question {turn.index} has other punctuation"
        words = words_of(old), words_of(new)
        if len(words[0]) != len(words[1]):
            return f"question {turn.index} has more or fewer words round its description"
        for one, other in zip(*words, strict=True):
            if one != other and not _may_become(one, other, may_change):
                return f"question {turn.index} changes {one!r} to {other!r}"
    return None


def _round_about(parts: Parts) -> tuple[str, str]:
    return parts.before, parts.after


def _may_become(one: str, other: str, may_change: frozenset[str]) -> bool:
    """Tell whether a word may stand in the place of another: he's is a pronoun and is."""
    (stem, *rest), (other_stem, *other_rest) = (
        word.replace("’", "'").split("'", 1) for word in (one, other)
    )
    kinds = (ARTICLES, PRONOUNS)
    return rest == other_rest and any(
        stem in kind & may_change and other_stem in kind & may_change for kind in kinds
    )


def _marks(text: str) -> str:
    """Return the marks between the words; a hyphen within one is a letter of it."""
    return "".join(WORD.sub("", text).split())


def _not_longer(record: FalsePremise) -> Reason:
    counts = [_length(text) for text in (record.true_description, record.false_description)]
    if counts[1] <= counts[0]:
        return None
    found = _changes(record)
    if record.premise_class == "location" and len(found) == 1 and not found[0].before:
        if found[0].parts == {"place"}:
            return None
        return f"what is put in is no place phrase: {' '.join(found[0].after)!r}"
    return f"the false description has {counts[1]} words, the true one {counts[0]}"


def _length(description: str) -> int:
    """Return the number of words, those of place such as ``in front of`` counted as one."""
    words = words_of(description)
    text = f" {' '.join(words)} "
    saved = (text.count(f" {each} ") * each.count(" ") for each in lexicon().places_as_one_word)
    return len(words) - sum(saved)


def _class_as_planned(record: FalsePremise) -> Reason:
    parts = sorted({_CLASS_OF[part] for change in _changes(record) for part in change.parts})
    if not parts:
        return f"nothing changes the {record.premise_class}"
    if parts == [record.premise_class]:
        return None
    return f"changes {' and '.join(parts)}; planned is {record.premise_class}"


def _another_kind(record: FalsePremise) -> Reason:
    true, false = (
        word_for_target(text) for text in (record.true_description, record.false_description)
    )
    if true == false:
        return f"the target is still named {true!r}"
    if is_several(true) != is_several(false):
        return f"{true} and {false} are not as many"
    return why_one_kind(true, false)


def _one_property(record: FalsePremise) -> Reason:
    known = lexicon()
    for change in _changes(record):
        before, after = (
            [known.properties_of(singular(word)) | known.properties_of(word) for word in words]
            for words in (content(change.before), content(change.after))
        )
        if not before or not after:
            return f"an attribute is {'put in' if not before else 'left out'}, not changed"
        reason = _why_several(before, after)
        if reason is not None:
            return f"{change} {reason}"
    return None


def _why_several(before: Sequence[_Properties], after: Sequence[_Properties]) -> Reason:
    """Return why two phrases, given by the properties of their words, are not of one property."""
    if len(before) != len(after):
        before, after = ([_Properties().union(*words)] for words in (before, after))
    pairs = [(one, other) for one, other in zip(before, after, strict=True) if one and other]
    for one, other in pairs:
        if not one & other:
            return f"goes from {_named(one)} to {_named(other)}"
    if pairs and not _Properties.intersection(*(one & other for one, other in pairs)):
        return f"changes {' and '.join(_named(one & other) for one, other in pairs)}"
    return None


def _named(properties: _Properties) -> str:
    return " or ".join(sorted(properties))


def _whole_target(record: FalsePremise) -> Reason:
    true, false = (
        word_for_target(text) for text in (record.true_description, record.false_description)
    )
    if true != false:
        return f"the target is named {false!r}, not {true!r} as before"
    for change in _changes(record):
        if "place of a part" in change.parts:
            return f"{change} moves only something of the target"
        words = [*content(change.before), *content(change.after)]
        if words and all(_is_a_value(word) for word in words):
            return f"{change} changes what stands at the place, not the place"
    return None


def _is_a_value(word: str) -> bool:
    known = lexicon()
    return bool(known.properties_of(word)) and word not in known.places


def _changes(record: FalsePremise) -> list[Change]:
    return changes_between(
        record.true_description,
        record.false_description,
        with_pronouns=record.premise_class != "identity",
    )


_FOR_ALL: dict[str, _Rule] = {
    "turns in order": _turns_in_order,
    "description once": _description_once,
    "one edit": _one_edit,
    "nothing else changed": _nothing_else,
    "not longer": _not_longer,
    "class as planned": _class_as_planned,
}
_FOR_CLASS: dict[str, dict[str, _Rule]] = {
    "identity": {"another kind": _another_kind},
    "attribute": {"one property": _one_property},
    "location": {"whole target": _whole_target},
}
# the names of the checks by rule; others are by sight, on which people have the last word
RULES: frozenset[str] = frozenset(_FOR_ALL).union(*_FOR_CLASS.values())
