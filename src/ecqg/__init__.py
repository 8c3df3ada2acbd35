"""Entity-conditioned question generation for dense retrieval, as a DVC pipeline."""

__version__ = "0.1.0"
