"""One question, one passage at a time: what a system finds, where it looks, what may be asked."""
