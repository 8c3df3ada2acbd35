"""Complete parameter files, one a profile."""
