"""The public file formats of open-domain question answering, one module each; see `importer`."""
