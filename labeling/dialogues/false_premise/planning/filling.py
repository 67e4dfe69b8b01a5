"""Which picture fills which cell: as many places as can be filled, evenly, ties by seed.

Pictures that can fill the same cells are one kind, so that the search grows with the cells and not
with the pictures. The cells take turns. Each takes a picture that is free or, where none is, one
that another cell holds and can make up for, along a shortest chain of such exchanges: an
augmenting path of a maximum flow. A cell without such a chain never has one again, for what the
cells can hold together is a polymatroid, and the turns are the greedy procedure on it. So they
fill as many places as a maximum flow, and of all ways to do that one in which the emptiest cells
are as full as they can be. Source: Federgruen and Groenevelt, The greedy procedure for resource
allocation problems, Operations Research 34 (1986).
"""

from collections.abc import Collection, Mapping

from benchwright import seeds

Place = tuple[str, ...]  # the name of a cell, in parts
_Kind = frozenset[Place]  # the cells that a picture can fill


def fill(
    able: Mapping[str, Collection[Place]], cells: Collection[Place], wanted: int, seed: int
) -> dict[str, Place]:
    """Return the cell that each chosen picture fills; no cell has more than ``wanted``.

    ``able`` says which cells each picture can fill. Who takes first, and which picture, depends
    on the seed and on names, never on an order. More ``wanted`` of the same pictures chooses the
    same ones and others; some may be in another cell then.
    """
    filling = _Filling(able, cells, seed)
    takers = filling.cells
    for _ in range(wanted):
        takers = [cell for cell in takers if filling.takes_one(cell)]
    return filling.chosen()


class _Filling:
    """The pictures, by their place in the seeded order: those that are free, those of each cell."""

    def __init__(
        self, able: Mapping[str, Collection[Place]], cells: Collection[Place], seed: int
    ) -> None:
        self.cells = sorted(cells, key=lambda cell: (seeds.draw(seed, "fill-cell", *cell), cell))
        self._order = seeds.shuffled(list(able), seed, "fill-picture")
        self._free: dict[_Kind, list[int]] = {}  # the first one last
        for number in reversed(range(len(self._order))):
            kind = frozenset(able[self._order[number]])
            self._free.setdefault(kind, []).append(number)
        self._kinds = {cell: [kind for kind in self._free if cell in kind] for cell in self.cells}
        self._held: dict[Place, dict[_Kind, list[int]]] = {
            cell: {kind: [] for kind in self._kinds[cell]} for cell in self.cells
        }

    def takes_one(self, cell: Place) -> bool:
        """Let a cell hold one picture more, and the others as many as before, if that can be."""
        chain: dict[Place, tuple[Place, _Kind]] = {}  # who takes a picture of which kind from whom
        reached = [cell]
        for taker in reached:  # grows on the way
            kinds = [kind for kind in self._kinds[taker] if self._free[kind]]
            if kinds:
                kind = min(kinds, key=lambda kind: self._free[kind][-1])
                self._hand_on(self._free[kind].pop(), kind, taker, chain)
                return True
            for holder in self.cells:
                if holder in chain or holder == cell:
                    continue
                held = self._held[holder]
                shared = [kind for kind in self._kinds[taker] if held.get(kind)]
                if shared:
                    chain[holder] = taker, min(shared, key=lambda kind: held[kind][-1])
                    reached.append(holder)
        return False

    def _hand_on(
        self, number: int, kind: _Kind, taker: Place, chain: Mapping[Place, tuple[Place, _Kind]]
    ) -> None:
        """Give a picture to the last of a chain; each of it hands one on to its taker."""
        while taker in chain:
            after, given = chain[taker]
            out = self._held[taker][given].pop()
            self._held[taker][kind].append(number)
            number, kind, taker = out, given, after
        self._held[taker][kind].append(number)

    def chosen(self) -> dict[str, Place]:
        """Return the cell of each picture that one holds."""
        return {
            self._order[number]: cell
            for cell, by_kind in self._held.items()
            for numbers in by_kind.values()
            for number in numbers
        }
