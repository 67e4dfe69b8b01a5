"""The words of a vocabulary: which values and types a run of words may name."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from benchwright.asking.reading.words import folded
from evaluation.hidden_target.mapping.english import english
from evaluation.hidden_target.mapping.inflection import joined, stem
from evaluation.hidden_target.mapping.tokens import stems_of
from evaluation.releases.galleries import Term

Key = tuple[str, str]  # type, value
Stems = tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Anchor:
    """What a word of a type, or the last word of some of its values, points to.

    ``types`` may all be meant. ``values`` are those that end with the word, empty for a word of a
    type.
    """

    types: frozenset[str]
    values: frozenset[Key] = frozenset()


@dataclass(slots=True, kw_only=True)
class Lexicon:
    """A vocabulary by its stems, joined without blanks, so that v-neck and vneck are one.

    ``full`` are names of values; ``cores`` what is left of a name without the words of its type or
    its last word, each with the anchors that complete it; ``longest`` counts words.
    """

    full: dict[str, set[Key]] = field(default_factory=lambda: defaultdict(set))
    cores: dict[str, dict[Key, set[str]]] = field(default_factory=lambda: defaultdict(dict))
    anchors: dict[str, Anchor] = field(default_factory=dict)
    words: set[str] = field(default_factory=set)
    needy: set[Key] = field(default_factory=set)
    noun: Stems = ()
    longest: int = 1


def lexicon_of(terms: Sequence[Term], noun: str) -> Lexicon:
    """Return the lexicon of a vocabulary; the words of the noun point to no type."""
    lexicon = Lexicon(noun=stems_of(noun))
    names = _type_names(terms)
    lexicon.anchors = dict(_type_anchors(names, frozenset(lexicon.noun)))
    words_of: dict[str, set[str]] = defaultdict(set)
    for word, anchor in lexicon.anchors.items():
        for one in anchor.types:
            words_of[one].add(word)
    heads: dict[str, set[Key]] = defaultdict(set)
    for term in terms:
        key = (term.value.type, term.value.value)
        for name in _value_names(term):
            _add(lexicon, key, name, words_of[key[0]], heads)
    _add_heads(lexicon, heads)
    return lexicon


def _value_names(term: Term) -> Iterator[str]:
    yield term.value.value
    for alias in term.aliases:
        _, colon, spelling = alias.partition(": ")  # TYPE: SPELLING is from another column
        yield spelling if colon else alias


def _add(
    lexicon: Lexicon, key: Key, name: str, type_words: set[str], heads: dict[str, set[Key]]
) -> None:
    stems = stems_of(name)
    if not stems:
        return
    lexicon.words.update(stems)
    lexicon.longest = max(lexicon.longest, len(stems))
    lexicon.full[joined(stems)].add(key)
    alone = {word for word in type_words if len(lexicon.anchors[word].types) == 1}
    core = _without(stems, type_words)
    for word in alone:
        lexicon.full[joined((*(core or stems), word))].add(key)
    if core and core != stems:
        lexicon.cores[joined(core)].setdefault(key, set()).update(type_words)
    elif len(stems) > 1 and " " in name.strip() and "-" not in name.rpartition(" ")[2]:
        heads[stems[-1]].add(key)
        lexicon.cores[joined(stems[:-1])].setdefault(key, set()).add(stems[-1])
    if len(stems) == 1 and _is_general(name) and _has_part(key[0]):
        lexicon.needy.add(key)


def _is_general(name: str) -> bool:
    return folded(name).strip() in english().general


def _has_part(type_name: str) -> bool:
    return bool(_parts_of(type_name))


def _parts_of(type_name: str) -> list[str]:
    known = {stem(word) for word in english().properties}
    return [one for one in stems_of(type_name) if one not in known]


def _without(stems: Stems, type_words: set[str]) -> Stems:
    """Return the words of a name without those of its type at either end."""
    start, end = 0, len(stems)
    while end > start and stems[end - 1] in type_words:
        end -= 1
    while start < end and stems[start] in type_words:
        start += 1
    return stems[start:end]


def _type_names(terms: Sequence[Term]) -> dict[str, tuple[Stems, ...]]:
    return {
        term.value.type: tuple(map(stems_of, (term.value.type, *term.type_aliases)))
        for term in terms
    }


def _type_anchors(
    names: dict[str, tuple[Stems, ...]], noun: frozenset[str]
) -> Iterator[tuple[str, Anchor]]:
    """Yield the words and phrases that name types.

    They are the whole name, the name without words such as style, and each of its words, which
    several types may have in common.
    """
    types: dict[str, set[str]] = defaultdict(set)
    fillers = {stem(word) for word in english().fillers}
    for type_name, spelled in names.items():
        for stems in spelled:
            telling = tuple(one for one in stems if one not in fillers and one not in noun)
            for form in (stems, telling, *((one,) for one in telling)):
                if form and not set(form) <= noun:
                    for phrase in _with_line(form):
                        types[phrase].add(type_name)
    for phrase, named in sorted(types.items()):
        yield phrase, Anchor(types=frozenset(named))


def _with_line(form: Stems) -> Iterator[str]:
    """Yield a phrase, and with its last word as neck, neckline or waistband."""
    yield joined(form)
    bare = form[-1].removesuffix("line").removesuffix("lin")
    if len(bare) > 2 and bare != form[-1]:
        yield joined((*form[:-1], bare))
    elif len(form[-1]) > 2:
        for more in ("line", "band"):
            yield joined((*form[:-1], stem(form[-1] + more)))


def _add_heads(lexicon: Lexicon, heads: dict[str, set[Key]]) -> None:
    """Add the last words of values as anchors, where all that have it are of one type."""
    count = Counter(head for head, keys in heads.items() for _ in {key[0] for key in keys})
    for head, keys in sorted(heads.items()):
        is_taken = head in lexicon.anchors or head in lexicon.full or head in english().general
        if count[head] == 1 and not is_taken:
            types = frozenset(key[0] for key in keys)
            lexicon.anchors[head] = Anchor(types=types, values=frozenset(keys))
    lexicon.words.update(_single_words(lexicon))


def _single_words(lexicon: Lexicon) -> Iterator[str]:
    yield from lexicon.anchors
    yield from lexicon.noun
