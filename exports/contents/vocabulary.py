"""The config ``vocabulary``: without it nobody can ask, or read what was asked."""

import pyarrow as pa

from exports.contents.records import VOCABULARY
from labeling.attributes.vocabulary.vocabulary import Vocabulary


def vocabulary_table(vocabulary: Vocabulary) -> pa.Table:
    """Return a row for each value with the flags of its type, by type and value."""
    types = {kind.type: kind for kind in vocabulary.types}
    rows = [
        {
            "type": value.type,
            "type_aliases": list(types[value.type].aliases),
            "exclusive": types[value.type].exclusive,
            "complete": types[value.type].complete,
            "askable": types[value.type].askable,
            "value": value.value,
            "value_aliases": list(value.aliases),
            "templates": list(value.templates),
        }
        for value in sorted(vocabulary.values, key=lambda one: (one.type, one.value))
    ]
    return pa.Table.from_pylist(rows, schema=VOCABULARY)
