"""File formats, sources of data, and the passage store."""
