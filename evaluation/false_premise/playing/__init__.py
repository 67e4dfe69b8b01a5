"""Runs of false-premise dialogues: ten turns with a model, and detectors that read its answers."""
