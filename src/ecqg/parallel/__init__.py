"""Maps over a collection: here, by several processes, or on a cluster, with the same results."""
