"""From scans of shreds and photographs of tiles to pieces: see docs/collect.md."""
