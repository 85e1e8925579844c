"""Benchmarks: suites, resumable runs, tables."""
