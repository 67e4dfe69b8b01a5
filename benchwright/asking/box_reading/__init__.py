"""Reading boxes from the answers of models: whatever way they are written, in whatever unit."""

from benchwright.asking.box_reading.reading import BoxReading, read_boxes
from benchwright.asking.box_reading.units import SentPicture, Unit

__all__ = ["BoxReading", "SentPicture", "Unit", "read_boxes"]
