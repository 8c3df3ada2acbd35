"""Tables, pages and pictures for people."""
