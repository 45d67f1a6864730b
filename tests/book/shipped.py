"""The pages of what is shipped, made once for all tests that read them, whichever file and worker these are in."""

from __future__ import annotations

import json
import os
from functools import cache
from hashlib import blake2b
from pathlib import Path

from filelock import FileLock

from rulewright.book.rulebook import render_site
from rulewright.ruleset.load_ruleset import load_ruleset


@cache
def shipped_pages(reference: str) -> dict[str, str]:
    """Return `render_site` of a shipped edition, told in full (`pig/classic@1.0`); whoever asks first makes it."""
    name = blake2b(reference.encode(), digest_size=8).hexdigest()
    kept = Path(os.environ["RULEWRIGHT_TESTS_CACHE"]) / f"pages-{name}.json"
    with FileLock(kept.with_suffix(".lock")):
        if not kept.is_file():
            kept.write_text(json.dumps(render_site(load_ruleset(reference))), encoding="utf-8")
    pages: dict[str, str] = json.loads(kept.read_text(encoding="utf-8"))
    return pages
