"""Who is asked, as the user named it: a model by its address, or voters by a file."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchwright.asking.voters import Voter, check_told_apart, read_voters
from benchwright.errors import UsageError
from benchwright.yaml_files import as_settings

_STRANGE = re.compile(r"[^A-Za-z0-9._-]+")
_LONGEST = 80  # characters of the name of a voter or of a run
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")


@dataclass(frozen=True, slots=True, kw_only=True)
class Named:
    """What the user said of models.

    --model, --base-url, --api-key-env and --concurrency, or --voters and --only; or a ``person``,
    who answers as a voter does.
    """

    model: str | None = None
    base_url: str | None = None
    api_key_env: str | None = None
    concurrency: int | None = None
    path: Path | None = None
    only: str | None = None
    person: Voter | None = None

    def player(self, baseline: str | None, judges: Sequence[str]) -> Voter | str:
        """Return who is played: the model, the voter, or the ``baseline``, which is none.

        Where the file names several voters and none is chosen it is the one that is no judge.
        Raises UsageError where nobody is named, or more than one.
        """
        if self.person is not None:
            return self.person
        chosen = {"--model": self.model, "--player": baseline, "--only": self.only}
        named = [option for option, value in chosen.items() if value is not None]
        if len(named) > 1:
            raise UsageError(f"{' and '.join(named)} each name who plays; leave one away")
        of_model = {"--api-key-env": self.api_key_env, "--concurrency": self.concurrency}
        for option, value in of_model.items():
            if value is not None and self.model is None:
                raise UsageError(f"{option} goes with --model; a voters' file has its own")
        if self.model is not None or self.base_url is not None:
            return self._served()
        if baseline is not None:
            return baseline
        if self.path is None:
            raise UsageError(
                "nobody is named to play: --model NAME --base-url URL, or --voters FILE --only"
                " NAME, or --player random, greedy or never-asking, which are no models"
            )
        return self._of_file(self.path, judges)

    def judge(self, option: str, name: str) -> Voter:
        """Return the voter of the file that an option names; raise UsageError where it has none."""
        if self.path is None:
            raise UsageError(f"{option} {name}: name the file that says who that is by --voters")
        return _by_name(read_voters(self.path), name, f"{option} {name}", self.path)

    def _served(self) -> Voter:
        if self.model is None or self.base_url is None:
            raise UsageError("--model NAME and --base-url URL go together")
        said: dict[str, Any] = {
            "name": name_from(self.model.rstrip("/").rpartition("/")[2], "model"),
            "model": self.model,
            "base_url": self.base_url,
            "api_key_env": self.api_key_env,
        }
        if self.concurrency is not None:
            said["concurrency"] = self.concurrency
        return as_settings(said, Voter, Path(f"--model {self.model}"))

    def _of_file(self, path: Path, judges: Sequence[str]) -> Voter:
        voters = read_voters(path)
        if self.only is not None:
            return _by_name(voters, self.only, f"--only {self.only}", path)
        left = [voter for voter in voters if voter.name not in judges]
        if len(left) == 1:
            return left[0]
        names = ", ".join(voter.name for voter in voters)
        raise UsageError(f"{path}: say by --only NAME which of {names} plays")


def check_voters(voters: Sequence[Voter]) -> None:
    """Raise UsageError where two voters could not be told apart by their answers."""
    try:
        check_told_apart(voters)
    except ValueError as error:
        raise UsageError(f"{error}") from error


def name_from(text: str, otherwise: str) -> str:
    """Return a name for a voter or a run made of a text: letters, digits, dots and hyphens."""
    said = _STRANGE.sub("-", text)[:_LONGEST].strip("._-")
    return said or otherwise


def run_name(player: str, config: str, release: str, *more: str) -> str:
    """Return how a run is called whose user did not say."""
    return ".".join(name_from(part, "run") for part in (player, config, release, *more) if part)


def checked_name(name: str) -> str:
    """Return the name of a run as it was given; raise UsageError where it can be no folder's."""
    if not _NAME.fullmatch(name) or len(name) > 2 * _LONGEST:
        raise UsageError(
            f"--run {name}: wants letters, digits, dots, hyphens and underscores, a letter or digit"
            f" first, at most {2 * _LONGEST}"
        )
    return name


def _by_name(voters: Sequence[Voter], name: str, said: str, path: Path) -> Voter:
    found = next((voter for voter in voters if voter.name == name), None)
    if found is None:
        names = ", ".join(voter.name for voter in voters)
        raise UsageError(f"{said}: {path} has no such voter; it names {names}")
    return found
