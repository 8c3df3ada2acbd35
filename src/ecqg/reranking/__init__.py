"""Re-ranking with a cross-encoder."""
