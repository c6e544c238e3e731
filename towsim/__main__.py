"""``python -m towsim`` is the same as ``towsim``."""

import sys

from towsim.cli import main

if __name__ == "__main__":
    sys.exit(main())
