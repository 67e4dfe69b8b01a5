"""Where a workspace keeps what: one place for the names of its folders."""

from dataclasses import dataclass
from pathlib import Path

DEFAULT_WORKSPACE = "workspace"


@dataclass(frozen=True, slots=True)
class Workspace:
    """The folder that the commands work in."""

    root: Path

    @property
    def catalog(self) -> Path:
        """The items and their pictures."""
        return self.root / "catalog"

    @property
    def images(self) -> Path:
        """The pictures of the catalog, named by the hash of their bytes."""
        return self.catalog / "images"

    @property
    def labels(self) -> Path:
        """The vocabulary, the votes and the labels."""
        return self.root / "labels"

    @property
    def vocabulary(self) -> Path:
        """The hand-editable vocabulary."""
        return self.labels / "vocabulary.yaml"

    @property
    def weights(self) -> Path:
        """Weights of voters by value, that calibration found."""
        return self.labels / "weights.json"

    @property
    def votes(self) -> Path:
        """The votes that labels are made of; a stage of its own within the labels."""
        return self.labels / "votes"

    @property
    def audits(self) -> Path:
        """The plan of an audit and what auditors decided."""
        return self.root / "audits"

    @property
    def answers(self) -> Path:
        """Every answer that a model gave."""
        return self.root / "answers.sqlite"

    @property
    def embeddings(self) -> Path:
        """What CLIP models made of pictures."""
        return self.root / "embeddings.sqlite"

    @property
    def batches(self) -> Path:
        """Requests on their way to a Batch API; what lies here is temporary."""
        return self.root / "batches"

    @property
    def galleries(self) -> Path:
        """The folder that holds one folder for each τ."""
        return self.root / "galleries"

    @property
    def releases(self) -> Path:
        """The folder that holds one folder for each release, with one for each version."""
        return self.root / "releases"

    @property
    def runs(self) -> Path:
        """The folder that holds one folder for each run of a model."""
        return self.root / "runs"

    def relative(self, path: Path) -> str:
        """Return a path as outputs and messages name it: from the root of the workspace."""
        return path.relative_to(self.root).as_posix()
