"""Readers of the public file formats of open-domain question answering; see `importer`."""
