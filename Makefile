# make demo and make test need Python 3.11 or newer and nothing else; everything goes into .venv.

PYTHON := .venv/bin/python
DEMO := demo-result
STUDIO := studio-demo

.PHONY: demo studio test lint format docs-tables site clean

demo:
	@sh scripts/venv.sh run
	@$(PYTHON) -m tessella demo --out $(DEMO) --force

# The studio in a browser, with the demo panel taken apart.
studio:
	@sh scripts/venv.sh run
	@$(PYTHON) -c 'import fastapi, uvicorn' 2> /dev/null || \
		$(PYTHON) -m pip install --quiet --disable-pip-version-check --editable '.[studio]'
	@$(PYTHON) -m tessella.studio.demo $(STUDIO) > /dev/null
	@$(PYTHON) -m tessella studio $(STUDIO)/caravel.tessella

test: lint
	$(PYTHON) -m pytest -n auto --maxprocesses 4

lint:
	@sh scripts/venv.sh dev
	$(PYTHON) -m ruff format --check .
	$(PYTHON) -m ruff check .
	$(PYTHON) -m mypy

format:
	@sh scripts/venv.sh dev
	$(PYTHON) -m ruff format .
	$(PYTHON) -m ruff check --fix .

# What the code has, written into the pages: settings, plug-ins, models, commands.
docs-tables:
	@sh scripts/venv.sh run
	$(PYTHON) scripts/document.py

# The documentation for a browser, in build/site; read offline.
site:
	@sh scripts/venv.sh run
	@$(PYTHON) -c 'import furo, myst_parser, sphinx' 2> /dev/null || \
		$(PYTHON) -m pip install --quiet --disable-pip-version-check --editable '.[docs]'
	@$(PYTHON) scripts/website.py

clean:
	rm -rf .venv .mypy_cache .ruff_cache .pytest_cache .hypothesis build $(DEMO)
	find src tests speed -name __pycache__ -type d -prune -exec rm -rf {} +
