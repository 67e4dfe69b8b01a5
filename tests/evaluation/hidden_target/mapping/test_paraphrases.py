"""Paraphrases that another part of the project writes, over vocabularies without templates."""

from collections import Counter

import pytest

from benchwright.knowledge import Value
from benchwright.records import Asked, AttributeType, AttributeValue
from builders.sample.garments import TYPES
from evaluation.hidden_target.mapping.mapper import Mapper
from evaluation.releases.galleries import Term
from labeling.attributes.templates.checking import Rules
from labeling.attributes.templates.patterns import pattern_templates
from labeling.attributes.vocabulary.vocabulary import Vocabulary, load_vocabulary


def sample_vocabulary():
    flags = {"aliases": (), "exclusive": True, "complete": False, "askable": True}
    return Vocabulary(
        types=tuple(AttributeType(type=name, **flags) for name in sorted(TYPES)),
        values=tuple(
            AttributeValue(type=name, value=value, aliases=(), templates=())
            for name in sorted(TYPES)
            for value in sorted(TYPES[name])
        ),
    )


def outcomes(vocabulary):
    """Count what up to six paraphrases of each value are mapped to; collect the wrong ones."""
    aliases = {entry.type: entry.aliases for entry in vocabulary.types}
    terms = [
        Term(
            value=Value(type=one.type, value=one.value),
            type_aliases=aliases[one.type],
            aliases=one.aliases,
            templates=(),
        )
        for one in vocabulary.values
    ]
    mapper, rules = Mapper(terms, "dress"), Rules(vocabulary)
    count, wrong = Counter(), []
    for one in vocabulary.values:
        own = (Asked(type=one.type, value=one.value, is_negated=False),)
        for template in list(pattern_templates(rules, one))[:6]:
            text = template.replace("{noun}", "dress")
            found = mapper.question(text, 1).asked
            count["right" if found == own else "wrong" if found else "unmapped"] += 1
            if found and found != own:
                wrong.append((text, found))
    return count, wrong


@pytest.mark.parametrize("name", ["sample", "uci"])
def test_paraphrases_of_templates_are_mapped_and_never_wrongly(name, pytestconfig):
    path = pytestconfig.rootpath / "tests/data/uci_dresses/vocabulary.yaml"
    vocabulary = sample_vocabulary() if name == "sample" else load_vocabulary(path)

    count, wrong = outcomes(vocabulary)

    assert not wrong
    assert count["right"] >= 0.93 * count.total()
    assert count.total() > 400
