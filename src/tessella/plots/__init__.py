"""Pictures about results."""
