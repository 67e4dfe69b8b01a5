"""What a run asks: the first templates of each value, with the subject's noun filled in."""

from benchwright.errors import UsageError
from labeling.attributes.templates.checking import NOUN
from labeling.attributes.vocabulary.vocabulary import Vocabulary

_SHOWN = 5


def templates_of(vocabulary: Vocabulary, wanted: int) -> dict[tuple[str, str], tuple[str, ...]]:
    """Return the first ``wanted`` templates of each (type, value), in the vocabulary's order.

    Raises UsageError that names the values with fewer.
    """
    few = [value for value in vocabulary.values if len(value.templates) < wanted]
    if few:
        shown = ", ".join(f"{value.type}: {value.value}" for value in few[:_SHOWN])
        more = f" and {len(few) - _SHOWN} more" if len(few) > _SHOWN else ""
        raise UsageError(
            f"{wanted} templates are wanted of each value, {len(few)} of"
            f" {len(vocabulary.values)} values have fewer ({shown}{more}); run label-attributes"
            f" templates --per-value {wanted}"
        )
    return {(value.type, value.value): value.templates[:wanted] for value in vocabulary.values}


def filled(template: str, noun: str) -> str:
    """Return the question that a template puts about what is called ``noun``."""
    return template.replace(NOUN, noun)
