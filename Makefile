# make demo and make test do all the set-up that they need; nothing else has to be run before.
PYTHON ?= python3
BIN := .venv/bin
INSTALL := $(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt

.PHONY: setup demo test check bench bench-clip clean

.venv/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
	  || { echo "benchwright needs Python 3.11 or newer; name one with make PYTHON=python3.11" >&2; exit 1; }
	@$(PYTHON) -m venv .venv \
	  || { echo "python3 -m venv failed; on Debian and Ubuntu: apt-get install python3-venv" >&2; rm -rf .venv; exit 1; }

.venv/installed: .venv/bin/python pyproject.toml constraints.txt
	$(INSTALL) -e .
	@touch $@

.venv/installed-dev: .venv/installed
	$(INSTALL) -e '.[dev]'
	@touch $@

.venv/installed-bench: .venv/installed
	$(INSTALL) -e '.[bench]'
	@touch $@

setup: .venv/installed-dev  ## everything that work on benchwright needs

demo: .venv/installed  ## galleries of the built-in sample at τ 0.6
	$(BIN)/build-galleries --tau 0.6

test: .venv/installed-dev  ## all tests, on two processes
	$(BIN)/python -m pytest -n 2

check: .venv/installed-dev  ## what else CI runs: style, types, layers
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

bench: .venv/installed-dev .venv/installed-bench  ## ours beside what one would use instead
	$(BIN)/python -m benchmarks.pools
	$(BIN)/python -m benchmarks.ingest
	$(BIN)/python -m benchmarks.duplicates
	$(BIN)/python -m benchmarks.asking
	$(BIN)/python -m benchmarks.asking memory
	$(BIN)/python -m benchmarks.votes
	$(BIN)/python -m benchmarks.values_per_call

bench-clip: .venv/installed-dev  ## the same for CLIP embeddings; installs the extra clip (gigabytes)
	$(INSTALL) -e '.[clip]'
	$(BIN)/python -m benchmarks.embedding

clean:
	rm -rf .venv workspace
