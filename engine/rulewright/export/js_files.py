"""The files of the JavaScript host, which are part of the package."""

from __future__ import annotations

import re
from importlib.resources import files

from rulewright.base.lazy import compute_once
from rulewright.ruleset.prose.book_language import Language

MODULE = "built/rules.js"
"""The ES module that drives a ruleset. `editors/studio/build.js` builds it from the other files in `js/`."""


def read_js_file(name: str) -> str:
    """Return the text of the file `name` in `js/`."""
    return (files(__package__) / "js" / name).read_text(encoding="utf-8")


NARRATION = ("narration_log.js", "phrases.js")
"""The files whose texts are those of the log, in English."""


@compute_once
def _list_texts() -> frozenset[str]:
    return frozenset(text for name in NARRATION for text in re.findall(r'"([^"\n]+)"', read_js_file(name)))


def translate_log_messages(language: Language) -> dict[str, str]:
    """Return the messages of the log in a language that is not English, by English message."""
    return {
        message: translation for message, translation in (language.messages or {}).items() if message in _list_texts()
    }
