"""Question generators: passage (and entity) in, question and answer out (SIGIR sec. 2.2, 3.3)."""
