"""One's own retriever, adapted to passages that nobody has asked about, by the study's method."""
