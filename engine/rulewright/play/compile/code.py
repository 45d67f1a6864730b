"""Generated source → what Python runs, which for a large program takes longer to find out than to look up."""

from __future__ import annotations

import marshal
import os
import sys
from types import CodeType

from rulewright.ruleset.cache.fingerprint import key_of
from rulewright.ruleset.cache.folder import cache_folder, read, write

SMALL = 10_000
"""Characters up to which source is compiled at once: a file of its own would save nothing."""


def code_of(source: str, file: str) -> CodeType:
    """What `source` compiles to, under the name `file`; taken from the cache where the very same was compiled before.

    What the cache holds of it is run, as what Python itself keeps of modules is. So it is kept only where owners tell
    that nobody but the user can have written it.
    """
    if len(source) <= SMALL or cache_folder() is None or not hasattr(os, "geteuid"):
        return _compiled(source, file)
    key = key_of("code", str(sys.flags.optimize), file, source)
    kept = read(key)
    if kept is not None:
        try:
            found = marshal.loads(kept)
        except (ValueError, EOFError, TypeError):
            found = None
        if isinstance(found, CodeType):
            return found
    code = _compiled(source, file)
    write(key, marshal.dumps(code))
    return code


def _compiled(source: str, file: str) -> CodeType:
    return compile(source, file, "exec", dont_inherit=True)
