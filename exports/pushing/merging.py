"""A card that goes to where people may have written on an earlier one."""

from exports.card.head import OUR_KEYS, body_of, head_in, head_text
from exports.card.own_text import BEGIN, END, block_in, with_block


def merged_card(ours: str, theirs: str | None) -> str:
    """Return the card to push: our head and block, their own text and what else their head says.

    ``theirs`` is the card that stands on the Hub, null where there is none. One without our markers
    was written by a person alone: it goes before ours. Raises UsageError for one with half of them.
    """
    if theirs is None:
        return ours
    more = {key: value for key, value in head_in(theirs).items() if key not in OUR_KEYS}
    body = body_of(theirs)
    if not body.strip():
        body = body_of(ours)
    elif BEGIN not in body and END not in body:
        body = f"{body.rstrip()}\n\n{BEGIN}\n{END}\n"
    block = block_in(ours) or ""
    return f"{head_text({**head_in(ours), **more})}{with_block(body, block, 'the card on the Hub')}"
