"""Models and people attach labels."""

from labeling.frames import labels_frame, votes_frame

__all__ = ["labels_frame", "votes_frame"]
