"""How question chains are asked: what a run says of itself, and a score reads again."""

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from typing import Any, Literal, Self, get_args

from pydantic import TypeAdapter

from benchwright.errors import UsageError
from benchwright.records import ChainMode

MODES: tuple[ChainMode, ...] = get_args(ChainMode)
Past = Literal["true", "own"]


def named_modes(modes: str | None) -> tuple[ChainMode, ...]:
    """Return the modes that a user names, parted by commas, in the order of ``MODES``.

    None is for all. Raises UsageError where there are none, or others.
    """
    if modes is None:
        return MODES
    names = {name for part in modes.split(",") if (name := part.strip())}
    unknown = sorted(names.difference(MODES))
    if unknown or not names:
        said = ", ".join(unknown) or "nothing"
        raise UsageError(f"--modes {modes}: wants some of {', '.join(MODES)}; got {said}")
    return tuple(mode for mode in MODES if mode in names)


@dataclass(frozen=True, slots=True, kw_only=True)
class ChainSettings:
    """How chains are asked.

    ``modes`` stand in the order of ``MODES``. ``history`` says whose answers go before a question
    of following: the true ones or the model's own (definition 22). With ``is_circular`` every
    rotation of the options is asked. ``options`` is how many there are to choose from, where there
    are distractors enough; null for those of the release. With ``is_blindfold`` no picture is
    shown. The options are shuffled by ``seed``.
    """

    modes: tuple[ChainMode, ...] = MODES
    history: Past = "true"
    is_circular: bool = False
    options: int | None = None
    is_blindfold: bool = False
    seed: int = 0

    def checked(self) -> Self:
        """Return the same; raise UsageError where there is no history of the model's own."""
        if self.history == "own" and "following" not in self.modes:
            raise UsageError(
                "--history own: is of the answers of following; play following too (--modes), or"
                " leave it away"
            )
        return self

    def as_json(self) -> dict[str, Any]:
        """Return what stands among the settings of a run; the seed stands beside them."""
        said = asdict(self) | {"modes": list(self.modes)}
        del said["seed"]
        return said

    @classmethod
    def of_run(cls, settings: Mapping[str, Any], seed: int) -> Self:
        """Return the settings that a run says it had."""
        said = {name: settings[name] for name in cls.__dataclass_fields__ if name != "seed"}
        return TypeAdapter(cls).validate_python({**said, "seed": seed})

    def conditions(self) -> Iterator[str]:
        """Yield a name for each thing in which this is not the protocol as it stands."""
        if self.modes != MODES:
            yield "-".join(self.modes)
        if self.history == "own":
            yield "own-history"
        if self.is_circular:
            yield "circular"
        if self.options is not None:
            yield f"{self.options}-options"
        if self.is_blindfold:
            yield "blindfold"

    def parts(self) -> dict[str, str]:
        """Return the same by what it is about, as a run and the rows of its score name it."""
        said = {
            "pictures": "blindfold" if self.is_blindfold else "",
            "history": "own" if self.history == "own" else "",
            "options": "" if self.options is None else f"{self.options}",
            "rotations": "circular" if self.is_circular else "",
        }
        return {name: value for name, value in said.items() if value}
