"""One's own corpus: what a folder holds, what can be studied with it, and a profile that does."""
