"""ROWS: one law a file; each writes its rows of the complementarity problem."""
