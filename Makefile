# Every target makes its own virtual environment first; nothing has to be installed by hand.
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
READY  := $(VENV)/.epistrat
SERVER := $(VENV)/.studio
STAMP  := $(VENV)/.installed
JOBS   ?= auto
PIP    := $(BIN)/python -m pip install --quiet --disable-pip-version-check
# `make LOCKED=1 test` sets up with the exact versions of requirements-lock.txt; otherwise the newest that fit are taken.
LOCK   := $(if $(LOCKED),-c requirements-lock.txt)
MINUTES   ?= 10
SEED      ?= 0
SYSTEMS   ?= 0
UNBOUNDED ?= 0
SAMPLE    ?= 0

.PHONY: demo test long agents check lint types layers coverage quick bench fuzz mutants studio browser vscode docs newcomer extras dist lock spelling clean

demo: $(READY)
	@$(BIN)/epistrat check examples/dining_cryptographers.ispl --expect
	@printf '\nWhy formula 3 fails, told as two evenings that C1 cannot tell apart:\n\n'
	@$(BIN)/epistrat check examples/dining_cryptographers.ispl --only 3 --evidence | sed -n '/What happens/,$$p'
	@printf '\nA plan that sets the prisoners free, whatever the warden does:\n\n'
	@$(BIN)/epistrat strategy examples/prisoners.ispl -f '<prisoners>F free'
	@printf '\nNext: docs/tutorial.md takes ten minutes, .venv/bin/epistrat scenario lists models to learn from, make studio opens a page in the browser.\n'

test: $(STAMP) browser
	@$(BIN)/python -m pytest -n $(JOBS) --dist worksteal -q -m 'not long and not alone'
	@$(BIN)/python -m pytest -q -m alone

# Tests that repeat others on more systems and larger models.
long: $(STAMP)
	@$(BIN)/python -m pytest -n $(JOBS) --dist worksteal -q -m long

# Programs with the packages that guards are made for, and all logs, shields and schedules: 5,000, 2,000 and 1,000.
agents: $(STAMP)
	@$(PIP) -e '.[agents,mcp]' $(LOCK)
	@EPISTRAT_LOGS=5000 EPISTRAT_SHIELDS=2000 EPISTRAT_SCHEDULES=1000 $(BIN)/python -m pytest -n $(JOBS) --dist worksteal -q -rs tests/running

# What the tests in a browser need, where it can be had; otherwise they are skipped.
browser:
	@sh studio/prepare.sh --browser

# Build the page where that is needed, and open it; FILE names models to open.  Nothing is installed but what the page and its server need.
studio: $(SERVER)
	@sh studio/prepare.sh
	@echo "Starting the studio; Ctrl-C ends it."
	@$(BIN)/epistrat studio $(FILE)

$(SERVER): $(READY)
	@echo "Installing the studio's server ..."
	@$(PIP) -e '.[studio]' $(LOCK)
	@touch $@

check: lint types layers spelling

lint: $(STAMP)
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .

# Spelling of documents, messages and comments; the words to avoid are a test (tests/docs/test_plain_words.py).
spelling: $(STAMP)
	@$(BIN)/codespell *.md docs src examples benchmarks editors .github

types: $(STAMP)
	@$(BIN)/mypy

layers: $(STAMP)
	@$(BIN)/lint-imports

coverage: $(STAMP)
	@$(BIN)/python -m pytest -n $(JOBS) -q --cov --cov-report=term-missing:skip-covered

# The scenarios at small sizes: verdicts, not times.
quick: $(STAMP)
	@$(BIN)/epistrat bench --suite quick --peers none

# All suites, on an idle machine; results with pictures go to benchmarks/results.
bench: $(STAMP)
	@for suite in figures growth papers; do $(BIN)/epistrat bench --suite $$suite -o benchmarks/results --resume; done

# Random questions to all engines; what does not fit together is shrunk and written to fuzz-findings/.
# SYSTEMS=n instead takes n interleaved systems with strategies, in every reading and under all rules of play.
# UNBOUNDED=n instead asks about unbounded models whose behaviour is finite in truth, until n verdicts were compared.
fuzz: $(STAMP)
	@if [ $(UNBOUNDED) -gt 0 ]; then EPISTRAT_STRICT=1 $(BIN)/python -m tests.fuzz.unbounded --verdicts $(UNBOUNDED) --seed $(SEED); \
	elif [ $(SYSTEMS) -gt 0 ]; then $(BIN)/python -m tests.asynchronous.random_systems $(SYSTEMS) $(SEED); \
	else $(BIN)/python -m tests.fuzz --minutes $(MINUTES) --seed $(SEED); fi

# Planted bugs, one after the other; ONLY picks those whose package, file or name contains a text.
# SAMPLE=200 instead draws so many generated bugs (SEED=1 says which) and runs the tests that run their statements.
mutants: $(STAMP)
	@if [ $(SAMPLE) -gt 0 ]; then $(BIN)/python -m tests.mutants.generated --sample $(SAMPLE) --seed $(SEED); \
	else $(BIN)/python -m tests.mutants $(ONLY); fi

# The extension for VS Code, from its lock file; like studio and dist it needs Node.
vscode:
	@command -v npm >/dev/null || { echo "make vscode needs npm (Debian: apt install npm)"; exit 1; }
	@cd editors/vscode && npm ci --no-audit --no-fund && npm run package
	@echo "Install it with: code --install-extension editors/vscode/epistrat.vsix"

clean:
	rm -rf $(VENV) .mypy_cache .pytest_cache .ruff_cache .hypothesis

# epistrat alone, which is enough for the demo; libraries are not compiled here, because most of their modules are never imported.
# Our own code is, as in a wheel: where Python may not keep what it compiles, a check would take 0.4 s of CPU time to start instead of 0.2.
# Stamps are written last, so an interrupted set-up is started again.
$(READY): pyproject.toml
	@echo "Setting up $(VENV) ..."
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@$(PIP) --no-compile -e . $(LOCK)
	@$(BIN)/python -m compileall -qq src
	@touch $@

# With what the tests and checks need. Everything is compiled: a library's warning while it is compiled would fail a test.
$(STAMP): $(READY) requirements-dev.txt
	@$(PIP) -r requirements-dev.txt $(LOCK)
	@$(BIN)/python -W ignore -m compileall -qq -j 0 $(VENV)/lib || true
	@touch $@

# The book, with every warning an error; it is written to build/book.
docs: $(STAMP)
	@$(PIP) -r requirements-docs.txt $(LOCK)
	@NO_MKDOCS_2_WARNING=1 $(BIN)/python -m mkdocs build --quiet
	@echo "the book is in build/book/index.html"

# The wheel in an empty environment, and the tutorial's commands; INTERPRETERS names other Pythons to try it with.
# Then the first tasks of four people, with commands that README and the book show.
newcomer: $(READY)
	@$(BIN)/python -m tests.release.newcomer $(INTERPRETERS)
	@$(BIN)/python -m tests.release.four_people

# Every extra in an empty environment, alone and all together.
extras: $(READY)
	@$(BIN)/python -m tests.release.extras $(INTERPRETERS)

# Wheel and sdist in dist/, with the studio's page in them (needs Node.js and npm).
dist: $(READY)
	@sh studio/prepare.sh
	@$(PIP) build
	@$(BIN)/python -m build --outdir dist

# The lock file, for all supported Pythons and platforms.
lock: $(STAMP)
	@$(PIP) uv
	@$(BIN)/uv pip compile pyproject.toml --extra agents --extra mcp requirements-dev.txt requirements-docs.txt --universal --python-version 3.11 --quiet \
		--no-header --no-annotate --no-emit-index-url --no-emit-find-links -o requirements-lock.txt
	@sed -i.bak '1i # The exact versions that the project is developed with (make LOCKED=1 ...); `make lock` writes it again.' \
		requirements-lock.txt && rm requirements-lock.txt.bak
