"""Everything that is numba's: the decorators of compiled kernels, handles, and numbers by fours (lanes)."""
