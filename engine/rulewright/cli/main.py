"""The entry point of the command line. It imports nothing at first, so that it can handle an early interrupt."""

from __future__ import annotations

import sys

# Nothing imports modules for types at run time, not even here.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

INTERRUPTED = 130
"""The exit code after an interrupt: 128 + SIGINT, as in shells."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line `arguments`, by default the program's own, and return its exit code."""
    try:
        # Imports take most of the time of a short command, so an interrupt during them means the command.
        from rulewright.cli.command_runner import run

        return run(arguments)
    except KeyboardInterrupt:
        return INTERRUPTED
    except Exception as error:  # a bug of the program, for which users need no traceback
        from rulewright.base.plugins import Failure, report_failure

        report_failure(Failure("Rulewright", "", error))
        return 1


if __name__ == "__main__":
    sys.exit(main())
