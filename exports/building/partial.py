"""A release that is not whole yet: where it is made, and what a killed run left of it.

``.VERSION.partial`` beside the versions holds the plan, a note of each config that is written, and
the folder that gets the name of the version when all stands in it.
"""

import shutil
from dataclasses import asdict, dataclass
from pathlib import Path

from benchwright import files
from exports.building.shards import Written, write_shards
from exports.contents.gathering import Content

_PLAN, _NOTES, _RELEASE, _DATA = "plan", "written", "release", "data"


@dataclass(frozen=True, slots=True)
class Partial:
    """The place where the release ``folder`` is made."""

    folder: Path

    @property
    def place(self) -> Path:
        """Where the plan, the notes and the release are for the time being."""
        return self.folder.with_name(f".{self.folder.name}.partial")

    @property
    def release(self) -> Path:
        """The folder that becomes the release."""
        return self.place / _RELEASE

    @property
    def is_gone(self) -> bool:
        """Whether nothing is left of any run."""
        return not self.place.exists()

    def begin(self, plan: str) -> None:
        """Keep the configs that a killed run of the same plan wrote, and remove all else."""
        marker = self.place / _PLAN
        if not marker.is_file() or marker.read_text("utf-8") != plan:
            self.remove()
            for folder in (self.place / _NOTES, self.release / _DATA):
                folder.mkdir(parents=True)
            files.write_bytes(marker, plan.encode())
        files.remove_leftovers(self.place / _NOTES)
        for path in self.release.iterdir():
            if path.name != _DATA:
                _remove(path)
        for path in (self.release / _DATA).iterdir():
            if not self._note(path.name).is_file():
                _remove(path)

    def written(self, content: Content) -> Written:
        """Return what is written of a config, by this run or by the one that was killed."""
        note = self._note(content.config)
        said = files.read_json_object(note)
        if said:
            return Written(
                **{**said, "paths": tuple(said["paths"]), "sha256": tuple(said["sha256"])}
            )
        made = write_shards(self.release, content.config, content.schema, content.tables())
        if made.rows != content.rows:
            raise ValueError(f"{content.config}: {made.rows} rows written, not {content.rows}")
        files.write_json(note, asdict(made))
        return made

    def finish(self) -> None:
        """Give the release its name; the lock stands in it by now."""
        files.sync([self.release / _DATA])
        self.release.rename(self.folder)
        files.sync([self.folder])
        self.remove()

    def remove(self) -> None:
        """Remove what there is."""
        if self.place.exists():
            shutil.rmtree(self.place)

    def _note(self, config: str) -> Path:
        return self.place / _NOTES / f"{config}.json"


def _remove(path: Path) -> None:
    if path.is_dir():
        shutil.rmtree(path)
    else:
        path.unlink()
