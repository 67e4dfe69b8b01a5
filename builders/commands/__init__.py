"""The commands of ``build-catalog``, a module for each."""
