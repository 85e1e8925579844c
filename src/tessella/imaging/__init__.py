"""Pictures in and out: reading, cutting, wearing, rendering."""
