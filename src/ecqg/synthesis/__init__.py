"""Select entities, filter questions, mix training sets (SIGIR secs. 2.1, 2.3, 3.3)."""
