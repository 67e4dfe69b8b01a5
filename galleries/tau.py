"""The similarity threshold τ, read as a decimal fraction and compared in whole numbers."""

from dataclasses import dataclass
from decimal import Decimal, InvalidOperation

from benchwright.errors import UsageError

_MOST_DIGITS = 24  # behind the point


@dataclass(frozen=True, slots=True, order=True)
class Tau:
    """τ in (0, 1] as numerator / denominator, with no floating point on the way.

    Sim(a, b) = |Attr(a) ∩ Attr(b)| / |Attr(a)| reaches τ when
    overlap · denominator ≥ numerator · |Attr(a)|  (AMIGO, section 3.2).
    """

    numerator: int
    denominator: int

    @classmethod
    def parse(cls, text: str) -> "Tau":
        """Read a decimal such as ``0.6``; raise UsageError outside (0, 1] or for no decimal."""
        try:
            value = Decimal(text.strip())
        except InvalidOperation:
            value = Decimal(0)
        digits = value.as_tuple().exponent if value.is_finite() else None
        if not isinstance(digits, int) or digits < -_MOST_DIGITS or not 0 < value <= 1:
            raise UsageError(f"--tau takes decimals above 0 and up to 1, such as 0.6; got {text!r}")
        return cls(*value.as_integer_ratio())

    @property
    def name(self) -> str:
        """The shortest decimal: 0.60 and .6 are 0.6, 1.0 is 1."""
        value = (Decimal(self.numerator) / Decimal(self.denominator)).normalize()
        return format(value, "f")

    @property
    def folder(self) -> str:
        """The name of the folder that holds the galleries of this τ."""
        return f"tau-{self.name}"

    def needed(self, size: int) -> int:
        """Return the smallest overlap that reaches τ for a picture of ``size`` values."""
        return -(-self.numerator * size // self.denominator)


def parse_taus(text: str) -> list[Tau]:
    """Read decimals with commas between them; each counts once, in the order given."""
    return list(dict.fromkeys(Tau.parse(part) for part in text.split(",")))
