"""Compare methods on problems from files: ``python -m solvers.bench``; see :mod:`solvers.bench.compare`."""
