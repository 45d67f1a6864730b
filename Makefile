# Two commands matter: `make demo` and `make test`. In a fresh clone, each installs what it needs and then does its job.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
BENCH := .venv-bench
BENCHES := $(BENCH)/.ready $(patsubst benchmarks/requirements-%.txt,$(BENCH)-%/.ready,$(wildcard benchmarks/requirements-*.txt))
SITE := build/site
PUBLISHED := build/published
PASSED := build/passed.json
THOROUGH := build/thorough.json
# One worker more than there are processors, because workers that drive a browser are idle half of the time.
WORKERS = -n $$(( $$(getconf _NPROCESSORS_ONLN) + 1 )) --maxprocesses 5 --dist loadfile --no-loadscope-reorder
# Python compiles files on first import and caches that. The tests never import most installed files.
PIP := -m pip install --quiet --disable-pip-version-check --no-compile

# Some machines disable the bytecode cache, and every command of the tests would then compile everything again.
unexport PYTHONDONTWRITEBYTECODE

# Packages of Python and Node are installed in parallel.
MAKEFLAGS += --jobs=2
.DEFAULT_GOAL := help
.PHONY: help demo docs generated fuzz test thorough lint types published designer scripts pictures environments audits coverage format serve extension benchmark clean python browser
.DELETE_ON_ERROR:
.SECONDARY:

help:  ## List the targets
	@awk -F ':.*## ' '/^[a-z]+:.*## / {printf "  make %-12s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

demo: $(VENV)/.demo  ## Check the rules, play a little, build the rulebook
	$(BIN)/rulewright check
	$(BIN)/rulewright play pig/classic@1.0 --players random,random --seed 7
	$(BIN)/rulewright run fuzzy-knights/normal@1.0 visit_mine --given 'settlements=[{tier: villa}]' --dice 90,3 --until guardians
	$(BIN)/rulewright book build --output $(SITE)
	@echo "The rulebook is at $(SITE)/index.html; 'make serve' shows it and follows your edits."

# With --quiet, MkDocs would not count warnings, and --strict would let broken links pass.
docs: $(VENV)/.docs  ## Build the documentation for designers and integrators
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict --config-file site/docs.yml
	@echo "The documentation is at build/docs/index.html."

test: lint types published  ## Lint, format and types, then every test whose inputs have changed since the last run
	HYPOTHESIS_PROFILE=$${HYPOTHESIS_PROFILE:-ci} $(BIN)/pytest $(WORKERS) --published=$(PUBLISHED) --unchanged=$(PASSED)

# The power of `fair` is in tests/analysis/power.json, with the commit. After a change of the engine, it is measured again.
thorough: lint types published  ## Run the tests in full instead of a sample; takes hours, and goes on where it was stopped
	$(BIN)/python -m tests.analysis.power; power=$$?; \
	HYPOTHESIS_PROFILE=thorough $(BIN)/pytest $(WORKERS) --published=$(PUBLISHED) --unchanged=$(THOROUGH) && exit $$power

lint: $(VENV)/.test
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/python -m tests.project.prose_counts

types: $(VENV)/.test
	$(BIN)/mypy

# The site for the tests is always rebuilt. If it is unchanged, its tests need not run again.
published: $(VENV)/.test audits
	rm -rf $(PUBLISHED)
	$(BIN)/python -m tests.published $(PUBLISHED)

designer: $(VENV)/.test browser  ## Write house rules in the studio in a browser and count keys: all seven, or RULES
	$(BIN)/python -m tests.studio.designer $(RULES)

scripts: audits  ## Build the scripts of pages, exports and the studio after a change to their sources
	cd editors/studio && node build.js

# Of most mistakes, `make test` leaves out the goldens, so this runs in the profile `thorough`.
generated: $(VENV)/.test  ## Write the files that list all statements, sections and shapes
	$(BIN)/rulewright schema --output rules/schema --annotate rules
	HYPOTHESIS_PROFILE=thorough UPDATE_GOLDENS=1 $(BIN)/pytest -n 0 -q tests/docs/test_stability.py tests/language/test_bad_steps.py \
	  tests/ruleset/test_shape.py tests/ruleset/test_mistakes.py -k "test_stability or verb_missing or step_without_verb or verb_unknown or rows_"

pictures: $(VENV)/.test browser  ## Take new screenshots of the studio for the documentation
	$(BIN)/python -m tests.studio.pictures

environments:  ## Try `make demo` and `make test` on new machines: chroots, other Pythons (as root; takes hours)
	tests/project/environments.sh

coverage: $(VENV)/.test audits  ## Show lines that no test reaches; takes half as long again as the tests
	$(BIN)/pytest $(WORKERS) --cov --cov-report=term

format: $(VENV)/.test  ## Format the Python code
	$(BIN)/ruff check --fix
	$(BIN)/ruff format

fuzz: $(VENV)/.test  ## Run fuzz tests, SECONDS_EACH seconds each (600)
	@for each in caches dice expressions grammar hosts rulesets saves stops; do \
	  $(BIN)/python -m tests.fuzz.$$each --seconds $${SECONDS_EACH:-600} || exit 1; done

serve: $(VENV)/.demo  ## Serve the rulebook and rebuild it when the rules change
	$(BIN)/rulewright book serve

extension:  ## Package the VS Code extension as build/rulewright.vsix (needs Node)
	mkdir -p build
	npm ci --prefix editors/vscode --ignore-scripts --no-audit --no-fund --silent
	npm run --prefix editors/vscode --silent package

benchmark: $(BENCHES) browser  ## Compare speed with other programs, in separate environments
	@missed=; for script in benchmarks/[a-z]*.py; do \
	  echo; echo "== $$script"; $(BENCH)/bin/python $$script || missed="$$missed $$script"; done; echo; \
	if [ -z "$$missed" ]; then echo "No target was missed but those that the documentation says are not reached yet."; \
	else echo "Targets were missed, or scripts failed:$$missed"; exit 1; fi

clean:  ## Remove everything that was built or installed here
	rm -rf build dist $(VENV) $(BENCH)* .pytest_cache .mypy_cache .ruff_cache .hypothesis .coverage .coverage.*
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# A stamp is older than pyproject.toml if what it installed may be outdated.
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

# Programs that conflict with Rulewright: requirements-NAME.txt is installed in an environment of its own, .venv-bench-NAME.
$(BENCH)-%/.ready: benchmarks/requirements-%.txt | $(BENCH)-%/bin/python
	$(BENCH)-$*/bin/python $(PIP) --requirement $<
	@touch $@

%/bin/python: | python
	$(PYTHON) -m venv $*

# Programs that the machine needs. On Debian, missing ones are installed.
python:
	@sh .ci/programs.sh python $(PYTHON)

browser: | python
	@sh .ci/programs.sh pages

# The tools that audit pages, in the versions of the lock file.
audits: browser $(addsuffix /node_modules/.ready,tests/site editors/studio editors/vscode)

%/node_modules/.ready: %/package-lock.json | browser
	npm ci --prefix $* --ignore-scripts --no-audit --no-fund --silent
	@touch $@

# Dependencies of the VS Code extension. Its packaging tool is only installed for packaging.
editors/vscode/node_modules/.ready: editors/vscode/package-lock.json | browser
	npm ci --prefix editors/vscode --omit=dev --ignore-scripts --no-audit --no-fund --silent
	@touch $@
