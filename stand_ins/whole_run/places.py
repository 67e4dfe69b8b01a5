"""Where a whole run reads and writes, and how much of everything it makes."""

from dataclasses import dataclass
from pathlib import Path

from benchwright.workspace import Workspace

_DATA = Path(__file__).parents[2] / "tests" / "data"
CHAINS = Path(__file__).parents[2] / "docs" / "examples" / "chains.yaml"
DRESSES_TABLE = _DATA / "uci_dresses" / "dresses.csv"
COCO = _DATA / "coco"
PLAYED_TAU = "0.4"
OWNER = "lab"


@dataclass(frozen=True, slots=True, kw_only=True)
class Amounts:
    """How much is made: dresses, judgements of the pilot, chains that models draft, ways traced."""

    dresses: int = 600
    judged: int = 60
    chains: int = 6
    per_cell: int = 2
    episodes: int = 40
    traced: int = 12
    taus: str = "0.3,0.4,0.5,0.6,0.7"


SMALL = Amounts(
    dresses=60, judged=12, chains=1, per_cell=1, episodes=6, traced=4, taus="0.2,0.3,0.4,0.5,0.6"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Places:
    """The folders of a run: a workspace for each catalog, and what lies beside them."""

    out: Path
    coco: Path

    @property
    def dresses(self) -> Workspace:
        """The drawn dresses, with labels by voters and galleries."""
        return Workspace(self.out / "dresses")

    @property
    def table(self) -> Workspace:
        """The UCI dresses, which have attributes and no pictures."""
        return Workspace(self.out / "table")

    @property
    def scenes(self) -> Workspace:
        """Pictures of COCO, with false premises and question chains."""
        return Workspace(self.out / "scenes")

    @property
    def spoken(self) -> Workspace:
        """The same pictures with dialogues about their boxes, and candidate sets."""
        return Workspace(self.out / "spoken")

    def released(self) -> dict[str, Workspace]:
        """Return the workspaces that are released, by the names of their releases."""
        return {"dresses": self.dresses, "scenes": self.scenes, "spoken": self.spoken}

    @property
    def annotations(self) -> list[Path]:
        """The files of boxes of COCO."""
        return sorted(self.coco.glob("annotations/instances_*.json"))
