"""The entry point of the command line. It imports nothing at first, so that it can handle an early interrupt."""

from __future__ import annotations

import sys

# A module for types alone is loaded by nobody: even so little would lie before the door.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

INTERRUPTED = 130
"""The exit code after an interrupt: 128 + SIGINT, as in shells."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line `arguments`, by default the program's own, and return its exit code."""
    try:
        # Loading takes most of the time of a short command, and whoever interrupts it then means the command as well.
        from rulewright.cli.command_runner import run

        return run(arguments)
    except KeyboardInterrupt:
        return INTERRUPTED
    except Exception as error:  # a fault of the program, and nobody at a terminal can use pages of it
        from rulewright.base.plugins import Failure, report_failure

        report_failure(Failure("Rulewright", "", error))
        return 1


if __name__ == "__main__":
    sys.exit(main())
