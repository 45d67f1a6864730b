"""Entry point of `python -m rulewright`."""

from __future__ import annotations

import sys

from rulewright.cli.main import main

if __name__ == "__main__":
    sys.exit(main())
