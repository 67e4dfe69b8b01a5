"""What a bound on money asks of the voters, and what the user is told to do."""

import re

import pytest

from benchwright.asking.session import check_prices
from benchwright.asking.voters import Voter
from benchwright.errors import UsageError


def priced(name: str, currency: str | None) -> Voter:
    price = None if currency is None else {"input": 1, "output": 1, "currency": currency}
    return Voter.model_validate(
        {"name": name, "model": "m", "base_url": "http://h/v1", "price": price}
    )


@pytest.mark.parametrize(
    ("currencies", "said"),
    [
        (["USD", "USD"], None),
        ([], None),
        # the sum of two currencies is no sum
        (["USD", "EUR"], "the voters have EUR, USD; name all prices in one, or ask the voters of"),
        # what is not known cannot be bounded
        (["USD", None], "v1 has none in the voters' file (input: 0 and output: 0 where"),
    ],
)
def test_a_bound_on_money(currencies: list[str | None], said: str | None) -> None:
    voters = [priced(f"v{at}", currency) for at, currency in enumerate(currencies)]
    if said is None:
        check_prices(voters)
    else:
        with pytest.raises(UsageError, match=re.escape(said)):
            check_prices(voters)
