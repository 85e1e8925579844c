"""How the demo picture is drawn: ``python -m tessella.pictures.drawing OUT.webp``."""
