"""The verbs of the command line, one module each: `HELP`, `EXAMPLE`, `configure(parser)` and `run(args)`.

They are found by being here, or in a folder below. Every start of the program imports all of these modules, so they
import the floors they need inside `run`.
"""

from __future__ import annotations

import pkgutil


def verbs() -> dict[str, str]:
    """The name of each verb, in alphabetical order, and of its module."""
    found = {
        each.name.rpartition(".")[2]: each.name
        for each in pkgutil.walk_packages(__path__, f"{__name__}.")
        if not each.ispkg
    }
    return dict(sorted(found.items()))
