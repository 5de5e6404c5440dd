# Everything runs in a virtual environment of the project; nothing is installed by hand.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin

.DEFAULT_GOAL := help
.PHONY: help demo test lint format bench judge-eval clean

help:
	@echo "make demo    search the bundled posts for \"Rome Italy\""
	@echo "make test    run all tests"
	@echo "make lint    check style and types"
	@echo "make format  put the code into shape"
	@echo "make bench   print speed and size"
	@echo "make judge-eval  measure the judge on labelled posts"

$(VENV)/runtime: pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e .
	@$(BIN)/python -m compileall -q scripts/engine
	@touch $@

$(VENV)/dev: $(VENV)/runtime
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[dev]'
	@touch $@

demo: $(VENV)/runtime
	@$(BIN)/python scripts/x_search.py "Rome Italy" --demo

test: $(VENV)/dev
	$(BIN)/python -m pytest -n 4 --dist worksteal

lint: $(VENV)/dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

format: $(VENV)/dev
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

bench: $(VENV)/dev
	$(BIN)/python tests/bench.py

judge-eval: $(VENV)/dev
	$(BIN)/python tests/judge_eval.py --baselines

clean:
	rm -rf $(VENV) .mypy_cache .pytest_cache .ruff_cache scripts/*.egg-info
