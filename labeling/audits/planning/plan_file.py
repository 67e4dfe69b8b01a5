"""audits/plan.json: what is to be judged, for the screens and sheets to show."""

from dataclasses import asdict, dataclass
from typing import Literal

import pydantic

from benchwright import files
from benchwright.decisions.cells import Cell, thing_of_cell
from benchwright.decisions.standing import Thing
from benchwright.errors import WorkspaceError
from benchwright.plain_text import excerpt
from benchwright.workspace import Workspace

Stage = Literal["pilot", "main"]


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanSettings:
    """What a plan is made for.

    ``half_width`` (above 0, under 0.5) is that of the interval of the share of labels that are
    right, at a ``confidence`` (0 to 1, both exclusive). ``overlap`` (0 to 1) is the
    share of the labels that two auditors see, ``pilot`` how many labels are judged before errors
    say where more are needed.
    """

    half_width: float = 0.02
    confidence: float = 0.95
    overlap: float = 0.2
    pilot: int = 200
    seed: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedStratum:
    """A stratum of ``size`` labels of which ``planned`` are judged, ``twice`` by two auditors.

    ``low`` and ``high`` are the bounds of the margin in hundredths, both inclusive; without a
    ``value`` it holds the values of the type that are no stratum of their own.
    """

    name: str
    type: str
    value: str | None
    low: int
    high: int
    size: int
    planned: int
    twice: int


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedItem:
    """A label to judge; ``answer`` is the machine's, ``probability`` that of being drawn."""

    image_id: str
    object_id: str | None
    type: str
    value: str
    answer: str
    margin: float
    stratum: str
    probability: float
    twice: bool

    def cell(self) -> Cell:
        """Return the cell that the label is of."""
        return self.image_id, self.object_id, self.type, self.value

    def thing(self) -> Thing:
        """Return what decisions on it are about."""
        return thing_of_cell(self.cell())


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditPlan:
    """The whole file. ``labels`` is the digest of the voted labels that it is of.

    Items come in an order that takes from every stratum as it goes, so that an audit that is
    stopped half-way has judged about half of each.
    """

    stage: Stage
    labels: str
    settings: PlanSettings
    strata: tuple[PlannedStratum, ...]
    items: tuple[PlannedItem, ...]


def write_plan(workspace: Workspace, plan: AuditPlan) -> None:
    """Write audits/plan.json all at once; the same plan gives the same bytes."""
    workspace.audits.mkdir(parents=True, exist_ok=True)
    files.write_json(workspace.audits / "plan.json", asdict(plan))


def read_plan(workspace: Workspace) -> AuditPlan:
    """Return the plan that stands; raise WorkspaceError where there is none that can be read."""
    path = workspace.audits / "plan.json"
    try:
        return pydantic.TypeAdapter(AuditPlan).validate_json(path.read_bytes())
    except FileNotFoundError as error:
        raise WorkspaceError(f"{path}: there is no plan; run review-labels plan first") from error
    except pydantic.ValidationError as error:
        first = error.errors()[0]
        what = excerpt(f"{'.'.join(map(str, first['loc']))} {first['msg']}")
        raise WorkspaceError(
            f"{path}: is no plan ({what}); run review-labels plan again, what was judged stays"
        ) from error
