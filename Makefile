# Two commands matter: `make demo` and `make test`. Each sets up what it needs in a fresh clone, then does its job.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
BENCH := .venv-bench
BENCHES := $(BENCH)/.ready $(patsubst benchmarks/requirements-%.txt,$(BENCH)-%/.ready,$(wildcard benchmarks/requirements-*.txt))
SITE := build/site
PUBLISHED := build/published
PASSED := build/passed.json
# One worker more than processors: those that drive a browser wait for it half of their time.
WORKERS = -n $$(( $$(getconf _NPROCESSORS_ONLN) + 1 )) --maxprocesses 5 --dist loadfile --no-loadscope-reorder
# Python compiles what it imports when it first does, and keeps that; of what the tests need, most files are never imported.
PIP := -m pip install --quiet --disable-pip-version-check --no-compile

# Some machines ask Python to keep nothing that it has compiled; every command of the tests would compile all of it anew.
unexport PYTHONDONTWRITEBYTECODE

# What is installed for Python and for Node is fetched side by side.
MAKEFLAGS += --jobs=2
.DEFAULT_GOAL := help
.PHONY: help demo docs fuzz test thorough lint types published designer scripts pictures environments audits coverage format serve extension benchmark clean python browser
.DELETE_ON_ERROR:
.SECONDARY:

help:  ## Say what can be made
	@awk -F ':.*## ' '/^[a-z]+:.*## / {printf "  make %-10s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

demo: $(VENV)/.demo  ## Check the rules, play a little, build the rulebook
	$(BIN)/rulewright check
	$(BIN)/rulewright play pig/classic@1.0 --players random,random --seed 7
	$(BIN)/rulewright run fuzzy-knights/normal@1.0 visit_mine --given 'settlements=[{tier: villa}]' --dice 90,3 --until guardians
	$(BIN)/rulewright book build --output $(SITE)
	@echo "The rulebook is at $(SITE)/index.html; 'make serve' shows it and follows your edits."

docs: $(VENV)/.docs  ## Build the documentation for designers and integrators
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --quiet --strict --config-file site/docs.yml
	@echo "The documentation is at build/docs/index.html."

test: lint types published  ## Lint, format, types, then every test that the last run has not shown already
	HYPOTHESIS_PROFILE=$${HYPOTHESIS_PROFILE:-ci} $(BIN)/pytest $(WORKERS) --published=$(PUBLISHED) --unchanged=$(PASSED)

thorough: lint types published  ## The tests with everything they can go through, where `make test` takes a few; takes hours
	HYPOTHESIS_PROFILE=thorough $(BIN)/pytest $(WORKERS) --published=$(PUBLISHED)

lint: $(VENV)/.test
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/python -m tests.project.prose_counts

types: $(VENV)/.test
	$(BIN)/mypy

# The site that tests look at is built anew each time; where it comes out the same, so do they.
published: $(VENV)/.test audits
	rm -rf $(PUBLISHED)
	$(BIN)/python -m tests.published $(PUBLISHED)

designer: $(VENV)/.test browser  ## Write house rules in the studio, in a browser, and count the keys: all seven, or RULES
	$(BIN)/python -m tests.studio.designer $(RULES)

scripts: audits  ## Build the scripts of pages, exports and the studio after a change to their sources
	cd editors/studio && node build.js

pictures: $(VENV)/.test browser  ## Take the pictures of the studio that the documentation shows anew
	$(BIN)/python -m tests.studio.pictures

environments:  ## Try `make demo` and `make test` on new machines, in chroots and with other Pythons (as root; takes hours)
	tests/project/environments.sh

coverage: $(VENV)/.test audits  ## Show which lines no test reaches; takes half as long again as the tests
	$(BIN)/pytest $(WORKERS) --cov --cov-report=term

format: $(VENV)/.test  ## Put the Python in order
	$(BIN)/ruff check --fix
	$(BIN)/ruff format

fuzz: $(VENV)/.test  ## Try inputs that nobody meant, SECONDS_EACH seconds each (600)
	@for each in caches dice expressions grammar hosts rulesets saves stops; do \
	  $(BIN)/python -m tests.fuzz.$$each --seconds $${SECONDS_EACH:-600} || exit 1; done

serve: $(VENV)/.demo  ## Serve the rulebook here and rebuild it as the rules change
	$(BIN)/rulewright book serve

extension:  ## Package the extension of VS Code as build/rulewright.vsix (with Node)
	mkdir -p build
	npm ci --prefix editors/vscode --ignore-scripts --no-audit --no-fund --silent
	npm run --prefix editors/vscode --silent package

benchmark: $(BENCHES) browser  ## Measure beside other programs, in environments of their own
	@missed=; for script in benchmarks/[a-z]*.py; do \
	  echo; echo "== $$script"; $(BENCH)/bin/python $$script || missed="$$missed $$script"; done; echo; \
	if [ -z "$$missed" ]; then echo "No target was missed but those that the documentation says are not reached yet."; \
	else echo "Targets were missed, or scripts failed:$$missed"; exit 1; fi

clean:  ## Remove everything that was built or installed here
	rm -rf build dist $(VENV) $(BENCH)* .pytest_cache .mypy_cache .ruff_cache .hypothesis .coverage .coverage.*
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# A stamp is older than pyproject.toml exactly when what it installed may no longer be what is asked for.
$(VENV)/.demo: pyproject.toml | $(VENV)/bin/python
	$(BIN)/python $(PIP) --editable '.[studio,train]'
	@touch $@

$(VENV)/.docs: pyproject.toml | $(VENV)/bin/python
	$(BIN)/python $(PIP) --editable '.[docs]'
	@touch $@ $(VENV)/.demo

$(VENV)/.test: pyproject.toml | $(VENV)/bin/python
	$(BIN)/python $(PIP) --editable '.[book,test]'
	@touch $@ $(VENV)/.demo $(VENV)/.docs

$(BENCH)/.ready: benchmarks/requirements.txt pyproject.toml | $(BENCH)/bin/python
	$(BENCH)/bin/python $(PIP) --requirement $< --editable '.[studio,train]'
	@touch $@

# Programs that cannot live beside Rulewright: requirements-NAME.txt is installed alone in .venv-bench-NAME.
$(BENCH)-%/.ready: benchmarks/requirements-%.txt | $(BENCH)-%/bin/python
	$(BENCH)-$*/bin/python $(PIP) --requirement $<
	@touch $@

%/bin/python: | python
	$(PYTHON) -m venv $*

# What the machine itself must have; Debian is asked for what is missing.
python:
	@sh .ci/programs.sh python $(PYTHON)

browser: | python
	@sh .ci/programs.sh pages

# The tools that audit the pages, at the versions in the lock file.
audits: browser $(addsuffix /node_modules/.ready,tests/site editors/studio editors/vscode)

%/node_modules/.ready: %/package-lock.json | browser
	npm ci --prefix $* --ignore-scripts --no-audit --no-fund --silent
	@touch $@

# What the extension of VS Code speaks by; what packages it is installed only where that is done.
editors/vscode/node_modules/.ready: editors/vscode/package-lock.json | browser
	npm ci --prefix editors/vscode --omit=dev --ignore-scripts --no-audit --no-fund --silent
	@touch $@
