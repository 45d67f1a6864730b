"""What stands before a page of Markdown, for whoever builds a site of it."""

from __future__ import annotations

import json
from collections.abc import Iterable

from rulewright.book.style.prose import heads
from rulewright.book.style.style import escape


def front_matter(title: str, about: str, *, wide: bool, tags: Iterable[str], letter: str) -> str:
    """A page's title and the like as YAML. Values are JSON, which is YAML too, of text that is safe as HTML."""
    kept = {"tags": [escape(tag) for tag in tags], "letter": escape(letter)}
    lines = "".join(f"{key}: {json.dumps(value, ensure_ascii=False)}\n" for key, value in kept.items() if value)
    return f"---\n{heads(title, about)}{lines}{'hide: [toc]' + chr(10) if wide else ''}---\n"
