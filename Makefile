# Two commands matter: `make demo` and `make test`. Each sets up what it needs in a fresh clone, then does its job.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
BENCH := .venv-bench
BENCHES := $(BENCH)/.ready $(patsubst benchmarks/requirements-%.txt,$(BENCH)-%/.ready,$(wildcard benchmarks/requirements-*.txt))
SITE := build/site
PUBLISHED := build/published
# One worker more than processors: those that drive a browser wait for it half of their time.
WORKERS = -n $$(( $$(getconf _NPROCESSORS_ONLN) + 1 )) --maxprocesses 5 --dist loadfile --no-loadscope-reorder
PIP := -m pip install --quiet --disable-pip-version-check

# What is installed for Python and for Node is fetched side by side.
MAKEFLAGS += --jobs=2
.DEFAULT_GOAL := help
.PHONY: help demo docs test audits coverage format serve benchmark clean browser
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

docs: $(VENV)/.demo  ## Build the documentation for designers and integrators
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --quiet --strict --config-file site/docs.yml
	@echo "The documentation is at build/docs/index.html."

test: $(VENV)/.test audits  ## Lint, format, types, then every test
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	rm -rf $(PUBLISHED)
	HYPOTHESIS_PROFILE=$${HYPOTHESIS_PROFILE:-ci} $(BIN)/pytest $(WORKERS) --published=$(PUBLISHED) -m "not lighthouse"
	$(BIN)/pytest --published=$(PUBLISHED) tests/site/test_lighthouse.py

coverage: $(VENV)/.test audits  ## Show which lines no test reaches; takes half as long again as the tests
	$(BIN)/pytest $(WORKERS) -m "not lighthouse" --cov --cov-report=term

format: $(VENV)/.test  ## Put the Python in order
	$(BIN)/ruff check --fix
	$(BIN)/ruff format

serve: $(VENV)/.demo  ## Serve the rulebook here and rebuild it as the rules change
	$(BIN)/rulewright book serve

benchmark: $(BENCHES)  ## Measure beside other programs, in environments of their own
	@missed=0; for script in benchmarks/[a-z]*.py; do \
	  echo; echo "== $$script"; $(BENCH)/bin/python $$script || missed=1; done; exit $$missed

clean:  ## Remove everything that was built or installed here
	rm -rf build dist $(VENV) $(BENCH)* .pytest_cache .mypy_cache .ruff_cache .hypothesis .coverage .coverage.*
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# A stamp is older than pyproject.toml exactly when what it installed may no longer be what is asked for.
$(VENV)/.demo: pyproject.toml | $(VENV)/bin/python
	$(BIN)/python $(PIP) --editable '.[book]'
	@touch $@

$(VENV)/.test: pyproject.toml | $(VENV)/bin/python
	$(BIN)/python $(PIP) --editable '.[book,test]'
	@touch $@ $(VENV)/.demo

$(BENCH)/.ready: benchmarks/requirements.txt pyproject.toml | $(BENCH)/bin/python
	$(BENCH)/bin/python $(PIP) --requirement $< --editable '.[book]'
	@touch $@

# Programs that cannot live beside Rulewright: requirements-NAME.txt is installed alone in .venv-bench-NAME.
$(BENCH)-%/.ready: benchmarks/requirements-%.txt | $(BENCH)-%/bin/python
	$(BENCH)-$*/bin/python $(PIP) --requirement $<
	@touch $@

%/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
	  || { echo "Rulewright needs Python 3.11 or newer; say which with 'make ... PYTHON=python3.12'." >&2; exit 1; }
	$(PYTHON) -m venv $* \
	  || { echo "On Debian and Ubuntu, 'apt-get install python3-venv' gives Python its venv." >&2; exit 1; }

# The tests look at the built pages with the system's own Chromium and print with its Pango; the audits of pages run on
# Node and Java. Fonts let pictures be read.
PROGRAMS := chromium|chromium-browser|google-chrome node npm java
PACKAGES := chromium fonts-dejavu-core libpango-1.0-0 libpangoft2-1.0-0 libharfbuzz-subset0 nodejs npm default-jre-headless

browser:
	@missing=; \
	for names in $(subst |,\|,$(PROGRAMS)); do \
	  found=; for name in $$(echo $$names | tr '|' ' '); do if command -v $$name >/dev/null; then found=1; fi; done; \
	  if [ -z "$$found" ]; then missing="$$missing $$names"; fi; done; \
	if ! PATH="$$PATH:/sbin" ldconfig -p 2>/dev/null | grep -q libpangoft2; then missing="$$missing libpango"; fi; \
	if [ -z "$$missing" ]; then exit 0; fi; \
	if ! command -v apt-get >/dev/null; then \
	  echo "The tests of pages need$$missing: install them, or run '$(BIN)/pytest -m \"not browser and not slow\"'." >&2; exit 1; fi; \
	if [ "$$(id -u)" = 0 ]; then root=; elif command -v sudo >/dev/null; then root=sudo; else \
	  echo "The tests of pages need$$missing: run 'apt-get install $(PACKAGES)' as root." >&2; exit 1; fi; \
	echo "Installing what the tests of pages need:$$missing."; \
	$$root apt-get update -qq && \
	$$root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $(PACKAGES) >/dev/null

# The tools that audit the pages, at the versions in the lock file.
audits: browser tests/site/node_modules/.ready

tests/site/node_modules/.ready: tests/site/package-lock.json | browser
	npm ci --prefix tests/site --ignore-scripts --no-audit --no-fund --silent
	@touch $@
