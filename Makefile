# Two commands are enough: `make run` and `make test`. Everything is installed into .venv, nothing outside this folder.
PYTHON ?= $(or $(shell command -v python3.11),$(shell command -v python3),python3)
PORT ?= 8000
BIN := .venv/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check
# pip compiles modules on one core; the command fails at those that aren't meant to be imported, such as templates.
INSTALL = $(PIP) install --no-compile --require-hashes -r $< && { $(BIN)/python -m compileall -qq -j 0 .venv/lib || true; }
COMPILE := $(BIN)/pip-compile --quiet --generate-hashes --strip-extras --allow-unsafe --no-header \
	--no-emit-index-url --no-emit-find-links --no-emit-trusted-host
NONE_IS_FINE = $(if $(TESTS),|| test $$? = 5)
LONG = $(shell grep -rl --include='test_*.py' 'pytest.mark.long' tests)
GATE = $(shell grep -rl --include='test_*.py' 'pytest.mark.gate' tests)
ALONE = $(shell grep -l 'pytest.mark.alone' $(GATE))
PIP_AUDIT := 2.10.1
FIXED := FAULT_SEED=20261123 FUZZ_SEED=20261123
export PORT
# The tests start many processes; without compiled modules each start takes seconds.
export PYTHONDONTWRITEBYTECODE :=

.PHONY: run demo test test-long test-js cover check check-types check-imports gate soak bench notebooks worker stack audit lock .venv
.DEFAULT_GOAL := run

run: .venv/.installed  ## install, migrate, load the bank, make demo accounts, serve on 127.0.0.1:$(PORT)
	@sh scripts/run.sh

demo: .venv/.installed  ## the site with simulated people, in its own database (demo.sqlite3)
	@DEMO=1 DATABASE_URL=$${DATABASE_URL:-sqlite:///demo.sqlite3} sh scripts/run.sh

test: $(if $(TESTS)$(SERVERS_ONLY),,test-js) .venv/.installed-dev  ## the everyday tests; they should take three minutes on two cores; docs/benchmarks.md says how long they do take
	$(BIN)/python -m pytest -n 2 --dist loadfile --no-loadscope-reorder -m "not soak$(if $(TESTS),, and not long)" $(if $(SERVERS_ONLY),--servers-only) $(TESTS) $(NONE_IS_FINE)

test-long: .venv/.installed-dev  ## the slow tests of what came after 0.1.0; .ci/run runs them too
	$(BIN)/python -m pytest -n 2 --dist loadfile --no-loadscope-reorder -m "long and not soak" $(if $(SERVERS_ONLY),--servers-only) $(or $(TESTS),$(LONG)) $(NONE_IS_FINE)

test-js:  ## tests of the player's queue, clock and store, with node's own runner; takes a second
	@if command -v node >/dev/null; then node --test tests/js/*.test.js; \
		else echo "The tests of JavaScript are left out: they need node (sudo apt install nodejs npm)"; test -z "$$CI"; fi

cover: .venv/.installed-dev  ## branch coverage of make test and make test-long, compared with the minimums in scripts/cover.py; run by hand; leaves out tests that measure time
	@rm -rf .run/coverage && mkdir -p .run/coverage
	$(BIN)/coverage run -m pytest -n 2 --dist loadfile --no-loadscope-reorder -q -m "not soak" -k "not in_a_second and not of_a_second"
	$(BIN)/coverage combine -q
	$(BIN)/coverage json -q -o .run/coverage/report.json
	@$(BIN)/python scripts/cover.py .run/coverage/report.json

check: .venv/.installed-dev node_modules/.installed  ## style, templates, scripts, types, missing migrations, tests that cannot be imported
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	node_modules/.bin/biome lint --error-on-warnings
	find templates -name '*.html' -print0 | xargs -0r $(BIN)/djade --target-version 5.2 --check
	@$(MAKE) --no-print-directory -j 2 check-types check-imports

check-types: .venv/.installed-dev
	$(BIN)/mypy

check-imports: .venv/.installed-dev
	DJANGO_SETTINGS_MODULE=tests.settings $(BIN)/python manage.py makemigrations --check --dry-run
	$(BIN)/python -m pytest --collect-only -qqq -W ignore

gate: .venv/.installed-dev  ## the part of soak that .ci/run runs, with fixed seeds: a short walk through the site in Chromium, a short run with faults
	$(FIXED) $(BIN)/python -m pytest -n 3 --dist loadfile --no-loadscope-reorder -m "gate and not alone" $(or $(TESTS),$(GATE)) $(NONE_IS_FINE)
	$(FIXED) $(BIN)/python -m pytest -m "gate and alone" $(or $(TESTS),$(ALONE)) $(NONE_IS_FINE)

soak: .venv/.installed-dev  ## browsers, faults and volume at full size
	$(BIN)/python -m pytest -n 2 --dist loadfile --no-loadscope-reorder -m "soak and not alone" $(TESTS) $(NONE_IS_FINE)
	$(BIN)/python -m pytest -m "soak and alone" $(TESTS) $(NONE_IS_FINE)

bench: .venv/.installed-dev  ## requests per second, compared with a bare Django view; see docs/benchmarks.md
	$(BIN)/python -m tests.bench

notebooks: .venv-notebooks/.installed  ## run every study-module notebook to the end and print the seconds each took, then the code in the modules' texts; cloud cells stay off
	@.venv-notebooks/bin/python scripts/notebooks.py $(NOTEBOOKS)
	$(if $(NOTEBOOKS),,@.venv-notebooks/bin/python scripts/module_code.py)

worker: .venv/.installed  ## a Celery worker with the beat schedule; needs REDIS_URL
	@test -n "$$REDIS_URL" || { echo "make worker needs REDIS_URL, for example redis://127.0.0.1:6379/0"; exit 1; }
	@mkdir -p .run
	$(BIN)/celery -A courseiva worker --beat --schedule .run/beat --loglevel info

stack: .venv/.installed  ## what docker-compose.yml starts, without containers; needs DATABASE_URL and REDIS_URL
	@$(BIN)/python scripts/stack.py

audit: .venv/audit/.$(PIP_AUDIT)  ## look up known vulnerabilities in the pinned packages; fails without the network
	.venv/audit/bin/pip-audit --strict --require-hashes --disable-pip -r requirements-dev.lock

lock: .venv/.installed-dev  ## regenerate both lock files from requirements*.in
	$(COMPILE) --upgrade -o requirements.lock requirements.in
	$(COMPILE) --upgrade -c requirements.lock -o requirements-dev.lock requirements-dev.in

.venv/audit/.$(PIP_AUDIT): | .venv/.made
	$(BIN)/python -m venv .venv/audit
	.venv/audit/bin/python -m pip --disable-pip-version-check install --quiet pip-audit==$(PIP_AUDIT)
	@touch $@

.venv-notebooks/.installed: requirements-notebooks.txt
	@test -x .venv-notebooks/bin/python || $(PYTHON) -m venv .venv-notebooks
	@echo "==> Installing what the notebooks need, TensorFlow among it (some minutes, once)"
	.venv-notebooks/bin/python -m pip --disable-pip-version-check install --quiet -r requirements-notebooks.txt
	@touch $@

.venv: .venv/.installed

.venv/.made:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "Courseiva needs Python 3.11 or later (this is $$($(PYTHON) --version)): make run PYTHON=python3.11"; exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || \
		{ echo "Python's venv module is missing. Install it with:  sudo apt install python3-venv"; exit 1; }
	@test -x $(BIN)/python || { echo "==> Making the virtual environment in .venv"; $(PYTHON) -m venv .venv; }
	@touch $@

.venv/.installed: requirements.lock | .venv/.made
	@echo "==> Installing the pinned packages (about a minute, once)"
	@$(INSTALL)
	@touch $@

.venv/.installed-dev: requirements-dev.lock | .venv/.made
	@echo "==> Installing the pinned packages for tests and checks (about a minute, once)"
	@$(INSTALL)
	@touch .venv/.installed $@

node_modules/.installed: package-lock.json package.json .npmrc
	@command -v npm >/dev/null || { echo "The check of JavaScript needs npm: sudo apt install nodejs npm"; exit 1; }
	@echo "==> Installing the pinned JavaScript linter (seconds, once)"
	npm ci --silent
	@touch $@
