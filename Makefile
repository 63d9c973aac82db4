# Every target works as the first command in a fresh clone: it makes .venv and installs what it needs.
PYTHON ?= python3
BIN := .venv/bin
# Tests start many processes: compiled files spare each of them the compilation of the library.
export PYTHONDONTWRITEBYTECODE :=

.PHONY: demo dev paper test test-fast test-lowest mutants fuzz sanitize lint docs site bench bench-files interface release-check clean
.DEFAULT_GOAL := test

# One stamp per set of extras; a changed pyproject.toml installs again, and so do changed sources in C, which installing compiles.
.venv/.plain: pyproject.toml hatch_build.py $(wildcard src/indicatrix/compiled/*.[ch])
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable .
	@touch $@

.venv/.cli: .venv/.plain
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[cli]'
	@touch $@

.venv/.paper: .venv/.plain
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[paper]'
	@touch $@

# In two thirds of the time: what the tests import is compiled then, which is a small part of what is installed.
.venv/.core: .venv/.plain
	$(BIN)/python -m pip install --no-compile --quiet --disable-pip-version-check --editable '.[core]'
	@touch $@

.venv/.dev: .venv/.plain
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
	@touch $@

.venv/.docs: .venv/.plain
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[docs]'
	@touch $@

demo: .venv/.cli
	@$(BIN)/indicatrix demo

# Figures, tables and one page go to reproduced/; INDICATRIX_DATA names a folder with the data sets, which are fetched otherwise.
paper: .venv/.paper
	$(BIN)/python -m paper --out reproduced

lint: .venv/.dev
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/codespell
	$(BIN)/mypy
	$(BIN)/lint-imports

# Each group is one process: it collects its own files, and imports only the large libraries that they need. Idle cores take the
# next group, those that wait for a browser, Java or a trainer first. What stands in no group is in the last one.
GROUP_clusters := tests/clusters
GROUP_trainers := tests/integrations
GROUP_page := tests/page tests/tensors
GROUP_laws := tests/laws
GROUP_inference := tests/inference tests/pipelines
GROUP_commands := tests/cli tests/files
GROUP_paper := tests/paper paper
GROUP_scores := tests/scores tests/settings
GROUP_peers := tests/peers tests/sklearn_suite
GROUP_theory := tests/theory tests/vision
GROUP_manual := tests/manual
GROUPS := clusters manual trainers page laws inference scores peers commands paper theory
GROUP_others := $(foreach group,$(GROUPS),$(GROUP_$(group):%=--ignore=%))
RUNS := $(GROUPS:%=test-%) test-others
.PHONY: $(RUNS)

# One process more than there are cores, because some wait.
JOBS ?= $(shell expr $$(getconf _NPROCESSORS_ONLN) + 1)
MAKE_SIDE_BY_SIDE = $(MAKE) --no-print-directory --keep-going --output-sync=target --jobs=$(JOBS)

# Numerical libraries with a thread for each core, in each of these processes, would mostly wait for each other.
export OMP_NUM_THREADS ?= 1

test: .venv/.dev
	$(MAKE_SIDE_BY_SIDE) lint $(RUNS)

# Of the fast tests, what a process imports and collects would be the larger part in small groups: they run in three.
FAST := -m "not slow" --hypothesis-profile=fast
GROUP_first := $(foreach group,laws theory inference,$(GROUP_$(group)))
GROUP_second := $(foreach group,scores commands paper manual clusters,$(GROUP_$(group)))
GROUP_third := $(foreach path,$(GROUP_first) $(GROUP_second),--ignore=$(path))
FAST_RUNS := test-third test-second test-first
.PHONY: $(FAST_RUNS)

test-fast: .venv/.dev
	$(MAKE_SIDE_BY_SIDE) $(FAST_RUNS) ONLY='$(FAST)'

# The small set for a first change: a minute to install, and the fast tests of all that it has. Tests of other libraries say which.
dev: .venv/.core
	INDICATRIX_TESTS=core $(MAKE_SIDE_BY_SIDE) $(FAST_RUNS) EXTRA=core ONLY='$(FAST)'

# Of a group of which nothing is installed, no test is found: pytest then ends with 5.
EXTRA ?= dev
$(RUNS) $(FAST_RUNS): test-%: .venv/.$(EXTRA)
	$(BIN)/python -m pytest $(ONLY) $(GROUP_$*) $(if $(filter core,$(EXTRA)),|| [ $$? = 5 ])

# The fast tests with the lowest versions of the libraries that pyproject.toml names, in an environment of their own.
test-lowest:
	$(PYTHON) .ci/lowest.py .venv-lowest $(FAST)

# Puts 100 small faults into copies of the library, one at a time; takes about half an hour, and goes on where it was stopped.
mutants: .venv/.dev
	$(BIN)/python -m mutants

# Random problems against exact arithmetic for MINUTES minutes, then FILES damaged files of each kind; SEED draws others.
MINUTES ?= 10
FILES ?= 2000
SEED ?= 0
fuzz: .venv/.dev
	$(BIN)/python -m fuzz --minutes $(MINUTES) --seed $(SEED)
	$(BIN)/python -m fuzz.damaged_files $(FILES) --seed $(SEED)
	$(BIN)/python -m fuzz.junk_calls 20000 --seed $(SEED)
	$(BIN)/python -m fuzz.own_formulas 2000 --seed $(SEED)

# Builds the kernels in C so that they stop at any undefined behavior, runs the tests of counting, and builds them as usual.
COUNTING := tests/laws/test_compiled_kernels.py tests/laws/test_evaluation.py tests/laws/test_exact_weights.py tests/inference/test_moments.py tests/test_containers.py
sanitize: .venv/.dev
	$(BIN)/python hatch_build.py -DSEGMENT=3000 -O1 -g -fasynchronous-unwind-tables -fno-omit-frame-pointer -fsanitize=address,undefined -fno-sanitize-recover=all
	LD_PRELOAD="$$(cc -print-file-name=libasan.so) $$(cc -print-file-name=libubsan.so)" ASAN_OPTIONS=detect_leaks=0 \
	$(BIN)/python -m pytest $(ONLY) -k "not saved and not file" $(COUNTING); status=$$?; $(BIN)/python hatch_build.py; exit $$status

# Writes what is derived from the code and checked in, then the site into docs/_build/html; any warning is an error.
docs: .venv/.docs
	$(BIN)/python docs/write_measure_notes.py
	$(BIN)/python docs/write_stubs.py
	$(MAKE) --no-print-directory site

site: .venv/.docs
	$(BIN)/sphinx-build --quiet --nitpicky --fail-on-warning --keep-going --jobs auto docs docs/_build/html

# Writes down the public interface, which a test compares: after a change that is meant.
interface: .venv/.plain
	$(BIN)/python tests/public_interface.py

# All that can be checked before a version is published, but the tests; --list says what each step does.
release-check:
	$(PYTHON) .ci/release_check.py

bench: .venv/.dev
	$(BIN)/python -m benchmarks

# Files of 10^8 rows, in a temporary folder: processor time next to pyarrow that reads the same columns.
ROWS ?= 100000000
bench-files: .venv/.dev
	$(BIN)/python -m benchmarks.files $(ROWS)

clean:
	rm -rf .venv .venv-lowest .venv-release dist docs/_build docs/gallery docs/measures docs/settings docs/reference reproduced .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache .mutants
