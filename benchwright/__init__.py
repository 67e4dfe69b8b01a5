"""What the stages share: records, stores, pictures, errors."""

__version__ = "0.1.0"
