"""The content security policy of every page: what a browser may run, load and send there, whatever the page holds.

It is a `<meta>` in the head, so that it holds on any host and on pages opened from disk. Scripts are files of the site,
or one of the theme's few lines within the page, each named by its hash; style attributes draw bars and charts.
"""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Iterable
from functools import lru_cache
from hashlib import sha256
from pathlib import Path

from rulewright.errors import RulewrightError

_RULES = (
    "default-src 'none'",
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self' data:",
    "connect-src 'self'",
    "worker-src 'self'",
    "manifest-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
)
FILES = (
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; font-src 'self'; img-src 'self' data:; "
    "form-action 'none'; base-uri 'none'"
)
"""The policy of a page beside the theme's, which has looks, fonts and scripts from files of the site."""

SERVED = "default-src 'none'; script-src 'self'; connect-src 'self'; style-src 'unsafe-inline'; img-src data:"
"""The policy of a page that is one file, and asks the server it came from for news."""

_INLINE = re.compile(r"<script\b(?![^>]*\b(?:src|type)=)[^>]*>(.*?)</script>", re.DOTALL | re.IGNORECASE)
_HOLE = re.compile(r"\{\{.*?\}\}")
_ADDRESS = r"[\w./:~%@+-]*"
"""What a theme's script may hold that is not the theme's: an address within the site."""

_CHARSET = re.compile(r'<meta charset="utf-8"\s*/?>')


class PolicyError(RulewrightError):
    """A page holds a script that is neither a file of the site nor the theme's."""


def guarded(page: str, theme: Iterable[str]) -> str:
    """A built page with its policy. `theme` are the theme's folders of templates, whose own scripts may run.

    Raises `PolicyError` for any other script in the page: it would not run, and should not be there.
    """
    known = _scripts(tuple(theme))
    hashes = []
    for script in dict.fromkeys(_INLINE.findall(page)):
        if not any(pattern.fullmatch(script) for pattern in known):
            raise PolicyError(f"a page holds a script that is not the theme's: {script[:80]!r}")
        hashes.append(f"'sha256-{b64encode(sha256(script.encode()).digest()).decode()}'")
    policy = "; ".join((*_RULES, " ".join(["script-src 'self'", *hashes])))
    made, found = _CHARSET.subn(
        lambda charset: f'{charset[0]}<meta http-equiv="Content-Security-Policy" content="{policy}">', page, count=1
    )
    if not found:
        raise PolicyError("a page says no charset, beside which its policy would stand")
    return made


@lru_cache(maxsize=4)
def _scripts(folders: tuple[str, ...]) -> tuple[re.Pattern[str], ...]:
    """The theme's own scripts within pages, each with room for the addresses that are filled in."""
    found = []
    for folder in folders:
        for path in sorted(Path(folder, "partials", "javascripts").glob("*.html")):
            for script in _INLINE.findall(path.read_text(encoding="utf-8")):
                found.append(re.compile(_ADDRESS.join(map(re.escape, _HOLE.split(script)))))
    return tuple(found)
