"""Method ``dae``: the paper's RSSLM formulation, handed to SciPy's stiff solvers. Slow, and independent of the rest."""
