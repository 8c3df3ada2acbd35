"""One thin module per DVC stage: read what is declared, call a room, write what is declared."""
