# Two commands for a bare machine with Python 3.11+: `make serve` and `make test`.
PYTHON ?= python3
BIN := .venv/bin
# Material tells of its successor at each start.
export NO_MKDOCS_2_WARNING = 1
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt
# What the site needs is a fraction of what the tests need.
SITE := .venv/site-installed
STAMP := .venv/installed

.PHONY: install install-site serve build check test lint bench bench-all bench-attention clean

install: $(STAMP)

install-site: $(SITE)

$(SITE): pyproject.toml constraints.txt
	$(PYTHON) -m venv .venv
	$(PIP) -e '.[site]'
	touch $@

$(STAMP): $(SITE)
	$(PIP) -e '.[dev]'
	touch $@

serve: $(SITE)
	$(BIN)/mkdocs serve

build: $(SITE)
	$(BIN)/mkdocs build --strict

check: $(SITE)
	$(BIN)/knit check

lint: $(STAMP)
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy

test: lint
	$(BIN)/python -m pytest -n auto

# A course of four lessons: `make bench`; all that the page of speed shows, half an hour: `make bench-all`.
SIZE ?= 4
bench: .venv/benched
	$(BIN)/python -m bench --lessons $(SIZE)

bench-all: .venv/benched
	-$(BIN)/python -m bench --lessons 4 --rounds 3
	-$(BIN)/python -m bench --lessons 20 --rounds 3 --peers myst-nb
	-$(BIN)/python -m bench --lessons 100 --rounds 2 --peers myst-nb --peer-rounds 1
	-$(BIN)/python -m bench.preview
	-$(BIN)/python -m bench.remaining
	-$(BIN)/python -m bench.growth

.venv/benched: $(STAMP)
	$(PIP) -e '.[bench]'
	touch $@

bench-attention: $(STAMP)
	$(BIN)/python bench/attention.py

clean:
	rm -rf site .cache
