"""``python -m solvers.bench`` compares methods on problems from files."""

import sys

from solvers.bench.compare import main

if __name__ == "__main__":
    sys.exit(main())
