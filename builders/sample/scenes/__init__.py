"""Scenes of the built-in sample: women in drawn dresses, with boxes, captions and dialogues."""
