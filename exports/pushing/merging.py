"""A card that goes to where people may have written on an earlier one."""

from exports.card.head import body_of, head_in, head_text
from exports.card.own_text import BEGIN, END, block_in, with_block

_OURS = frozenset(
    {"configs", "dataset_info", "language", "license", "license_name", "license_link"}
    | {"pretty_name", "size_categories", "tags", "task_categories"}
)


def merged_card(ours: str, theirs: str | None) -> str:
    """Return the card to push: our head and block, their own text and what else their head says.

    ``theirs`` is the card that stands on the Hub, null where there is none. One without our markers
    was written by a person alone: it goes before ours.
    """
    if theirs is None:
        return ours
    head = head_in(ours)
    more = {key: value for key, value in head_in(theirs).items() if key not in _OURS}
    block = block_in(ours) or ""
    body = body_of(theirs)
    if block_in(body) is None:
        text = body_of(ours) if not body.strip() else f"{body.rstrip()}\n\n{BEGIN}\n{END}\n"
        body = text
    return f"{head_text({**head, **more})}{with_block(body, block, 'the card on the Hub')}"
