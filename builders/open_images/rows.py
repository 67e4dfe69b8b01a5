"""Records of the annotation files: one box, label, relationship or mask each."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from builders.open_images.accounts import BadRow
from builders.open_images.headers import Kind
from builders.open_images.numbers import Corners, corners, flag, number
from builders.open_images.reading import Sheet

_MACHINE = "machine"  # the Source of labels that no person looked at


@dataclass(frozen=True, slots=True, kw_only=True)
class BoxRow:
    """A box, normalised; a flag is null where it is unknown."""

    label: str
    corners: Corners
    drawn_by: str = ""
    is_occluded: bool | None = None
    is_truncated: bool | None = None
    is_group: bool | None = None
    is_depiction: bool | None = None
    is_inside: bool | None = None
    altered: tuple[tuple[str, str], ...] = ()
    path: str = field(default="", compare=False)
    line: int = field(default=0, compare=False)

    @property
    def worth(self) -> tuple[int, str]:
        """Order rows of one box: the one that says most first, then by content."""
        flags = (
            self.is_occluded,
            self.is_truncated,
            self.is_group,
            self.is_depiction,
            self.is_inside,
        )
        return sum(one is None for one in flags), repr((flags, self.drawn_by))


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelRow:
    """A label of a whole picture; a confidence (0 to 1) of 0 says that it is absent."""

    label: str
    verified_by: str
    confidence: float

    @property
    def is_machine(self) -> bool:
        """Whether no person looked at it."""
        return self.verified_by.lower() == _MACHINE


@dataclass(frozen=True, slots=True, kw_only=True, order=True)
class RelationRow:
    """Two objects in a relationship; ``is`` gives the first one the attribute ``second``."""

    relation: str
    first: str
    first_corners: Corners
    second: str
    second_corners: Corners
    path: str = field(default="", compare=False)
    line: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class MaskRow:
    """A mask: the file it lies in, and the object whose box it is of."""

    mask_path: str
    label: str
    corners: Corners
    predicted_iou: float
    path: str = field(default="", compare=False)
    line: int = field(default=0, compare=False)


AnnotationRow = BoxRow | LabelRow | RelationRow | MaskRow


def annotation_of(sheet: Sheet, line: int, cells: list[str]) -> AnnotationRow:
    """Return what one record says; raises BadRow where it says nothing that can be used."""
    cell = _Cells(sheet, line, cells)
    make: Mapping[Kind, Callable[[_Cells], AnnotationRow]] = {
        "boxes": _box,
        "labels": _label,
        "relations": _relation,
        "masks": _mask,
    }
    return make[sheet.layout.kind](cell)


@dataclass(frozen=True, slots=True)
class _Cells:
    sheet: Sheet
    line: int
    cells: list[str]

    def text(self, column: str) -> str:
        place = self.sheet.layout.columns.get(column)
        return "" if place is None else self.cells[place].strip()

    def label(self, column: str) -> str:
        text = self.text(column)
        if not text:
            raise BadRow("no_label", f"the {column} is empty")
        return text

    def corners(self, *columns: str) -> tuple[Corners, bool]:
        x_min, x_max, y_min, y_max = (self.text(column) for column in columns)
        try:
            return corners(x_min, x_max, y_min, y_max)
        except ValueError as error:
            raise BadRow("bad_box", str(error)) from error


def _box(cell: _Cells) -> BoxRow:
    altered: list[tuple[str, str]] = []
    flags: dict[str, bool | None] = {}
    for column in ("isoccluded", "istruncated", "isgroupof", "isdepiction", "isinside"):
        try:
            flags[column] = flag(cell.text(column))
        except ValueError as error:
            flags[column] = None
            altered.append(("bad_flag", f"{column}: {error}; taken as unknown"))
    label = cell.label("labelname")
    box, clipped = cell.corners("xmin", "xmax", "ymin", "ymax")
    if clipped:
        altered.append(("box_clipped", "the box reached out of the picture"))
    return BoxRow(
        label=label,
        corners=box,
        drawn_by=cell.text("source"),
        is_occluded=flags["isoccluded"],
        is_truncated=flags["istruncated"],
        is_group=flags["isgroupof"],
        is_depiction=flags["isdepiction"],
        is_inside=flags["isinside"],
        altered=tuple(altered),
        path=cell.sheet.name,
        line=cell.line,
    )


def _label(cell: _Cells) -> LabelRow:
    text = cell.text("confidence")
    confidence = number(text)
    if confidence is None or not 0 <= confidence <= 1:
        raise BadRow(
            "bad_confidence", f"the Confidence is {text[:40]!r}; a number from 0 to 1 was wanted"
        )
    return LabelRow(
        label=cell.label("labelname"), verified_by=cell.text("source"), confidence=confidence
    )


def _relation(cell: _Cells) -> RelationRow:
    relation = cell.text("relationshiplabel")
    if not relation:
        raise BadRow("no_label", "the RelationshipLabel is empty")
    first, _ = cell.corners("xmin1", "xmax1", "ymin1", "ymax1")
    second, _ = cell.corners("xmin2", "xmax2", "ymin2", "ymax2")
    return RelationRow(
        relation=relation,
        first=cell.label("labelname1"),
        first_corners=first,
        second=cell.label("labelname2"),
        second_corners=second,
        path=cell.sheet.name,
        line=cell.line,
    )


def _mask(cell: _Cells) -> MaskRow:
    mask_path = cell.text("maskpath")
    if not mask_path:
        raise BadRow("no_mask_path", "the MaskPath is empty")
    box, _ = cell.corners("boxxmin", "boxxmax", "boxymin", "boxymax")
    return MaskRow(
        mask_path=mask_path,
        label=cell.label("labelname"),
        corners=box,
        predicted_iou=number(cell.text("predictediou")) or 0.0,
        path=cell.sheet.name,
        line=cell.line,
    )
