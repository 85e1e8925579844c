"""How the demo picture is drawn: ``PYTHONPATH=scripts python -m caravel OUT.webp``."""
