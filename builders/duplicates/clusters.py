"""Groups of pictures: the union of product links and near-duplicate links (definitions, 3)."""

from collections.abc import Iterable, Sequence

import numpy as np


def roots_of(count: int, links: Iterable[tuple[int, int]]) -> np.ndarray:
    """Return for each of ``count`` rows the smallest row that links connect it with."""
    parent = list(range(count))

    def find(row: int) -> int:
        while parent[row] != row:
            parent[row] = parent[parent[row]]
            row = parent[row]
        return row

    for one, other in links:
        a, b = find(one), find(other)
        parent[max(a, b)] = min(a, b)
    return np.array([find(row) for row in range(count)], np.int64)


def cluster_ids(
    image_ids: Sequence[str],
    products: Sequence[str | None],
    links: Iterable[tuple[int, int]],
) -> list[str | None]:
    """Return the group of each picture, None for one that stands alone and has no product.

    Pictures are one group when links and products connect them. The group has the product's own
    id when it holds just one product, else the smallest image id in it.
    """
    first_of: dict[str, int] = {}
    same_product = [
        (first_of.setdefault(product, row), row)
        for row, product in enumerate(products)
        if product is not None
    ]
    roots = roots_of(len(image_ids), [*same_product, *links])
    members: dict[int, list[int]] = {}
    for row, root in enumerate(roots.tolist()):
        members.setdefault(root, []).append(row)
    names: list[str | None] = [None] * len(image_ids)
    for rows in members.values():
        own = {product for row in rows if (product := products[row]) is not None}
        if len(rows) == 1 and not own:
            continue
        if len(own) == 1:
            (name,) = own
        else:
            name = min(image_ids[row] for row in rows)
            while name in first_of:  # a product may be called like a picture
                name = f"{name}+"
        for row in rows:
            names[row] = name
    return names
