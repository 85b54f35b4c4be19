# Targets set up their own environment in $(VENV); nothing else on the machine is changed.
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
DEMO ?= demo-out
WORKERS ?= auto

.DEFAULT_GOAL := help
.PHONY: help demo test soak check bench

help: ## Print this list
	@grep -hE '^[a-z]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z]+):.*## /  make \1\t/' | expand -t 18

$(VENV)/.ready: pyproject.toml requirements-dev.txt
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -r requirements-dev.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --editable .
	@touch $@

demo: $(VENV)/.ready ## Construct, freeze and verify a dataset from the bundled questions
	$(BIN)/realhop demo --out $(DEMO) --force

test: $(VENV)/.ready ## Run all tests
	$(BIN)/python -m pytest -n $(WORKERS)

soak: $(VENV)/.ready ## Run the long tests, which `make test` leaves out
	$(BIN)/python -m pytest -m soak

check: $(VENV)/.ready ## Check formatting, style and types
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy

bench: $(VENV)/.ready ## Measure speed and memory beside named peers
	$(BIN)/python -m bench
	$(BIN)/python -m bench.kilt
