"""The report of a result: one HTML file that needs nothing beside it."""

from tessella.report.page import write_report

__all__ = ["write_report"]
