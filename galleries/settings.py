"""What a user chooses for galleries."""

from dataclasses import dataclass

from benchwright.errors import UsageError


@dataclass(frozen=True, slots=True, kw_only=True)
class Sizes:
    """How many pictures a gallery shows, with the target; both null: the whole pool."""

    low: int | None = None
    high: int | None = None

    @classmethod
    def parse(cls, text: str) -> "Sizes":
        """Read ``all``, ``N`` or ``LO-HI``; raise UsageError for anything else."""
        if text == "all":
            return cls()
        low, dash, high = text.partition("-")
        if low.isdecimal() and (high.isdecimal() or not dash):
            first, last = int(low), int(high if dash else low)
            if 2 <= first <= last:
                return cls(low=first, high=last)
        raise UsageError(
            f"--size takes all, a number such as 8, or a range such as 6-12 "
            f"(2 pictures at least); got {text!r}"
        )

    @property
    def name(self) -> str:
        """The way it is written on the command line."""
        if self.low is None:
            return "all"
        return str(self.low) if self.low == self.high else f"{self.low}-{self.high}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """The settings of a run of build-galleries, apart from τ."""

    per_value: int = 7  # others kept for each value of the target; 0: no limit
    min_gallery: int = 6  # target and pool together
    episodes: int = 1000  # 0: all that qualify
    sizes: Sizes = Sizes()
    paired: bool = False  # same targets, same gallery sizes for every τ of the run
    only_identifiable: bool = False
    seed: int = 0
