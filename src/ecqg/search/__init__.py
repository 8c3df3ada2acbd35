"""Search over passage vectors."""
