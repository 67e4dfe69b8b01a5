"""Giving each item to one of those who may take it, with loads as even as they can be."""

from collections import Counter, deque
from collections.abc import Callable, Collection, Mapping, Sequence

Order = Callable[[str, str], int]  # the seeded place of a person for an item


def balanced(
    items: Sequence[str],
    able: Mapping[str, Collection[str]],
    loads: Mapping[str, int],
    burdens: Mapping[str, int],
    sizes: Mapping[str, int],
    order: Order,
) -> dict[str, str]:
    """Return who gets each item, each of which somebody is ``able`` to take.

    ``loads`` are items that people have already. The sum of the squares of all loads is the least
    that there is. Among those with the same load the one with the least burden comes first (the
    sum of the sizes of what they get, and ``burdens`` before), then the first by ``order``.
    Items are taken in the order given, which decides between equal ways.

    Source: Harvey, Ladner, Lovász and Tamir, Semi-matchings for bipartite graphs and load
    balancing, Journal of Algorithms 59 (2006), algorithm ASM2.
    """
    ranked = {item: _ranked(item, able[item], order) for item in items}
    people = len({name for some in ranked.values() for name in some})
    load, burden = Counter(loads), Counter(burdens)
    given: dict[str, dict[str, None]] = {}  # in the order in which they came
    for item in items:
        reached = _reached(item, ranked, given, people)
        ways = _ranked(item, reached, order)
        least = min(ways, key=lambda name: (load[name], burden[name]))
        load[least] += 1
        taker: str | None = least
        while taker is not None:  # each hands over what the one before has taken from them
            handed, giver = reached[taker]
            if giver is not None:
                burden[giver] -= sizes[handed]
                del given[giver][handed]
            burden[taker] += sizes[handed]
            given.setdefault(taker, {})[handed] = None
            taker = giver
    return {item: name for name, some in given.items() for item in some}


def _ranked(item: str, names: Collection[str], order: Order) -> list[str]:
    return sorted(names, key=lambda name: (order(item, name), name))


def _reached(
    item: str,
    ranked: Mapping[str, Sequence[str]],
    given: Mapping[str, Collection[str]],
    people: int,
) -> dict[str, tuple[str, str | None]]:
    """Return everybody who can end up with one item more, and what they would take from whom.

    From nobody is it where they take the item itself; the ways are the shortest.
    """
    reached: dict[str, tuple[str, str | None]] = {}
    waiting: deque[tuple[str, str | None]] = deque([(item, None)])
    while waiting and len(reached) < people:
        offered, giver = waiting.popleft()
        for name in ranked[offered]:
            if name not in reached:
                reached[name] = (offered, giver)
                waiting.extend((held, name) for held in given.get(name, ()))
    return reached
