"""A release as it was named: a folder, or a tag of a repository on the Hub."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from benchwright.errors import UsageError
from benchwright.release_loading import config_names, load_config
from benchwright.release_places import resolved
from benchwright.rows import content_digest
from benchwright.store import digest_of

_COMMITMENT = "commitment"  # stands where the answers of a release are held back


@dataclass(frozen=True, slots=True, kw_only=True)
class Release:
    """A release that can be read.

    ``name`` is how runs and scores name it: NAME/VERSION of a folder, USER/NAME@TAG on the Hub.
    ``path`` is what ``datasets`` loads, ``commit`` the commit of the tag, null for a folder.
    """

    name: str
    path: str
    commit: str | None
    configs: tuple[str, ...]
    # a play asks for the same rows a dozen times, and each loading reads the whole card
    _read: dict[str, Any] = field(default_factory=dict, init=False, repr=False, compare=False)

    def rows(self, config: str) -> Any:
        """Return a config as a ``datasets.Dataset``; raises UsageError where there is none."""
        if config not in self._read:
            self._read[config] = load_config(self.path, config, self.commit, names=self.configs)
        return self._read[config]

    def open_rows(self, config: str) -> Any:
        """Return a config whose answers are not held back; raises UsageError else."""
        rows = self.rows(config)
        if _COMMITMENT in rows.column_names:
            raise UsageError(
                f"{self.name}: holds back the answers of {config}; whoever holds them can play it"
            )
        return rows

    def digest(self, *configs: str) -> str:
        """Return one sha256 of the rows of some configs, pictures not among them."""
        return digest_of([_rows_digest(self.rows(config)) for config in configs])


def open_release(release: str) -> Release:
    """Return the release in a folder, or ``REPO@TAG`` on the Hub.

    Raises UsageError for what is neither or is not there, ServerError where the Hub does not
    answer.
    """
    place = resolved(release)
    name = release if place.commit else "/".join(Path(release).resolve().parts[-2:])
    configs = config_names(place.path, place.commit)
    return Release(name=name, path=place.path, commit=place.commit, configs=tuple(configs))


def _rows_digest(rows: Any) -> str:
    return content_digest([rows.with_format("arrow")[:]])
