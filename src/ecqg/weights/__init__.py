"""How the starting weights in the folder `weights` were made; see weights/README.md."""
