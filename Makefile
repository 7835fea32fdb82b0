# `make play` and `make test` are all a newcomer needs; each sets up what it lacks.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
export PIP_DISABLE_PIP_VERSION_CHECK := 1

.PHONY: play test test-long lint bench bench-vector bench-server bench-browser tune ladder docs site texts web web-test web-types golden screenshot screenshots lock release clean

# run.py does the same without make; what it does is written there once.
play:
	@$(PYTHON) run.py play $(ARGS)

web: $(VENV)/.play
	@$(PYTHON) run.py web

test:
	@$(PYTHON) run.py test $(ARGS)

web-test: web
	@$(PYTHON) run.py check

test-long: $(VENV)/.dev
	$(BIN)/python -m pytest -m long --timeout 0 --hypothesis-profile other

lint:
	@$(PYTHON) run.py lint

# The peers are heavy (JAX among them), so only this installs them; one that cannot be had is left out with a line.
bench: $(VENV)/.dev
	@sh tools/peers.sh $(VENV)
	$(BIN)/python -m benchmarks.games $(ARGS)
	$(BIN)/python -m benchmarks.bots

# Steps of batches of games on a CPU, beside the environments of others.
bench-vector: $(VENV)/.dev
	@sh tools/peers.sh $(VENV)
	$(BIN)/python -m benchmarks.vector $(ARGS)

# How many matches a server carries, beside boardgame.io; the peer and, where there is none, Node come with it.
bench-server: $(VENV)/.dev web
	cd benchmarks/boardgame && PATH="$(CURDIR)/$(BIN):$$PATH" npm ci --silent --omit=optional
	PATH="$(CURDIR)/$(BIN):$$PATH" $(BIN)/python -m benchmarks.server $(ARGS)

# How quick the pages are: script a frame in animations, and how soon a touch is seen.
bench-browser: $(VENV)/.dev web
	@sh tools/browser.sh
	$(BIN)/python -m benchmarks.browser $(ARGS)

# Learns the weights of a heuristic from self-play: make tune GAME=ID
tune: $(VENV)/.dev
	$(BIN)/python tools/tune.py $(GAME) $(ARGS)

# Every level against the one below it, in every game; goes on where it was.
ladder: $(VENV)/.dev
	$(BIN)/python tools/ladder.py $(ARGS)

docs: $(VENV)/.dev
	$(BIN)/python tools/docs.py

# The documentation site, which the hall then serves at /docs and the wheel carries.
site: $(VENV)/.dev
	$(BIN)/python tools/site.py

texts: $(VENV)/.dev
	$(BIN)/python tools/texts.py

web-types: $(VENV)/.dev
	$(BIN)/python tools/web.py

golden: $(VENV)/.dev
	$(BIN)/python -m tests.golden
	$(BIN)/python -m tests.analysis.golden

screenshot: $(VENV)/.dev
	$(BIN)/python tools/screenshot.py

# Pictures of every page, for people to look at: in screenshots/, or with ARGS=--docs those of the documentation.
screenshots: $(VENV)/.dev web
	@sh tools/browser.sh
	$(BIN)/python -m tools.screenshots $(ARGS)

# The two stamps say that everything of the lock files is installed: for playing, and for working on it.
$(VENV)/.play: pyproject.toml requirements.lock requirements-build.lock
	@$(PYTHON) run.py setup

$(VENV)/.dev: pyproject.toml requirements-dev.lock
	@$(PYTHON) run.py setup dev

lock: $(VENV)/.dev
	sh tools/lock.sh
	$(BIN)/python tools/third_party.py

# Builds, checks and tags: make release, or ARGS=--dry-run for everything but the tag.
release: $(VENV)/.dev
	$(BIN)/python tools/release.py $(ARGS)

clean:
	rm -rf $(VENV) dist build src/astragal/web src/astragal/site web/node_modules .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
