"""The content security policy of every page, which limits what a browser may run, load and send.

It is a `<meta>` element in the head, so that it works on any host and for pages opened from disk. Scripts are files
of the site. Bars and charts use style attributes.
"""

from __future__ import annotations

import re

from rulewright.base.errors import RulewrightError

PAGES = (
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; "
    "font-src 'self' data:; connect-src 'self'; worker-src 'self'; manifest-src 'self'; form-action 'self'; "
    "base-uri 'none'"
)
"""The policy of the theme's pages, which search and list versions."""

TABLE = PAGES.replace("script-src 'self'", "script-src 'self' 'wasm-unsafe-eval'").replace(
    "worker-src 'self'", "worker-src 'self' blob:"
)
"""The policy of the page on which a game is played.

The rules are WebAssembly. The bots run in a worker that starts from a blob, so that the page also works from disk.
"""

FILES = (
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; font-src 'self'; img-src 'self' data:; "
    "form-action 'none'; base-uri 'none'"
)
"""The policy of pages outside of the theme, with styles, fonts and scripts from files of the site."""

SERVED = "default-src 'none'; script-src 'self'; connect-src 'self'; style-src 'unsafe-inline'; img-src data:"
"""The policy of a page that is a single file and polls its server for updates."""

_INLINE = re.compile(r"<script\b(?![^>]*\b(?:src|type)=)[^>]*>(.*?)</script>", re.DOTALL | re.IGNORECASE)
_CHARSET = re.compile(r'<meta charset="utf-8"\s*/?>')


class PolicyError(RulewrightError):
    """An error for a page that the policy would break, such as one with an inline script."""


def add_policy(page: str, policy: str = PAGES) -> str:
    """Return a page of the theme with its content security policy.

    Raises `PolicyError` for a page with an inline script, which the policy would block, or without a charset.
    """
    if (script := _INLINE.search(page)) is not None:
        raise PolicyError(f"a page contains an inline script, which the policy blocks: {script[1][:80]!r}")
    result, count = _CHARSET.subn(
        lambda charset: f'{charset[0]}<meta http-equiv="Content-Security-Policy" content="{policy}">', page, count=1
    )
    if not count:
        raise PolicyError("a page has no place for the security policy, because it declares no charset")
    return result
