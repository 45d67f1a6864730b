"""The entry point of the program. It imports other modules late, so that it can handle early interrupts."""

from __future__ import annotations

import sys

# Set here, because importing `typing` for it would take time.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

INTERRUPTED = 130
"""The exit code after an interrupt: 128 + SIGINT, as in shells."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line `arguments` (default: those of the program) and return the exit code.

    An interrupt returns 130. An unexpected exception is reported as a bug and returns 1.
    """
    try:
        # A short command spends most of its time on imports, so they must be interruptible, too.
        from rulewright.cli.command_runner import run

        return run(arguments)
    except KeyboardInterrupt:
        return INTERRUPTED
    except Exception as error:  # a bug, reported without a traceback
        from rulewright.base.plugins import Failure, report_failure

        report_failure(Failure("Rulewright", "", error))
        return 1


if __name__ == "__main__":
    sys.exit(main())
